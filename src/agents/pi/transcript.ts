import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, list, record, text } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import { ranCommand } from '../tool-observations.ts';
import {
  answerRecord,
  compactionRecord,
  firstRecord,
  promptRecord,
  recordsOf,
  type SessionReading,
  textIn,
  titleRecord,
  usageRecord,
} from '../transcript-messages.ts';
import { findJsonLines, jsonLines, type TranscriptSource } from '../transcript-source.ts';
import { observePiTool } from './tools.ts';

/**
 * Reads a session file of Pi. Entries form a tree, and an entry belongs to the turn of its parent. Abandoned branches
 * are recorded too. Entry ids are short, so the timestamp is added to make them unique.
 */
const agent = 'pi';

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

interface Reading extends Omit<SessionReading, 'agent' | 'calls'> {
  /**
   * Time before which entries of a forked session are copies. They are skipped, because the original transcript still
   * exists and records them.
   */
  copiedBefore: string;
  turnOf: Map<string, string>;
  /** What the user typed, if the next prompt has the text of a template or a skill instead, by the entry before it. */
  typedAt: Map<string, string>;
  calls: Map<string, Json>;
}

const readPiSession = recordsOf((file, turn, redact) => {
  const header = firstRecord(file);
  const origin = text(header.parentSession);
  const copiedBefore = origin !== '' && existsSync(origin) ? text(header.timestamp) : '';
  const [session, cwd] = [text(header.id), text(header.cwd)];
  const maps = {
    turnOf: recentEntries<string>(),
    typedAt: recentEntries<string>(),
    calls: recentEntries<Json>(),
  };
  const reading: Reading = { session, cwd, copiedBefore, turn, ...maps, redact };
  return {
    read(value) {
      const observations = readEntry(value, reading);
      const type = text(value.type);
      const isKnown = type === 'message' || type === 'compaction' || ignoredTypes.has(type);
      return isKnown ? observations : undefined;
    },
    common: (value) => ({ at: text(value.timestamp), agentSession: session, cwd }),
  };
});

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
  const isOwn = value.type === 'custom' && value.customType === 'backstory';
  const typed = isOwn ? text(record(value.data).typed) : reading.typedAt.get(text(value.parentId));
  if (value.type === 'message') return readMessage(message, key, turn, reading, isPrompt ? typed : undefined);
  if (typed !== undefined) reading.typedAt.set(id, typed);
  if (value.type === 'session_info')
    return titleRecord({ ...reading, agent, turn }, key, { title: text(value.name), by: 'rename' });
  return value.type === 'compaction' ? compactionRecord(agent, key, turn) : [];
}

function readMessage(
  message: Json,
  id: string,
  turn: string,
  reading: Reading,
  content = textIn(message.content),
): Observation[] {
  const said = { ...reading, agent, turn, id, text: content } as const;
  switch (message.role) {
    case 'user':
      return promptRecord(said);
    case 'assistant':
      return [
        ...answerRecord(said),
        ...usageRecord(
          { ...said, model: message.model },
          message.usage,
          record(record(message.usage).cost).total,
        ),
      ];
    case 'toolResult':
      return observePiTool({
        agent,
        tool: text(message.toolName),
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
      const call = { agent, callId: id, tool: '', inTurn: { turn } } as const;
      const ended = { output: text(message.output), exit, failed: exit !== 0 };
      return [ranCommand(call, text(message.command), ended)];
    }
    default:
      return [];
  }
}

export const piTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readPiSession,
  root: ({ state }) => join(state, 'sessions'),
  find: (root) => findJsonLines(root, 1),
};
