import { join } from 'node:path';
import { record, text } from '../../base/json.ts';
import type { Subagent } from '../../domain/event.ts';
import type { Observation, TranscriptCursor, TranscriptStep } from '../agent.ts';
import { recordId } from '../provisional-ids.ts';
import {
  answerRecord,
  type Message,
  promptRecord,
  recordTime,
  titleRecord,
  usageRecord,
} from '../transcript-messages.ts';
import type { TranscriptFile, TranscriptSource } from '../transcript-source.ts';
import { type OpenCodeDatabase, type OpenCodeRow, type OpenCodeSession, openOpenCode } from './database.ts';
import { type OpenCodeAgent, observeOpenCodeTool, openCodePrompt } from './tools.ts';

/**
 * Reads one session from OpenCode's database. Its name is `<database>#<session id>`. Offsets are message times. Only
 * finished parts are read; an unfinished turn is read again later.
 */

/** Parts that are not recorded: reasoning, steps, and OpenCode's own bookkeeping. */
const ignoredTypes = new Set([
  'reasoning',
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'file',
  'agent',
  'subtask',
  'retry',
]);

const openCodeName = (database: string, session: string): string => `${database}#${session}`;

/** Splits a transcript name into database and session; returns undefined if the name has another format. */
function parseOpenCodeName(name: string): { database: string; session: string } | undefined {
  const match = /^(.*[\\/](?:opencode|kilo)\.db)#(ses_\w+)$/.exec(name);
  return match === null ? undefined : { database: match[1] as string, session: match[2] as string };
}

function withSession<T>(
  name: string,
  use: (database: OpenCodeDatabase, session: OpenCodeSession) => T,
): T | undefined {
  const where = parseOpenCodeName(name);
  const database = where === undefined ? undefined : openOpenCode(where.database);
  if (where === undefined || database === undefined) return undefined;
  try {
    const session = database.session(where.session);
    return session === undefined ? undefined : use(database, session);
  } finally {
    database.close();
  }
}

const openCodeStamp = (name: string): string | undefined =>
  withSession(name, (database, { id }) => database.stamp(id));

/** Subagents are separate sessions that refer to their parent. */
const openCodeSubagents = (name: string): string[] =>
  withSession(name, (database, { id }) => {
    const file = (parseOpenCodeName(name) as { database: string }).database;
    return descendants(database, id).map((child) => openCodeName(file, child));
  }) ?? [];

const descendants = (database: OpenCodeDatabase, id: string): string[] =>
  database.children(id).flatMap((child) => [child, ...descendants(database, child)]);

/** How OpenCode calls a session for which it has no title yet. */
const untitled = 'New session - ';

interface Reading {
  agent: OpenCodeAgent;
  /** The top-level session: for a subagent, the session that started it. */
  main: string;
  session: OpenCodeSession;
  subagent: Subagent | undefined;
  turn: string;
  lastPrompt: string;
  /** The previous user message was a compaction. */
  isAfterCompaction: boolean;
  redact(words: string): string;
}

function* readSession(
  agent: OpenCodeAgent,
  name: string,
  displayName: string,
  from: TranscriptCursor,
  redact: (words: string) => string,
): Generator<TranscriptStep> {
  const where = parseOpenCodeName(name);
  const database = where === undefined ? undefined : openOpenCode(where.database);
  if (where === undefined || database === undefined) return;
  try {
    const session = database.session(where.session);
    if (session === undefined) return;
    const isSubagent = session.parent !== '';
    const reading: Reading = {
      agent,
      main: isSubagent ? mainOf(database, session) : session.id,
      session,
      subagent: isSubagent ? { id: session.id, type: session.agent } : undefined,
      turn: from.turn,
      lastPrompt: '',
      isAfterCompaction: false,
      redact,
    };
    const { title } = session;
    const named = { title: isSubagent || title.startsWith(untitled) ? '' : title, by: 'agent' } as const;
    const common = { at: recordTime(session.updated), agentSession: session.id, cwd: session.directory };
    const source = { file: displayName, offset: from.offset };
    yield {
      observations: titleRecord({ ...reading, session: session.id }, title, named).map((each) => ({
        ...each,
        ...common,
        source,
      })),
      end: from.offset,
    };
    for (const message of database.messages(session.id, from.offset)) {
      yield* readMessage(message, database, reading, displayName);
    }
  } finally {
    database.close();
  }
}

function mainOf(database: OpenCodeDatabase, session: OpenCodeSession): string {
  const parent = database.session(session.parent);
  return parent === undefined || parent.parent === '' ? session.parent : mainOf(database, parent);
}

function* readMessage(
  message: OpenCodeRow,
  database: OpenCodeDatabase,
  reading: Reading,
  displayName: string,
): Generator<TranscriptStep> {
  const { value } = message;
  const { session } = reading;
  reading.turn = (value.role === 'user' ? message.id : text(value.parentID)) || reading.turn;
  const time = record(value.time);
  // A fork copies messages with new ids but the old times. Copies are skipped, because they are recorded from the
  // original session.
  const isCopy = typeof time.created === 'number' && time.created < session.created;
  const parts = isCopy ? [] : database.parts(message.id);
  const common = {
    at: recordTime(message.created),
    agentSession: reading.main,
    agentVersion: session.version,
    cwd: text(record(value.path).cwd) || session.directory,
    source: { file: displayName, offset: message.created },
  };
  for (const part of parts) {
    const type = text(part.value.type);
    const isKnown = ['text', 'tool', 'compaction'].includes(type) || ignoredTypes.has(type);
    const observations = readPart(part, message, common.cwd, reading);
    yield {
      observations: observations.map((observation) => ({ ...observation, ...common })),
      end: message.created,
      ...(isKnown ? {} : { unknown: `part ${type}` }),
    };
  }
  if (value.role === 'assistant' && !isCopy) {
    const { agent, turn, subagent } = reading;
    const { cache, ...tokens } = record(value.tokens);
    const { read: cacheRead, write: cacheWrite } = record(cache);
    const answered = { agent, id: message.id, model: value.modelID, turn, subagent };
    const used = usageRecord(answered, { ...tokens, cacheRead, cacheWrite }, value.cost);
    yield { observations: used.map((each) => ({ ...each, ...common })), end: message.created };
  }
  const hasCompaction = parts.some((part) => part.value.type === 'compaction');
  if (value.role === 'user') reading.isAfterCompaction = hasCompaction;
}

function readPart(part: OpenCodeRow, message: OpenCodeRow, cwd: string, reading: Reading): Observation[] {
  const { value } = part;
  const inTurn = {
    turn: reading.turn,
    ...(reading.subagent === undefined ? {} : { subagent: reading.subagent }),
  };
  switch (value.type) {
    case 'compaction': {
      const body = { ...inTurn, trigger: value.auto === true ? 'auto' : 'manual' };
      return [{ kind: 'compaction', id: recordId(reading.agent, part.id), origin: 'system', trust: 1, body }];
    }
    case 'text': {
      const said = { ...reading, session: reading.main, id: part.id, text: text(value.text) };
      return message.value.role === 'user'
        ? readPrompt(part, said, reading)
        : readAnswer(part, message, said);
    }
    case 'tool': {
      const state = record(value.state);
      if (state.status !== 'completed' && state.status !== 'error') return [];
      return observeOpenCodeTool({
        agent: reading.agent,
        tool: text(value.tool),
        callId: text(value.callID),
        input: record(state.input),
        details: record(state.metadata),
        output: text(state.output) || text(state.error),
        failed: state.status === 'error',
        cwd,
        inTurn,
      });
    }
    default:
      return [];
  }
}

function readPrompt(part: OpenCodeRow, said: Message, reading: Reading): Observation[] {
  // Synthetic text was not typed by the user: it is the context that Backstory injected, or OpenCode's own message
  // after a compaction.
  if (part.value.synthetic === true || part.value.ignored === true) return [];
  const words = openCodePrompt(part.value);
  // After a compaction in the middle of a turn, OpenCode repeats the prompt.
  if (reading.isAfterCompaction && words === reading.lastPrompt) return [];
  const prompt = promptRecord({ ...said, text: words });
  if (prompt.length > 0) reading.lastPrompt = words;
  return prompt;
}

function readAnswer(part: OpenCodeRow, message: OpenCodeRow, said: Message): Observation[] {
  const isFinished =
    record(part.value.time).end !== undefined || record(message.value.time).completed !== undefined;
  // A compaction summary is not recorded, because it only repeats recorded events.
  return isFinished && message.value.summary !== true ? answerRecord(said) : [];
}

/** All top-level sessions. They are in one database, so the size of a single session is unknown and reported as 0. */
function findSessions(file: string): TranscriptFile[] {
  const database = openOpenCode(file);
  if (database === undefined) return [];
  try {
    return database
      .sessions()
      .filter(({ parent }) => parent === '')
      .map(({ id, directory, updated }) => ({
        file: openCodeName(file, id),
        bytes: 0,
        changed: updated,
        cwd: directory,
      }));
  } finally {
    database.close();
  }
}

export const openCodeTranscriptsOf = (agent: OpenCodeAgent): TranscriptSource => ({
  read: (name, displayName, from, redact) => readSession(agent, name, displayName, from, redact),
  companions: openCodeSubagents,
  fileOf: (name) => parseOpenCodeName(name)?.database,
  stamp: openCodeStamp,
  root: ({ state }) => state,
  find: (root) => findSessions(join(root, `${agent}.db`)),
});
