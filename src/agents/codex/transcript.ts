import { join, resolve } from 'node:path';
import { type Json, list, record, text } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { compactionId, recordId } from '../provisional-ids.ts';
import { type Edited, editedFile, ranCommand, usedTool } from '../tool-observations.ts';
import {
  answerRecord,
  firstRecord,
  type Message,
  promptRecord,
  recordsOf,
  type SessionReading,
  titleRecord,
  usageRecord,
} from '../transcript-messages.ts';
import { findJsonLines, jsonLines, type TranscriptSource } from '../transcript-source.ts';

const agent = 'codex';

/**
 * Reads a rollout, the transcript of a Codex session. It uses the records of completed items: unlike the model's raw
 * messages, they contain no injected context, no prelude and no compaction summary. Rollouts of older Codex versions
 * have user_message and agent_message events instead.
 */
const readCodexRollout = recordsOf((file, turn, redact) => {
  // The session's data is only in the first line of the file, even if reading continues further down.
  const meta = record(firstRecord(file).payload);
  const reading: Reading = {
    session: text(meta.id),
    cwd: text(meta.cwd),
    turn,
    model: '',
    total: undefined,
    redact,
  };
  return {
    read: (value, offset) =>
      knownTypes.has(text(value.type)) ? readRecord(value, reading, offset) : undefined,
    common: (value) => ({
      at: text(value.timestamp),
      agentSession: reading.session,
      agentVersion: text(meta.cli_version),
      branch: text(record(meta.git).branch),
      cwd: reading.cwd,
    }),
  };
});

/**
 * Record types of a Codex transcript. Only `event_msg` and `turn_context` are read; the others repeat them or contain
 * nothing that Backstory keeps.
 */
const knownTypes = new Set([
  'event_msg',
  'turn_context',
  'session_meta',
  'response_item',
  'compacted',
  'world_state',
  'token_usage_record',
]);

interface Reading extends Omit<SessionReading, 'agent' | 'calls'> {
  /** The model of the current turn. */
  model: string;
  /** Tokens of the session, as last reported. */
  total: string | undefined;
}

function readRecord(value: Json, reading: Reading, offset: number): Observation[] {
  const payload = record(value.payload);
  if (value.type === 'turn_context') {
    reading.turn = text(payload.turn_id) || reading.turn;
    reading.cwd = text(payload.cwd) || reading.cwd;
    reading.model = text(payload.model) || reading.model;
    // Read again with the turn, this record says which model the rest of the turn uses.
    const { turn, model } = reading;
    return usageRecord({ agent, id: `model of ${turn}`, model, turn }, {});
  }
  if (value.type !== 'event_msg') return [];
  reading.turn = text(payload.turn_id) || reading.turn;
  const fallbackId = `${reading.session}:${value.ordinal ?? offset}`;
  switch (payload.type) {
    case 'item_completed':
      return readItem(record(payload.item), reading);
    case 'user_message':
      return promptRecord(messageOf(text(payload.message), fallbackId, reading));
    case 'agent_message':
      return answerRecord(messageOf(text(payload.message), fallbackId, reading));
    case 'thread_name_updated':
      return titleRecord({ ...reading, agent }, fallbackId, {
        title: text(payload.thread_name),
        by: 'rename',
      });
    case 'token_count': {
      const info = record(payload.info);
      const total = JSON.stringify(info.total_token_usage);
      // Codex repeats a report, after a compaction with other numbers. The total of the session is then the same.
      if (total === reading.total) return [];
      reading.total = total;
      const { session, turn, model } = reading;
      return usageRecord({ agent, id: `${session} ${total}`, model, turn }, info.last_token_usage);
    }
    default:
      return [];
  }
}

function readItem(item: Json, reading: Reading): Observation[] {
  const id = text(item.id);
  const message = list(item.content)
    .map((part) => text(record(part).text))
    .join('\n');
  switch (item.type) {
    case 'UserMessage':
      return promptRecord(messageOf(message, id, reading));
    case 'AgentMessage':
      return answerRecord(messageOf(message, id, reading));
    case 'CommandExecution':
      return [readCommand(item, id, reading)];
    case 'FileChange':
      return readChanges(item, id, reading);
    case 'McpToolCall': {
      const tool = `mcp__${text(item.server)}__${text(item.tool)}`;
      const call = { agent, callId: id, tool, inTurn: { turn: reading.turn } } as const;
      return [usedTool(call, item.status === 'completed')];
    }
    case 'ContextCompaction': {
      const supersedes = [compactionId(agent, reading.session, reading.turn)];
      const body = { turn: reading.turn, trigger: 'transcript', supersedes };
      return [{ kind: 'compaction', id: recordId(agent, id), origin: 'system', trust: 1, body }];
    }
    default:
      return [];
  }
}

const messageOf = (words: string, id: string, reading: Reading): Message => ({
  ...reading,
  agent,
  hookTurn: reading.turn,
  id,
  text: words,
});

function readCommand(item: Json, callId: string, { turn }: Reading): Observation {
  const exit = typeof item.exit_code === 'number' ? item.exit_code : undefined;
  const failed = exit === undefined && item.status !== 'completed';
  const call = { agent, callId, tool: '', inTurn: { turn } } as const;
  const output = text(item.aggregated_output);
  return ranCommand(call, commandLine(list(item.command).map(text)), { output, exit, failed });
}

/** Codex wraps the model's command in a login shell. Returns the command without the shell. */
const commandLine = (words: string[]): string =>
  words.length === 3 && /^-l?c$/.test(words[1] ?? '') ? (words[2] as string) : words.join(' ');

function readChanges(item: Json, callId: string, reading: Reading): Observation[] {
  if (item.status !== 'completed') return [];
  return Object.entries(record(item.changes)).map(([path, value]) => {
    const change = record(value);
    const target = text(change.move_path) || path;
    const call = { agent, callId, tool: 'apply_patch', inTurn: { turn: reading.turn } } as const;
    return editedFile(call, resolve(reading.cwd, target), editOf(change), change.type === 'add');
  });
}

function editOf(change: Json): Edited {
  const content = text(change.content);
  if (change.type === 'add') return { kind: 'written', text: content };
  if (change.type === 'delete')
    return { kind: 'replaced', pairs: [{ before: content.replace(/\n$/, ''), after: '' }] };
  return { kind: 'diff', diff: text(change.unified_diff) };
}

export const codexTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readCodexRollout,
  root: ({ state }) => join(state, 'sessions'),
  find: (root) => findJsonLines(root, 3, /^rollout-.*\.jsonl$/, (value) => text(record(value.payload).cwd)),
  originOf: (name) => ({ commit: text(record(record(firstRecord(name).payload).git).commit_hash) }),
};
