import { AppError } from '../base/errors.ts';
import type { Trust } from './event.ts';

export const noteKinds = [
  'decision',
  'fix',
  'feature',
  'refactor',
  'change',
  'gotcha',
  'convention',
  'discovery',
  'failed-path',
  'summary',
  'knowledge',
] as const;
export type NoteKind = (typeof noteKinds)[number];

export const noteStates = ['candidate', 'active', 'superseded', 'archived'] as const;
export type NoteState = (typeof noteStates)[number];

/** A memory as a Markdown file: these fields are its front matter, `text` is the rest. */
export interface Note {
  id: string;
  kind: NoteKind;
  title: string;
  state: NoteState;
  trust: Trust;
  pinned: boolean;
  concepts: string[];
  files: string[];
  created: string;
  updated: string;
  rev: number;
  /** Content hashes of the revisions this one was made from. */
  parents: string[];
  author: string;
  visibility: 'private' | 'team';
  validFrom: string;
  validTo: string;
  /** Ids of the events and notes it was drawn from. */
  derivedFrom: string[];
  /** The code it concerns, one line for each: `src/load.js:3-9 load @1a2b3c4d5e6f #9f31…`. */
  anchors?: string[];
  text: string;
}

/** The author of what was read in a repository begins so; nobody here wrote it. */
export const repoAuthor = 'repo/';
export const isFromRepository = ({ author }: Pick<Note, 'author'>): boolean => author.startsWith(repoAuthor);

export const isNoteKind = (value: string): value is NoteKind =>
  (noteKinds as readonly string[]).includes(value);

/** A note that came from a team's server says whose it was; approving it does not make it one's own. */
const teamMark = 'team:';
export const teamOrigin = (author: string): string => `${teamMark}${author}`;
export const isFromTeam = ({ derivedFrom }: Pick<Note, 'derivedFrom'>): boolean =>
  derivedFrom[0]?.startsWith(teamMark) ?? false;
/** Who wrote it, of a note from a team. */
export const teammateOf = ({ derivedFrom }: Pick<Note, 'derivedFrom'>): string =>
  (derivedFrom[0] ?? '').slice(teamMark.length);
/** Nobody here wrote it, and nothing that is said here makes it more believable. */
export const isForeign = (note: Pick<Note, 'author' | 'derivedFrom'>): boolean =>
  isFromRepository(note) || isFromTeam(note);

const plainId = (id: string): string => id.replace(/[^A-Za-z0-9]/g, '');

/**
 * What a note is called wherever it is shown. The end of a UUIDv7 is its random part; the start is only the time. A
 * note may come from somebody else's hand, so nothing of its id is taken but letters and digits.
 */
export const shortNoteId = (id: string): string => plainId(id).slice(-8);

/** By its id, or by eight or more characters that it begins or ends with; never one of several. */
export function findNote<N extends Pick<Note, 'id'>>(notes: N[], name: string): N | undefined {
  const given = plainId(name);
  if (given.length < 8) return undefined;
  const found = new Map(notes.filter((note) => isNamed(note, given)).map((note) => [plainId(note.id), note]));
  const exact = found.get(given);
  if (exact !== undefined || found.size <= 1) return exact ?? [...found.values()][0];
  throw new AppError('INVALID_ARGUMENT', `${found.size} notes are called ${name}`, {
    hint: `Say which: ${[...found.values()]
      .slice(0, 3)
      .map(({ id }) => id)
      .join(', ')}`,
  });
}

function isNamed({ id }: Pick<Note, 'id'>, given: string): boolean {
  const own = plainId(id);
  return own.startsWith(given) || own.endsWith(given);
}
