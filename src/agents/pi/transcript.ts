import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, list, parseObject, record, text } from '../../base/json.ts';
import { readLines } from '../../base/lines.ts';
import type { Observation, TranscriptCursor, TranscriptStep } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import { endOfOutput, stripOwnText, typedPrompt } from '../prompt-text.ts';
import { provisionalAnswer, provisionalPrompt, recordId } from '../provisional-ids.ts';
import { findJsonLines, jsonLines, type TranscriptSource } from '../transcript-source.ts';
import { observePiTool } from './tools.ts';

/**
 * Reads a session file of Pi. Entries form a tree, and an entry belongs to the turn of its parent. Abandoned branches
 * are recorded too. Entry ids are short, so the timestamp is added to make them unique.
 */
const agent = 'pi';
const maxRecordBytes = 16 * 1024 * 1024;

/** Types of entries that are not recorded. Backstory's own injected context is a custom_message. */
const ignoredTypes = new Set([
  'session',
  'model_change',
  'thinking_level_change',
  'usage',
  'context_edit',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
  'session_info',
]);

interface Reading {
  session: string;
  cwd: string;
  /**
   * Time before which entries of a forked session are copies. They are skipped, because the original transcript still
   * exists and records them.
   */
  copiedBefore: string;
  turn: string;
  turnOf: Map<string, string>;
  calls: Map<string, Json>;
  redact(words: string): string;
}

function* readPiSession(
  file: string,
  displayFile: string,
  from: TranscriptCursor,
  redact: (words: string) => string,
): Generator<TranscriptStep> {
  const reading: Reading = {
    ...headerOf(file),
    turn: from.turn,
    turnOf: recentEntries(),
    calls: recentEntries(),
    redact,
  };
  for (const line of readLines(file, from.offset, { maxLineBytes: maxRecordBytes })) {
    const value = line.bytes === undefined ? undefined : parseObject(line.bytes.toString('utf8'));
    const observations = value === undefined ? [] : readEntry(value, reading);
    const type = text(value?.type);
    const isKnown = type === 'message' || type === 'compaction' || ignoredTypes.has(type);
    yield {
      observations: observations.map((observation) => ({
        ...observation,
        at: text(value?.timestamp),
        agentSession: reading.session,
        cwd: reading.cwd,
        source: { file: displayFile, offset: line.offset },
      })),
      end: line.end,
      ...(isKnown || value === undefined ? {} : { unknown: type }),
    };
  }
}

function headerOf(file: string) {
  for (const line of readLines(file, 0, { maxLineBytes: maxRecordBytes })) {
    const header = parseObject(line.bytes?.toString('utf8') ?? '') ?? {};
    const origin = text(header.parentSession);
    const copiedBefore = origin !== '' && existsSync(origin) ? text(header.timestamp) : '';
    return { session: text(header.id), cwd: text(header.cwd), copiedBefore };
  }
  return { session: '', cwd: '', copiedBefore: '' };
}

function readEntry(value: Json, reading: Reading): Observation[] {
  const id = text(value.id);
  if (id === '' || value.type === 'session') return [];
  const message = record(value.message);
  const isPrompt = value.type === 'message' && message.role === 'user';
  const key = `${id}:${text(value.timestamp)}`;
  const turn = isPrompt ? key : (reading.turnOf.get(text(value.parentId)) ?? reading.turn);
  reading.turnOf.set(id, turn);
  reading.turn = turn;
  for (const block of list(message.content).map(record)) {
    if (block.type === 'toolCall') reading.calls.set(text(block.id), record(block.arguments));
  }
  if (text(value.timestamp) < reading.copiedBefore) return [];
  const native = recordId(agent, key);
  if (value.type === 'compaction') {
    const body = { turn, trigger: 'transcript' };
    return [{ kind: 'compaction', id: native, origin: 'system', trust: 1, body }];
  }
  return value.type === 'message' ? readMessage(message, native, turn, reading) : [];
}

function readMessage(message: Json, id: string, turn: string, reading: Reading): Observation[] {
  const content = textOf(message.content);
  switch (message.role) {
    case 'user': {
      const words = typedPrompt(content);
      if (words === undefined) return [];
      const clean = reading.redact(words);
      const body = { turn, text: clean, supersedes: [provisionalPrompt(agent, reading.session, '', clean)] };
      return [{ kind: 'prompt', id, isRedacted: true, origin: 'user', trust: 2, body }];
    }
    case 'assistant': {
      const clean = reading.redact(stripOwnText(content)).trim();
      if (clean === '') return [];
      const body = { turn, text: clean, supersedes: [provisionalAnswer(agent, reading.session, '', clean)] };
      return [{ kind: 'answer', id, isRedacted: true, origin: 'assistant', trust: 1, body }];
    }
    case 'toolResult':
      return observePiTool({
        name: text(message.toolName),
        callId: text(message.toolCallId),
        input: reading.calls.get(text(message.toolCallId)) ?? {},
        details: record(message.details),
        output: content,
        failed: message.isError === true,
        cwd: reading.cwd,
        inTurn: { turn },
      });
    case 'bashExecution': {
      // A command that the user typed with a leading `!`.
      const exit = typeof message.exitCode === 'number' ? message.exitCode : undefined;
      const body = {
        turn,
        command: text(message.command),
        ok: exit === 0,
        ...(exit === undefined ? {} : { exit }),
        ...endOfOutput(text(message.output)),
      };
      return [{ kind: 'command', id, origin: 'tool', trust: 0, body }];
    }
    default:
      return [];
  }
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map(record)
        .filter((block) => block.type === 'text')
        .map((block) => text(block.text))
        .join('\n');

export const piTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readPiSession,
  root: ({ state }) => join(state, 'sessions'),
  find: (root) => findJsonLines(root, 1),
};
