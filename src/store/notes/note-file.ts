import { parse, stringify } from 'yaml';
import { AppError } from '../../base/errors.ts';
import { hashId } from '../../base/hash.ts';
import { list, record, text } from '../../base/json.ts';
import { joinMatches, type Match, matcherKinds } from '../../domain/match.ts';
import {
  type Dispute,
  importances,
  isNoteKind,
  type Note,
  noteStates,
  shortNoteId,
  verdicts,
} from '../../domain/note.ts';

/**
 * Formats a note as Markdown: front matter that people can read and edit, then the text. The checksum shows
 * whether somebody edited the file since Backstory wrote it. Editing is allowed; `doctor --verify` reports it.
 */
export function formatNote(note: Note): string {
  const { text: body, ...front } = note;
  const matter = stringify({ ...front, sum: noteSum(note) }, { lineWidth: 0 });
  return `---\n${matter}---\n\n${body.trim()}\n`;
}

/** Returns the checksum of a note. It covers the content of the note, not its YAML formatting. */
function noteSum(note: Note): string {
  const { anchors = [], text: body, ...rest } = note;
  const fields = Object.entries({ ...rest, anchors, text: body.trim() }).sort(([a], [b]) => (a < b ? -1 : 1));
  return hashId(JSON.stringify(fields));
}

/** `unsigned`: written by hand, or by a version of Backstory that wrote no checksum. */
export type NoteSignature = 'as-written' | 'edited' | 'unsigned';

export function signatureOf(source: string, file: string): NoteSignature {
  const matter = frontMatter.exec(source)?.[1] ?? '';
  const sum = /^sum: "?([0-9a-f]{32})"?\r?$/m.exec(matter)?.[1];
  if (sum === undefined) return 'unsigned';
  return sum === noteSum(parseNote(source, file)) ? 'as-written' : 'edited';
}

export const frontMatter = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/;

/** Parses a note that a user may have edited: unknown fields are ignored, missing ones get a default. */
export function parseNote(source: string, file: string): Note {
  const match = frontMatter.exec(source);
  if (match === null) throw unreadable(file, 'it has no front matter between --- lines');
  let front: Record<string, unknown>;
  try {
    front = record(parse(match[1] as string, { maxAliasCount: 0 }));
  } catch {
    // The parser's message quotes the note, which must not appear in a log.
    throw unreadable(file, 'its front matter is not valid YAML');
  }
  const kind = text(front.kind);
  const state = text(front.state);
  const trust = front.trust;
  const disputes = list(front.disputes).map((each) => disputeOf(record(each)));
  return {
    id: text(front.id),
    kind: isNoteKind(kind) ? kind : 'knowledge',
    title: text(front.title),
    state: noteStates.find((known) => known === state) ?? 'candidate',
    trust: trust === 3 || trust === 2 || trust === 1 ? trust : 0,
    pinned: front.pinned === true,
    ...matchOf('match', front.match),
    ...matchOf('proposedMatch', front.proposedMatch),
    concepts: list(front.concepts).map(text),
    files: list(front.files).map(text),
    created: text(front.created),
    updated: text(front.updated),
    rev: typeof front.rev === 'number' ? front.rev : 1,
    parents: list(front.parents).map(text),
    author: text(front.author),
    visibility: front.visibility === 'team' ? 'team' : 'private',
    validFrom: text(front.validFrom),
    validTo: text(front.validTo),
    derivedFrom: list(front.derivedFrom).map(text),
    ...present(front, ['anchors', 'mutedIn', 'replaces', 'closedBy'], someTexts),
    ...present(front, ['topic', 'quote', 'proposal', 'doubtedSince', 'confirmedAt', 'learnedIn'], someText),
    ...present(front, ['enforced', 'isTopicConfirmed', 'everywhere'], oneOf([true])),
    ...present(front, ['confirmedBy'], oneOf(['person', 'model'])),
    ...present(front, ['verdict'], oneOf(verdicts)),
    ...present(front, ['importance'], oneOf(importances)),
    ...(disputes.length === 0 ? {} : { disputes }),
    text: (match[2] as string).trim(),
  };
}

/** Those of the fields that have a value. */
const present = (
  front: Record<string, unknown>,
  names: (keyof Note)[],
  read: (value: unknown) => unknown,
): Partial<Note> =>
  Object.fromEntries(
    names.map((name) => [name, read(front[name])]).filter(([, value]) => value !== undefined),
  );

const someText = (value: unknown): string | undefined => text(value) || undefined;
const someTexts = (value: unknown): string[] | undefined =>
  list(value).length === 0 ? undefined : list(value).map(text);
const oneOf =
  (known: readonly unknown[]) =>
  (value: unknown): unknown =>
    known.find((each) => each === value);

/** The field, if a user's file has a matcher in it. */
function matchOf<Name extends string>(name: Name, value: unknown): { [name in Name]?: Match } {
  const given = record(value);
  const match = joinMatches(
    Object.fromEntries(matcherKinds.map((kind) => [kind, list(given[kind]).map(text).filter(Boolean)])),
  );
  return (Object.keys(match).length === 0 ? {} : { [name]: match }) as { [name in Name]?: Match };
}

const disputeOf = ({
  by,
  at,
  isYours,
  isOverLimit,
  correction,
  keptAt,
}: Record<string, unknown>): Dispute => ({
  by: text(by),
  at: text(at),
  ...(isYours === true ? { isYours } : {}),
  ...(isOverLimit === true ? { isOverLimit } : {}),
  ...(text(correction) === '' ? {} : { correction: text(correction) }),
  ...(text(keptAt) === '' ? {} : { keptAt: text(keptAt) }),
});

const unreadable = (file: string, why: string): AppError =>
  new AppError('CONFIG_UNREADABLE', `the note ${file} cannot be read: ${why}`, {
    hint: `Correct or delete ${file}`,
  });

/** For example `use-postgres-for-queues-0198f2c4.md`: valid on every file system, and says what it is about. */
export function noteFileName(note: Pick<Note, 'id' | 'title'>, ending = shortNoteId(note.id)): string {
  const slug = note.title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return `${slug === '' ? 'note' : slug}-${ending}.md`;
}
