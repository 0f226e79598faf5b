import { isoTime } from '../base/clock.ts';
import { type Json, list, parseObject, record, text, whole } from '../base/json.ts';
import { readLines } from '../base/lines.ts';
import type { AgentName, SessionName, Subagent } from '../domain/event.ts';
import type { Usage } from '../domain/usage.ts';
import type { Observation } from './agent.ts';
import { stripOwnText, typedPrompt } from './prompt-text.ts';
import { answerScope, provisionalAnswer, provisionalPrompt, recordId } from './provisional-ids.ts';
import type { FinishedCall } from './tool-observations.ts';
import type { TranscriptSource } from './transcript-source.ts';

/**
 * Longer lines of a transcript are skipped: they are large tool outputs, of which the hook has already recorded a part.
 */
const maxRecordBytes = 16 * 1024 * 1024;

export interface RecordReader {
  /** Undefined for a record of a type that the reader does not know. */
  read(value: Json, offset: number): Observation[] | undefined;
  /** The fields that all observations of a record have, after it was read. */
  common(value: Json): Partial<Observation>;
  /** The name of the record's type, if it is not in the field `type`. */
  typeOf?(value: Json): string;
  isRecord?(line: Buffer): boolean;
}

/** Reads transcripts of JSON lines, one record per line. `turn` is the turn at which reading goes on. */
export const recordsOf = (
  open: (file: string, turn: string, redact: (words: string) => string) => RecordReader,
): TranscriptSource['read'] =>
  function* (file, displayFile, from, redact) {
    const reader = open(file, from.turn, redact);
    for (const { bytes, offset, end } of readLines(file, from.offset, { maxLineBytes: maxRecordBytes })) {
      const isRecord = bytes !== undefined && reader.isRecord?.(bytes) !== false;
      const value = isRecord ? parseObject(bytes.toString('utf8')) : undefined;
      const observations = value === undefined ? [] : reader.read(value, offset);
      const common = value === undefined ? {} : reader.common(value);
      yield {
        observations: (observations ?? []).map(
          (observation) =>
            ({ ...observation, ...common, source: { file: displayFile, offset } }) as Observation,
        ),
        end,
        ...(observations === undefined && value !== undefined
          ? { unknown: reader.typeOf?.(value) ?? text(value.type) }
          : {}),
      };
    }
  };

/** The fields that Claude Code's records have, and those of agents that follow it. */
export const claudeFields = (value: Json): Partial<Observation> => ({
  at: text(value.timestamp),
  agentSession: text(value.sessionId),
  agentVersion: text(value.version),
  branch: text(value.gitBranch),
  cwd: text(value.cwd),
});

/** Returns the first record of a transcript, which describes the session. */
export function firstRecord(file: string): Json {
  const [line] = readLines(file, 0, { maxLineBytes: maxRecordBytes });
  return (line?.bytes && parseObject(line.bytes.toString('utf8'))) ?? {};
}

/** What is known while a session's transcript is read. */
export interface SessionReading {
  agent: AgentName;
  session: string;
  cwd: string;
  turn: string;
  calls: Map<string, { name: string; input: Json }>;
  redact(words: string): string;
}

/** The text of a message or of a result: a text, or a list of blocks. Thoughts of the model are left out. */
export const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map(record)
        .filter(({ type, thought }) => [undefined, 'text'].includes(type as undefined) && thought !== true)
        .map((block) => text(block.text))
        .filter((words) => words !== '')
        .join('\n');

/** Remembers the tool calls of a message in the format of Anthropic's API. */
export function startCalls(content: unknown, { calls }: Pick<SessionReading, 'calls'>): void {
  for (const block of list(content).map(record))
    if (block.type === 'tool_use')
      calls.set(text(block.id), { name: text(block.name), input: record(block.input) });
}

/**
 * Observes the result of a tool call whose beginning was read. Reads are left out: the hook records them, because it
 * knows the lines that the agent saw.
 */
export function observeResult<Result extends object>(
  { agent, cwd, turn, calls }: SessionReading,
  callId: string,
  observe: (call: FinishedCall & { input: Json; cwd: string } & Result) => Observation[],
  result: Result,
): Observation[] {
  const call = calls.get(callId);
  if (call === undefined) return [];
  const { name: tool, input } = call;
  return observe({ agent, callId, tool, input, cwd, inTurn: { turn }, ...result }).filter(
    ({ kind }) => kind !== 'read',
  );
}

/** The time of a record in ISO form; '' if the number is outside the range of dates. */
export const recordTime = (ms: number): string => (ms > 0 && ms <= maxDateMs ? isoTime(ms) : '');
const maxDateMs = 8.64e15;

export const compactionRecord = (agent: AgentName, id: string, turn: string): Observation[] => {
  const body = { turn, trigger: 'transcript' };
  return [{ kind: 'compaction', id: recordId(agent, id), origin: 'system', trust: 1, body }];
};

const maxTitleLength = 300;

/** What the transcript calls its session. `id` is the record's own id or place. */
export function titleRecord(
  { agent, session, turn, redact }: Pick<SessionReading, 'agent' | 'session' | 'turn' | 'redact'>,
  id: string | number,
  named: SessionName,
): Observation[] {
  const title = redact(named.title.trim()).slice(0, maxTitleLength);
  if (title === '') return [];
  const body = { turn, ...named, title };
  return [{ kind: 'title', id: recordId(agent, `title ${session} ${id}`), origin: 'system', trust: 1, body }];
}

/** The names that agents give to numbers of tokens. Some count thoughts apart from the other output. */
const tokenNames = {
  input: /^(?:input(?:_tokens|Tokens)?|promptTokenCount|tool)$/,
  output: /^(?:output(?:_tokens|Tokens)?|candidatesTokenCount|thoughts(?:TokenCount)?|reasoning)$/,
  cacheRead:
    /^(?:cache_read_input_tokens|cached_input_tokens|cache_?[rR]ead(?:Tokens)?|cached(?:ReadTokens|ContentTokenCount)?)$/,
  cacheWrite: /^(?:cache_creation_input_tokens|cacheWrite(?:Tokens)?|cacheCreationTokens)$/,
};
/** Agents that count what they read from a cache as input too. */
const countsCacheAsInput: AgentName[] = ['codex', 'gemini', 'qwen', 'copilot', 'grok'];

/**
 * What a model used for one answer. A later record with the same id replaces it. Zero costs are left out: agents report
 * them for models whose price they do not know.
 */
export function usageRecord(
  {
    agent,
    id,
    model,
    turn,
    subagent,
  }: Pick<Message, 'agent' | 'id' | 'turn' | 'subagent'> & { model: unknown },
  reported: unknown,
  cost?: unknown,
): Observation[] {
  if (text(model) === '') return [];
  const sum = (names: RegExp): number =>
    Object.entries(record(reported)).reduce((all, [name, n]) => all + (names.test(name) ? whole(n) : 0), 0);
  const cacheRead = sum(tokenNames.cacheRead);
  const used: Usage = {
    input: Math.max(0, sum(tokenNames.input) - (countsCacheAsInput.includes(agent) ? cacheRead : 0)),
    output: sum(tokenNames.output),
    cacheRead,
    cacheWrite: sum(tokenNames.cacheWrite),
    ...(typeof cost === 'number' && cost > 0 ? { cost } : {}),
  };
  const body = { turn, ...(subagent === undefined ? {} : { subagent }), model: text(model), used };
  return [{ kind: 'usage', id: recordId(agent, `usage ${id}`), origin: 'system', trust: 1, body }];
}

export interface Message {
  agent: AgentName;
  session: string;
  turn: string;
  /** The turn as hooks report it. Hooks of most agents report none, so ids of their events depend on session and text. */
  hookTurn?: string;
  subagent?: Subagent | undefined;
  /** The agent's own id of the record. */
  id: string;
  text: string;
  /** The text of a prompt as hooks report it, if they do not report what was typed. */
  reported?: string;
  redact(words: string): string;
}

export function promptRecord(message: Message): Observation[] {
  const { agent, session, turn, hookTurn = '', subagent, id, redact } = message;
  const words = typedPrompt(message.text);
  if (words === undefined) return [];
  const clean = redact(words);
  const common = { kind: 'prompt' as const, id: recordId(agent, id), isRedacted: true as const };
  if (subagent !== undefined)
    return [{ ...common, origin: 'assistant', trust: 1, body: { turn, subagent, text: clean } }];
  const reported = typedPrompt(message.reported ?? '');
  const known = [clean, ...(reported === undefined ? [] : [redact(reported)])];
  const supersedes = [...new Set(known.map((each) => provisionalPrompt(agent, session, hookTurn, each)))];
  return [{ ...common, origin: 'user', trust: 2, body: { turn, text: clean, supersedes } }];
}

export function answerRecord(message: Message): Observation[] {
  const { agent, session, turn, hookTurn = '', subagent, id, redact } = message;
  const clean = redact(stripOwnText(message.text)).trim();
  if (clean === '') return [];
  const supersedes = [provisionalAnswer(agent, answerScope(session, subagent?.id), hookTurn, clean)];
  const body = { turn, ...(subagent === undefined ? {} : { subagent }), text: clean, supersedes };
  return [{ kind: 'answer', id: recordId(agent, id), isRedacted: true, origin: 'assistant', trust: 1, body }];
}
