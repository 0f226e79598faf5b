import { basename, dirname, join } from 'node:path';
import { type Json, record, text, whole } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import {
  answerRecord,
  observeResult,
  promptRecord,
  recordsOf,
  recordTime,
  type SessionReading,
  titleRecord,
  usageRecord,
} from '../transcript-messages.ts';
import { findFiles, jsonLines, type TranscriptSource } from '../transcript-source.ts';
import { observeGrokTool } from './tools.ts';

/** Reads a session of Grok Build: updates of the Agent Client Protocol, one per line. */
const agent = 'grok';

const readGrokSession = recordsOf((file, turn, redact) => {
  const reading: SessionReading = {
    agent,
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
  'usage_update',
  'config_option_update',
  'hook_execution',
  'hook_annotation',
];

function readUpdate(params: Json, reading: SessionReading): Observation[] | undefined {
  const update = record(params.update);
  const type = text(update.sessionUpdate);
  const id = text(record(params._meta).eventId);
  const message = { ...reading, id, text: text(record(update.content).text) };
  switch (type) {
    case 'user_message_chunk': {
      const prompt = promptRecord({ ...message, turn: id });
      if (prompt.length > 0) reading.turn = id;
      return prompt;
    }
    case 'agent_message_chunk':
      return answerRecord(message);
    case 'session_info_update':
    case 'session_summary_generated':
      return titleRecord(reading, id, {
        title: text(update.title) || text(update.session_summary),
        by: 'agent',
      });
    case 'tool_call': {
      const tool = record(record(update._meta)['x.ai/tool']);
      const name = text(tool.name) || text(update.title);
      reading.calls.set(text(update.toolCallId), { name, input: record(update.rawInput) });
      return [];
    }
    case 'tool_call_update':
      if (!['completed', 'failed'].includes(text(update.status))) return [];
      return observeResult(reading, text(update.toolCallId), observeGrokTool, {
        result: record(update.rawOutput),
        failed: update.status === 'failed',
      });
    case 'turn_completed':
      return Object.entries(record(record(update.usage).modelUsage)).flatMap(([model, used]) =>
        usageRecord({ ...reading, id: `${id} ${model}`, model }, used),
      );
    default:
      return ignoredTypes.includes(type) ? [] : undefined;
  }
}

export const grokTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readGrokSession,
  root: ({ state }) => join(state, 'sessions'),
  find: (root) => findFiles(root, 2, /^updates\.jsonl$/, cwdOf),
};
