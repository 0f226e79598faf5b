import { isoTime } from '../base/clock.ts';
import { type Json, parseObject } from '../base/json.ts';
import { readLines } from '../base/lines.ts';
import type { AgentName, Subagent } from '../domain/event.ts';
import type { Observation, TranscriptCursor, TranscriptStep } from './agent.ts';
import { stripOwnText, typedPrompt } from './prompt-text.ts';
import { answerScope, provisionalAnswer, provisionalPrompt, recordId } from './provisional-ids.ts';

/**
 * Longer lines of a transcript are skipped: they are large tool outputs, of which the hook has already recorded a part.
 */
const maxRecordBytes = 16 * 1024 * 1024;

/**
 * Reads a transcript of JSON lines from a cursor. `read` converts one record; it returns undefined for a record of a
 * type that it does not know, and `typeOf` names that type.
 */
export function* readRecords(
  file: string,
  displayFile: string,
  from: TranscriptCursor,
  read: (value: Json, offset: number) => Observation[] | undefined,
  typeOf: (value: Json) => string,
): Generator<TranscriptStep> {
  for (const line of readLines(file, from.offset, { maxLineBytes: maxRecordBytes })) {
    const value = line.bytes === undefined ? undefined : parseObject(line.bytes.toString('utf8'));
    const observations = value === undefined ? [] : read(value, line.offset);
    yield {
      observations: (observations ?? []).map((observation) => ({
        ...observation,
        source: { file: displayFile, offset: line.offset },
      })),
      end: line.end,
      ...(observations === undefined && value !== undefined ? { unknown: typeOf(value) } : {}),
    };
  }
}

/** Returns the first record of a transcript, which describes the session. */
export function firstRecord(file: string): Json {
  for (const line of readLines(file, 0, { maxLineBytes: maxRecordBytes }))
    return (line.bytes && parseObject(line.bytes.toString('utf8'))) ?? {};
  return {};
}

/** What is known while a session's transcript is read. */
export interface SessionReading {
  session: string;
  cwd: string;
  /** The current turn. */
  turn: string;
  /** Tool calls by id, until their results are read. */
  calls: Map<string, { name: string; input: Json }>;
  redact(words: string): string;
}

/** The time of a record in ISO form; '' if the number is outside the range of dates. */
export const recordTime = (ms: number): string => (ms > 0 && ms <= maxDateMs ? isoTime(ms) : '');
const maxDateMs = 8.64e15;

export const compactionRecord = (agent: AgentName, id: string, turn: string): Observation[] => [
  {
    kind: 'compaction',
    id: recordId(agent, id),
    origin: 'system',
    trust: 1,
    body: { turn, trigger: 'transcript' },
  },
];

/** A message of a transcript. Its hook event, if there was one, had no turn, so its id depends on session and text. */
export interface Message {
  agent: AgentName;
  session: string;
  turn: string;
  subagent?: Subagent;
  /** The agent's own id of the record. */
  id: string;
  text: string;
}

export function promptRecord(message: Message, redact: (words: string) => string): Observation[] {
  const { agent, session, turn, subagent, id, text } = message;
  const words = typedPrompt(text);
  if (words === undefined) return [];
  const clean = redact(words);
  const common = { kind: 'prompt' as const, id: recordId(agent, id), isRedacted: true as const };
  if (subagent !== undefined)
    return [{ ...common, origin: 'assistant', trust: 1, body: { turn, subagent, text: clean } }];
  const supersedes = [provisionalPrompt(agent, session, '', clean)];
  return [{ ...common, origin: 'user', trust: 2, body: { turn, text: clean, supersedes } }];
}

export function answerRecord(message: Message, redact: (words: string) => string): Observation[] {
  const { agent, session, turn, subagent, id, text } = message;
  const clean = redact(stripOwnText(text)).trim();
  if (clean === '') return [];
  const supersedes = [provisionalAnswer(agent, answerScope(session, subagent?.id), '', clean)];
  const body = { turn, ...(subagent === undefined ? {} : { subagent }), text: clean, supersedes };
  return [{ kind: 'answer', id: recordId(agent, id), isRedacted: true, origin: 'assistant', trust: 1, body }];
}
