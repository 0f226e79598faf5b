import { basename, dirname, join } from 'node:path';
import { type Json, record, text, whole } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import {
  answerRecord,
  promptRecord,
  recordsOf,
  recordTime,
  type SessionReading,
  usageRecord,
} from '../transcript-messages.ts';
import { findJsonLines, jsonLines, type TranscriptSource } from '../transcript-source.ts';
import { observeGrokTool } from './tools.ts';

/** Reads a session of Grok Build: updates of the Agent Client Protocol, one per line. */
const agent = 'grok';

const readGrokSession = recordsOf((file, turn, redact) => {
  const reading: SessionReading = {
    session: basename(dirname(file)),
    cwd: cwdOf(file),
    turn,
    calls: recentEntries(),
    redact,
  };
  const { session, cwd } = reading;
  return {
    read: (value) => readUpdate(record(value.params), reading),
    common: (value) => ({ at: timeOf(value), agentSession: session, cwd }),
    typeOf: (value) => text(record(record(value.params).update).sessionUpdate) || text(value.type),
  };
});

/** The folder of a project's sessions is named by its encoded path. */
function cwdOf(file: string): string {
  try {
    return decodeURIComponent(basename(dirname(dirname(file))));
  } catch {
    return '';
  }
}

function timeOf({ params, timestamp }: Json): string {
  const ms = whole(record(record(params)._meta).agentTimestampMs) || whole(timestamp) * 1000;
  return recordTime(ms);
}

/** Updates that contain nothing to keep. Those of Grok itself, such as `hook_execution`, are not listed. */
const ignoredTypes = [
  'agent_thought_chunk',
  'plan',
  'available_commands_update',
  'current_mode_update',
  'session_info_update',
  'usage_update',
  'config_option_update',
  'hook_execution',
  'hook_annotation',
];

function readUpdate(params: Json, reading: SessionReading): Observation[] | undefined {
  const { session, redact } = reading;
  const update = record(params.update);
  const type = text(update.sessionUpdate);
  const id = text(record(params._meta).eventId);
  const words = text(record(update.content).text);
  switch (type) {
    case 'user_message_chunk': {
      const prompt = promptRecord({ agent, session, turn: id, id, text: words }, redact);
      if (prompt.length > 0) reading.turn = id;
      return prompt;
    }
    case 'agent_message_chunk':
      return answerRecord({ agent, session, turn: reading.turn, id, text: words }, redact);
    case 'tool_call': {
      const tool = record(record(update._meta)['x.ai/tool']);
      const name = text(tool.name) || text(update.title);
      reading.calls.set(text(update.toolCallId), { name, input: record(update.rawInput) });
      return [];
    }
    case 'tool_call_update':
      return readResult(update, reading);
    case 'turn_completed':
      return Object.entries(record(record(update.usage).modelUsage)).flatMap(([model, used]) =>
        usageRecord({ agent, id: `${id} ${model}`, model, turn: reading.turn }, used),
      );
    default:
      return ignoredTypes.includes(type) ? [] : undefined;
  }
}

/** Reads are recorded by the hook, which knows the lines that the agent saw. */
function readResult(update: Json, { cwd, turn, calls }: SessionReading): Observation[] {
  const callId = text(update.toolCallId);
  const call = calls.get(callId);
  if (call === undefined || !['completed', 'failed'].includes(text(update.status))) return [];
  return observeGrokTool({
    agent,
    callId,
    tool: call.name,
    input: call.input,
    result: record(update.rawOutput),
    failed: update.status === 'failed',
    cwd,
    inTurn: { turn },
  }).filter(({ kind }) => kind !== 'read');
}

export const grokTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readGrokSession,
  root: ({ state }) => join(state, 'sessions'),
  find: (root) => findJsonLines(root, 2, /^updates\.jsonl$/, (_value, file) => cwdOf(file)),
};
