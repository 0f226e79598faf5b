import { hashId } from '../../base/hash.ts';
import { uuidOf } from '../../base/ids.ts';
import { openEnd } from '../../distil/distiller.ts';
import type { Trust } from '../../domain/event.ts';
import { isForeign, type Note, shortNoteId } from '../../domain/note.ts';
import { askedMark, parseNoteText } from '../../text/note-text.ts';
import { distilAuthor } from './distil-mark.ts';

/**
 * A theme as a note: a line for each note it was made of, and nothing that is not in them. All of it is computed
 * from the sources, so a source that no longer holds takes its line along when the note is made again.
 */
export const themeConcept = 'theme';

export const isTheme = ({ kind, concepts }: Note): boolean =>
  kind === 'knowledge' && concepts.includes(themeConcept);

/** Not accepted, edited or pinned by the user; whether the text is still ours only the log can tell. */
export const isOwnTheme = (note: Note): boolean =>
  isTheme(note) && note.author === distilAuthor && note.trust <= maxTrust && !note.pinned;

/** We put it together, so it is nobody's own text, whoever wrote its parts. */
const maxTrust = 2;

/** Settled, and a statement of its own: what is left to do goes away, and summaries say a little of everything. */
export const isThemeSource = (note: Note): boolean =>
  note.state === 'active' &&
  note.kind !== 'summary' &&
  note.kind !== 'knowledge' &&
  !note.concepts.includes(openEnd) &&
  !(isForeign(note) && note.trust < 2);

export const namesIn = (concepts: string[]): string[] => concepts.filter((name) => name !== themeConcept);

/** Known by the note that founded it, so that it stays the same note while it grows. */
export const themeIdOf = (founder: Note): string => uuidOf(hashId('theme', founder.id));

const maxNames = 3;
const maxFiles = 20;

export function themeNote(id: string, members: Note[], names: string[]): Note {
  const sources = [...members].sort(byAge);
  const own = [...new Set(names)].slice(0, maxNames);
  const title = `About ${own.join(', ')}`;
  const [first = '', last = ''] = [sources[0]?.validFrom, sources.at(-1)?.validFrom];
  return {
    id,
    kind: 'knowledge',
    title,
    state: 'active',
    trust: Math.min(maxTrust, ...sources.map(({ trust }) => trust)) as Trust,
    pinned: false,
    concepts: [themeConcept, ...own],
    files: [...new Set(sources.flatMap(({ files }) => files))].slice(0, maxFiles),
    created: last,
    updated: last,
    rev: 1,
    parents: [],
    author: distilAuthor,
    visibility: 'private',
    validFrom: first,
    validTo: '',
    derivedFrom: sources.map(({ id: source }) => source),
    text: [`${title}:`, '', ...sources.map(lineOf)].join('\n'),
  };
}

/** Oldest first: what came later is read later, and may have overtaken it. */
export const byAge = (a: Note, b: Note): number =>
  a.validFrom < b.validFrom ? -1 : a.validFrom > b.validFrom ? 1 : a.id < b.id ? -1 : 1;

const maxLine = 400;

function lineOf(note: Note): string {
  const { statement: said, context: around } = parseNoteText(note.text);
  const asked = around.find((line) => line.startsWith(askedMark))?.slice(askedMark.length);
  const kind = note.kind === 'failed-path' ? 'led nowhere: ' : '';
  const text = `${said.join(' ')}${asked === undefined ? '' : ` (asked: ${asked})`}`
    .replace(/\s+/g, ' ')
    .trim();
  const short = text.length <= maxLine ? text : `${text.slice(0, maxLine - 1)}…`.toWellFormed();
  return `- ${note.validFrom.slice(0, 10)} ${kind}${short} [${shortNoteId(note.id)}]`;
}
