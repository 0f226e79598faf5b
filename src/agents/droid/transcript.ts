import { join } from 'node:path';
import { type Json, list, record, text } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import {
  answerRecord,
  compactionRecord,
  firstRecord,
  observeResult,
  promptRecord,
  recordsOf,
  type SessionReading,
  startCalls,
  textIn,
  titleRecord,
  usageRecord,
} from '../transcript-messages.ts';
import { findJsonLines, jsonLines, type TranscriptSource } from '../transcript-source.ts';
import { observeDroidTool } from './tools.ts';

/** Reads a session of Factory Droid: messages as in Anthropic's API, and records of its own. */
const agent = 'droid';

const readDroidSession = recordsOf((file, turn, redact) => {
  const first = firstRecord(file);
  const [session, cwd] = [text(first.id), text(first.cwd)];
  const reading: SessionReading = { agent, session, cwd, turn, calls: recentEntries(), redact };
  return {
    read: (value) => readRecord(value, reading),
    common: (value) => ({ at: text(value.timestamp), agentSession: session, cwd }),
  };
});

/** Records that contain nothing to keep. */
const ignoredTypes = ['session_start', 'agent_turn_outcome', 'todo_state', 'session_title', 'session_end'];

function readRecord(value: Json, reading: SessionReading): Observation[] | undefined {
  const id = text(value.id);
  if (value.isSessionTitleManuallySet === true)
    return titleRecord(reading, text(value.title), { title: text(value.title), by: 'rename' });
  if (value.type === 'compaction_state') return compactionRecord(agent, id, reading.turn);
  if (value.type !== 'message') return ignoredTypes.includes(text(value.type)) ? [] : undefined;
  const { role, content, visibility, modelId: model } = record(value.message);
  // Messages for only one side are context of Droid for the model, or its notices to the user.
  if (text(visibility) !== '') return [];
  const message = { ...reading, id, text: textIn(content) };
  if (role === 'assistant') {
    startCalls(content, reading);
    // Droid names the model, but no tokens.
    return [...answerRecord(message), ...usageRecord({ ...message, model }, {})];
  }
  const results = list(content)
    .map(record)
    .filter(({ type }) => type === 'tool_result');
  if (results.length > 0)
    return results.flatMap(({ tool_use_id: callId, content: output, is_error: isError }) =>
      observeResult(reading, text(callId), observeDroidTool, {
        output: textIn(output),
        failed: isError === true,
      }),
    );
  const prompt = promptRecord({ ...message, turn: id });
  if (prompt.length > 0) reading.turn = id;
  return prompt;
}

export const droidTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readDroidSession,
  root: ({ state }) => join(state, 'sessions'),
  find: (root) => findJsonLines(root, 1, /^[0-9a-f-]+\.jsonl$/),
};
