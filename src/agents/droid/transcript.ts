import { join } from 'node:path';
import { type Json, list, record, text } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import {
  answerRecord,
  compactionRecord,
  firstRecord,
  promptRecord,
  recordsOf,
  type SessionReading,
  usageRecord,
} from '../transcript-messages.ts';
import { findJsonLines, jsonLines, type TranscriptSource } from '../transcript-source.ts';
import { observeDroidTool } from './tools.ts';

/** Reads a session of Factory Droid: messages as in Anthropic's API, and records of its own. */
const agent = 'droid';

const readDroidSession = recordsOf((file, turn, redact) => {
  const first = firstRecord(file);
  const [session, cwd] = [text(first.id), text(first.cwd)];
  const reading: SessionReading = { session, cwd, turn, calls: recentEntries(), redact };
  return {
    read: (value) => readRecord(value, reading),
    common: (value) => ({ at: text(value.timestamp), agentSession: session, cwd }),
  };
});

/** Records that contain nothing to keep. */
const ignoredTypes = ['session_start', 'agent_turn_outcome', 'todo_state', 'session_title', 'session_end'];

function readRecord(value: Json, reading: SessionReading): Observation[] | undefined {
  const { session, redact } = reading;
  const id = text(value.id);
  if (value.type === 'compaction_state') return compactionRecord(agent, id, reading.turn);
  if (value.type !== 'message') return ignoredTypes.includes(text(value.type)) ? [] : undefined;
  const message = record(value.message);
  // Messages for only one side are context of Droid for the model, or its notices to the user.
  if (text(message.visibility) !== '') return [];
  const blocks = list(message.content).map(record);
  const words = blocks
    .filter(({ type }) => type === 'text')
    .map((block) => text(block.text))
    .join('\n');
  if (message.role === 'assistant') {
    for (const block of blocks.filter(({ type }) => type === 'tool_use'))
      reading.calls.set(text(block.id), { name: text(block.name), input: record(block.input) });
    const { turn } = reading;
    return [
      ...answerRecord({ agent, session, turn, id, text: words }, redact),
      // Droid names the model, but no tokens.
      ...usageRecord({ agent, id, model: message.modelId, turn }, {}),
    ];
  }
  const results = blocks.filter(({ type }) => type === 'tool_result');
  if (results.length > 0) return results.flatMap((block) => readResult(block, reading));
  const prompt = promptRecord({ agent, session, turn: id, id, text: words }, redact);
  if (prompt.length > 0) reading.turn = id;
  return prompt;
}

/** Reads are recorded by the hook, which knows the lines that the agent saw. */
function readResult(block: Json, { cwd, turn, calls }: SessionReading): Observation[] {
  const callId = text(block.tool_use_id);
  const call = calls.get(callId);
  if (call === undefined) return [];
  const { content } = block;
  const output =
    typeof content === 'string'
      ? content
      : list(content)
          .map((part) => text(record(part).text))
          .join('\n');
  return observeDroidTool({
    agent,
    callId,
    tool: call.name,
    input: call.input,
    output,
    failed: block.is_error === true,
    cwd,
    inTurn: { turn },
  }).filter(({ kind }) => kind !== 'read');
}

export const droidTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readDroidSession,
  root: ({ state }) => join(state, 'sessions'),
  find: (root) => findJsonLines(root, 1, /^[0-9a-f-]+\.jsonl$/),
};
