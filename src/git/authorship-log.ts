import { compareTexts } from '../base/compare-texts.ts';
import { isObject, type Json, parseObject } from '../base/json.ts';
import type { LineRange } from './blame.ts';

/**
 * The note of a commit in `refs/notes/ai`: which lines which agent session is said to have written, as the Git AI
 * Standard defines it (`authorship/3.0.0`). Anybody can write such a note, so it is parsed with limits.
 */
export interface AuthorshipLog {
  files: Map<string, Attestation[]>;
  /** Records of the keys, as they were written. A session's key is the part before `::`. */
  records: Record<RecordKind, Map<string, Json>>;
  /** Other fields of the metadata. */
  metadata: Json;
  /** What was skipped, and why; empty if the whole note was read. */
  problems: string[];
}

export interface Attestation {
  key: string;
  ranges: LineRange[];
}

export type RecordKind = (typeof recordKinds)[number];
const recordKinds = ['prompts', 'sessions', 'humans'] as const;

const schemaVersion = 'authorship/3.0.0';
const divider = '---';
/** The largest of 2,800 public notes has 0.6 MB, most of it a conversation. */
export const maxNoteLength = 2 * 1024 * 1024;
/** Bounds the work for each line that is looked up. */
const maxRanges = 20_000;
const maxRecords = 2_000;
const maxLineNumber = 10_000_000;
const maxProblems = 20;

/** Parses a note; a text says why it is none. */
export function parseAuthorshipLog(text: string): AuthorshipLog | string {
  if (text.length > maxNoteLength) return 'too large';
  const end = text.startsWith(`${divider}\n`) ? 0 : text.indexOf(`\n${divider}\n`) + 1;
  if (end === 0 && !text.startsWith(divider)) return 'no divider line';
  const metadata = parseObject(text.slice(end + divider.length));
  if (metadata === undefined) return 'metadata is not a JSON object';
  if (metadata.schema_version !== schemaVersion) return 'another schema version';
  const problems: string[] = [];
  const records = {
    prompts: recordsIn(metadata.prompts),
    sessions: recordsIn(metadata.sessions),
    humans: recordsIn(metadata.humans),
  };
  const files = filesIn(text.slice(0, end), (problem) => {
    if (problems.length < maxProblems) problems.push(problem);
  });
  return { files, records, metadata, problems };
}

/** A map, so that a key such as `__proto__` is only a key. */
const recordsIn = (value: unknown): Map<string, Json> =>
  new Map(
    (isObject(value) ? Object.entries(value) : [])
      .slice(0, maxRecords)
      .filter((entry): entry is [string, Json] => isObject(entry[1])),
  );

function filesIn(text: string, report: (problem: string) => void): Map<string, Attestation[]> {
  const files = new Map<string, Attestation[]>();
  let path: string | undefined;
  let count = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (!line.startsWith(' ')) {
      path = /^"(.+)"$/.exec(line)?.[1] ?? line;
      continue;
    }
    const [, key, list = ''] = /^ {2}(\S+) (\S+)$/.exec(line) ?? [];
    if (key === undefined || !isKey(key) || path === undefined) {
      report('a line that is no attestation');
      continue;
    }
    const parts = list.split(',', maxRanges + 1 - count);
    const ranges = parts.flatMap((part) => rangeOf(part) ?? []);
    if (ranges.length < parts.length) report('a range that is none');
    count += parts.length;
    if (count > maxRanges) {
      report('more ranges than are read');
      break;
    }
    files.set(path, [...(files.get(path) ?? []), { key, ranges }]);
  }
  return files;
}

/** The lengths of ids may change in later versions of the standard; old ones have 7 characters. */
const isKey = (key: string): boolean =>
  /^(?:s_[0-9a-f]{7,64}(?:::t_[0-9a-f]{1,64})?|h_[0-9a-f]{7,64}|[0-9a-f]{7,64})$/.test(key);

function rangeOf(part: string): LineRange | undefined {
  const [, first, last = first] = /^(\d{1,8})(?:-(\d{1,8}))?$/.exec(part) ?? [];
  const range = { from: Number(first), to: Number(last) };
  return range.from >= 1 && range.to >= range.from && range.to <= maxLineNumber ? range : undefined;
}

/** The map that has the record of a key, and the key in it. */
export function recordKeyOf(key: string): { kind: RecordKind; id: string } {
  if (key.startsWith('s_')) return { kind: 'sessions', id: key.split('::')[0] as string };
  return { kind: key.startsWith('h_') ? 'humans' : 'prompts', id: key };
}

export const recordOf = ({ records }: AuthorshipLog, key: string): Json | undefined => {
  const { kind, id } = recordKeyOf(key);
  return records[kind].get(id);
};

export const keysOfLine = ({ files }: AuthorshipLog, path: string, line: number): string[] => [
  ...new Set(
    (files.get(path) ?? [])
      .filter(({ ranges }) => ranges.some(({ from, to }) => from <= line && line <= to))
      .map(({ key }) => key),
  ),
];

/**
 * Writes a log as the text of the note of a commit. Files and keys are in a fixed order, so equal logs give equal text.
 */
export function formatAuthorshipLog({ files, records, metadata }: AuthorshipLog, commit: string): string {
  const attestations = [...files]
    .sort(([a], [b]) => compareTexts(a, b))
    .flatMap(([path, entries]) => [
      /[\s"]/.test(path) ? `"${path}"` : path,
      ...entries.map(({ key, ranges }) => `  ${key} ${formatRanges(ranges)}`),
    ]);
  const inOrder = (kind: RecordKind) =>
    Object.fromEntries([...records[kind]].sort(([a], [b]) => compareTexts(a, b)));
  const { prompts, sessions, humans, ...others } = metadata;
  const written = {
    schema_version: schemaVersion,
    ...others,
    base_commit_sha: commit,
    prompts: inOrder('prompts'),
    ...(records.humans.size === 0 ? {} : { humans: inOrder('humans') }),
    ...(records.sessions.size === 0 ? {} : { sessions: inOrder('sessions') }),
  };
  return `${[...attestations, divider].join('\n')}\n${JSON.stringify(written, undefined, 2)}`;
}

export const formatRanges = (ranges: LineRange[]): string =>
  ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',');

/** A path that the format cannot express: a parser could not tell where it ends, or take it for something else. */
export const isAttestablePath = (path: string): boolean => !/["\n]|^---$|^\s/.test(path);
