import { sha256Short } from '../base/hash.ts';
import { isObject, type Json } from '../base/json.ts';
import type { Edit } from '../domain/edit.ts';
import {
  type Attestation,
  type AuthorshipLog,
  keysOfLine,
  type RecordKind,
  recordKeyOf,
  recordOf,
} from '../git/authorship-log.ts';
import type { LineRange } from '../git/blame.ts';

export type FoundAuthors = Map<string, Map<number, Author>>;

/** Why a note cannot be added to without losing or breaking what is in it; undefined if it can. */
export function obstacleIn(log: AuthorshipLog): string | undefined {
  if (log.problems.length > 0) return `its note has ${log.problems[0]}`;
  const keys = [...log.files.values()].flat().map(({ key }) => key);
  if (!keys.every((key) => isStandardKey(key) && recordOf(log, key) !== undefined))
    return 'its note has entries without a record';
  const records = Object.values(log.records).flatMap((map) => [...map.values()]);
  const hasMessages = ({ messages }: Json) => Array.isArray(messages) && messages.length > 0;
  return records.some(hasMessages) ? 'its note has a conversation, which new notes must not have' : undefined;
}

/** Adds what was found to a note. Entries of others stay as they are; those that we wrote are corrected. */
export function mergeLog(existing: AuthorshipLog | undefined, found: FoundAuthors): AuthorshipLog {
  const entries = new Map<string, Map<string, LineRange[]>>();
  const records: AuthorshipLog['records'] = { prompts: new Map(), sessions: new Map(), humans: new Map() };
  const add = (path: string, key: string, ranges: LineRange[]): void => {
    const keys = entries.get(path) ?? new Map<string, LineRange[]>();
    entries.set(path, keys.set(key, [...(keys.get(key) ?? []), ...ranges]));
  };
  const isOursByKey = (key: string) => isOurs((existing && recordOf(existing, key)) ?? {});
  for (const [path, attestations] of existing?.files ?? [])
    for (const { key, ranges } of attestations)
      add(path, key, isOursByKey(key) ? without(ranges, [...(found.get(path)?.keys() ?? [])]) : ranges);
  for (const kind of Object.keys(records) as RecordKind[])
    for (const [id, record] of existing?.records[kind] ?? []) {
      const standard = standardRecord(kind, record);
      if (standard !== undefined) records[kind].set(id, standard);
    }
  for (const [path, lines] of found)
    for (const [line, { key, record }] of lines) {
      if (existing && keysOfLine(existing, path, line).some((each) => !isOursByKey(each))) continue;
      add(path, key, [{ from: line, to: line }]);
      const { kind, id } = recordKeyOf(key);
      if (!records[kind].has(id) || isOurs(record)) records[kind].set(id, record);
    }
  return {
    files: new Map([...entries].flatMap(([path, keys]) => fileEntry(path, keys))),
    records,
    metadata: existing?.metadata ?? {},
    problems: [],
  };
}

function fileEntry(path: string, keys: Map<string, LineRange[]>): [string, Attestation[]][] {
  const attestations = [...keys]
    .map(([key, ranges]) => ({ key, ranges: joined(ranges) }))
    .filter(({ ranges }) => ranges.length > 0)
    .sort(
      (a, b) => (a.ranges[0] as LineRange).from - (b.ranges[0] as LineRange).from || (a.key < b.key ? -1 : 1),
    );
  return attestations.length === 0 ? [] : [[path, attestations]];
}

function joined(ranges: LineRange[]): LineRange[] {
  const result: LineRange[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

const without = (ranges: LineRange[], lines: number[]): LineRange[] =>
  lines.reduce(
    (rest, line) =>
      rest.flatMap((range) =>
        line < range.from || line > range.to
          ? [range]
          : [
              { from: range.from, to: line - 1 },
              { from: line + 1, to: range.to },
            ].filter(({ from, to }) => from <= to),
      ),
    ranges,
  );

/** Who wrote lines, as an authorship log names them: an attestation key and the record that it refers to. */
export interface Author {
  key: string;
  record: Json;
}

/** Marks records that we wrote, so that they can be corrected; those of others never are. */
const mark = { written_by: 'backstory' };

const isOurs = ({ custom_attributes: attributes }: Json): boolean =>
  isObject(attributes) && attributes.written_by === mark.written_by;

/** The author of lines that a recorded edit wrote. No word of the session is in it, only its id. */
export function authorOf(
  { agent, agentSession, turn }: Edit,
  model: string | undefined,
  human: string,
): Author {
  const tool = agent === 'claude-code' ? 'claude' : agent;
  const hash = (text: string): string => sha256Short(text).slice(0, 14);
  return {
    // One trace for each turn. The standard wants a new one for each checkpoint, and equal runs must give equal notes.
    key: `s_${hash(`${tool}:${agentSession}`)}::t_${hash(`${agentSession}:${turn}`)}`,
    record: {
      agent_id: { tool, id: agentSession, model: model ?? 'unknown' },
      human_author: human,
      custom_attributes: mark,
    },
  };
}

export const isStandardKey = (key: string): boolean =>
  /^(?:s_[0-9a-f]{14}::t_[0-9a-f]{14}|h_[0-9a-f]{14}|[0-9a-f]{16})$/.test(key);

const maxTextLength = 500;
const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, maxTextLength) : undefined;
const counts = ['total_additions', 'total_deletions', 'accepted_lines', 'overriden_lines'];

/** The fields of somebody's record that the standard knows, without messages; undefined if a required one is missing. */
export function standardRecord(kind: RecordKind, record: Json | undefined): Json | undefined {
  if (record === undefined) return undefined;
  if (kind === 'humans')
    return textIn(record.author) === undefined ? undefined : { author: textIn(record.author) };
  const { agent_id: agent, custom_attributes: attributes } = record;
  const [tool, id, model] = isObject(agent) ? [agent.tool, agent.id, agent.model].map(textIn) : [];
  if (tool === undefined || id === undefined || model === undefined) return undefined;
  const human = textIn(record.human_author);
  const texts = Object.entries(isObject(attributes) ? attributes : {}).filter(
    ([, value]) => typeof value === 'string',
  );
  return {
    agent_id: { tool, id, model },
    ...(human === undefined ? {} : { human_author: human }),
    ...(kind === 'sessions' ? {} : Object.fromEntries(counts.map((name) => [name, countIn(record[name])]))),
    ...(texts.length === 0 ? {} : { custom_attributes: Object.fromEntries(texts) }),
  };
}

const countIn = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, value as number) : 0);
