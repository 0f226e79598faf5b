import { join, resolve } from 'node:path';
import { type Json, list, parseObject, record, text } from '../../base/json.ts';
import { readLines } from '../../base/lines.ts';
import type { EditHunk } from '../../domain/event.ts';
import type { Observation, TranscriptCursor, TranscriptStep } from '../agent.ts';
import { readUnifiedDiff, wholeFileHunk } from '../apply-patch.ts';
import { endOfOutput, stripOwnText, typedPrompt } from '../prompt-text.ts';
import {
  answerScope,
  compactionId,
  editId,
  provisionalAnswer,
  provisionalPrompt,
  recordId,
} from '../provisional-ids.ts';
import { findJsonLines, jsonLines, type TranscriptSource } from '../transcript-source.ts';

const agent = 'codex';
const maxRecordBytes = 16 * 1024 * 1024;

/**
 * Reads a rollout, the transcript of a Codex session. It uses the records of completed items: unlike the model's raw
 * messages, they contain no injected context, no prelude (Backstory's text at the session start) and no compaction
 * summary. Rollouts of older Codex versions have user_message and agent_message events instead.
 */
function* readCodexRollout(
  file: string,
  displayFile: string,
  from: TranscriptCursor,
  redact: (words: string) => string,
): Generator<TranscriptStep> {
  const reading: Reading = { ...sessionOf(file), turn: from.turn, redact };
  for (const line of readLines(file, from.offset, { maxLineBytes: maxRecordBytes })) {
    const value = line.bytes === undefined ? undefined : parseObject(line.bytes.toString('utf8'));
    const observations = value === undefined ? [] : readRecord(value, reading, line.offset);
    yield {
      observations: observations.map((observation) => ({
        ...observation,
        at: text(value?.timestamp),
        agentSession: reading.session,
        agentVersion: reading.version,
        branch: reading.branch,
        cwd: reading.cwd,
        source: { file: displayFile, offset: line.offset },
      })),
      end: line.end,
      ...(value === undefined || knownTypes.has(text(value.type)) ? {} : { unknown: text(value.type) }),
    };
  }
}

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

interface Reading {
  session: string;
  version: string;
  branch: string;
  cwd: string;
  turn: string;
  redact(words: string): string;
}

/** Returns the session's data, which is only in the first line of the file, even if reading continues further down. */
function sessionOf(file: string) {
  for (const line of readLines(file, 0, { maxLineBytes: maxRecordBytes })) {
    const meta = record(parseObject(line.bytes?.toString('utf8') ?? '')?.payload);
    return {
      session: text(meta.id),
      version: text(meta.cli_version),
      branch: text(record(meta.git).branch),
      cwd: text(meta.cwd),
    };
  }
  return { session: '', version: '', branch: '', cwd: '' };
}

function readRecord(value: Json, reading: Reading, offset: number): Observation[] {
  const payload = record(value.payload);
  if (value.type === 'turn_context') {
    reading.turn = text(payload.turn_id) || reading.turn;
    reading.cwd = text(payload.cwd) || reading.cwd;
  }
  if (value.type !== 'event_msg') return [];
  reading.turn = text(payload.turn_id) || reading.turn;
  const fallbackId = `${reading.session}:${value.ordinal ?? offset}`;
  switch (payload.type) {
    case 'item_completed':
      return readItem(record(payload.item), reading);
    case 'user_message':
      return readPrompt(text(payload.message), fallbackId, reading);
    case 'agent_message':
      return readAnswer(text(payload.message), fallbackId, reading);
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
      return readPrompt(message, id, reading);
    case 'AgentMessage':
      return readAnswer(message, id, reading);
    case 'CommandExecution':
      return [readCommand(item, id, reading)];
    case 'FileChange':
      return readChanges(item, id, reading);
    case 'McpToolCall': {
      const tool = `mcp__${text(item.server)}__${text(item.tool)}`;
      const body = { turn: reading.turn, tool, ok: item.status === 'completed' };
      return [{ kind: 'tool', id: recordId(agent, id), origin: 'tool', trust: 1, body }];
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

function readPrompt(raw: string, nativeId: string, reading: Reading): Observation[] {
  const words = typedPrompt(raw);
  if (words === undefined) return [];
  const clean = reading.redact(words);
  const supersedes = [provisionalPrompt(agent, reading.session, reading.turn, clean)];
  const body = { turn: reading.turn, text: clean, supersedes };
  return [
    { kind: 'prompt', id: recordId(agent, nativeId), isRedacted: true, origin: 'user', trust: 2, body },
  ];
}

function readAnswer(raw: string, nativeId: string, reading: Reading): Observation[] {
  const clean = reading.redact(stripOwnText(raw)).trim();
  if (clean === '') return [];
  const scope = answerScope(reading.session, undefined);
  const supersedes = [provisionalAnswer(agent, scope, reading.turn, clean)];
  const body = { turn: reading.turn, text: clean, supersedes };
  return [
    { kind: 'answer', id: recordId(agent, nativeId), isRedacted: true, origin: 'assistant', trust: 1, body },
  ];
}

function readCommand(item: Json, nativeId: string, reading: Reading): Observation {
  const exit = typeof item.exit_code === 'number' ? item.exit_code : undefined;
  const body = {
    turn: reading.turn,
    command: commandLine(list(item.command).map(text)),
    ok: exit === undefined ? item.status === 'completed' : exit === 0,
    ...(exit === undefined ? {} : { exit }),
    ...endOfOutput(text(item.aggregated_output)),
  };
  return { kind: 'command', id: recordId(agent, nativeId), origin: 'tool', trust: 0, body };
}

/** Codex wraps the model's command in a login shell. Returns the command without the shell. */
const commandLine = (words: string[]): string =>
  words.length === 3 && /^-l?c$/.test(words[1] ?? '') ? (words[2] as string) : words.join(' ');

function readChanges(item: Json, callId: string, reading: Reading): Observation[] {
  if (item.status !== 'completed') return [];
  return Object.entries(record(item.changes)).map(([path, value]) => {
    const change = record(value);
    const target = text(change.move_path) || path;
    const absolute = resolve(reading.cwd, target);
    const created = change.type === 'add';
    const body = { turn: reading.turn, tool: 'apply_patch', path: absolute, ...(created ? { created } : {}) };
    const id = editId(agent, callId, absolute);
    return { kind: 'edit', id, origin: 'tool', trust: 1, body: { ...body, hunks: hunksOf(change) } };
  });
}

function hunksOf(change: Json): EditHunk[] {
  if (change.type === 'add') return [wholeFileHunk(text(change.content), 'added')];
  if (change.type === 'delete') return [wholeFileHunk(text(change.content), 'removed')];
  return readUnifiedDiff(text(change.unified_diff));
}

export const codexTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readCodexRollout,
  root: ({ state }) => join(state, 'sessions'),
  find: (root) => findJsonLines(root, 3, /^rollout-.*\.jsonl$/, (value) => text(record(value.payload).cwd)),
};
