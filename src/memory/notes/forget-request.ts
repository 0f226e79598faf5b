import type { EventEnvelope } from '../../domain/event.ts';
import type { Note } from '../../domain/note.ts';
import { queryTerms, termsOf } from '../../text/words.ts';

/** What somebody wants forgotten, and whether an event or a note is meant by it. */
export interface ForgetRequest {
  /** Events and notes, by id. */
  ids: string[];
  /** Everything that contains this text, letter for letter. */
  containing?: string;
  /** Everything that has all of these words, in whatever form and order. */
  words?: string;
  /** Everything from one agent session, transcript file or imported store. */
  source?: string;
  /** Everything from this moment on, and before that one; milliseconds since 1970. */
  since?: number;
  until?: number;
  /** All of the project. */
  everything?: true;
}

export function isAskedNote(note: Note, request: ForgetRequest): boolean {
  return (
    request.everything === true ||
    request.ids.includes(note.id) ||
    says(spokenOfNote(note), request.containing) ||
    hasWords(note.text, request.words) ||
    isWithin(Date.parse(note.created), request) ||
    note.derivedFrom.some((from) => isOfSource(from, request.source))
  );
}

/** A tool or `repo`, or one store or file of it. */
const isOfSource = (from: string, source: string | undefined): boolean =>
  source !== undefined && (from.startsWith(`${source}:`) || from.endsWith(`:${source}`));

export function isAskedEvent(event: EventEnvelope, request: ForgetRequest): boolean {
  if (event.kind === 'tombstone') return false;
  const { source } = request;
  return (
    request.everything === true ||
    says(spokenOfEvent(event), request.containing) ||
    hasWords(wordsOf(event), request.words) ||
    isWithin(Date.parse(event.at), request) ||
    (source !== undefined && isFromSource(event, source))
  );
}

/** An agent session, a transcript, a commit by its hash, or `git` for all of them. */
function isFromSource(event: EventEnvelope, source: string): boolean {
  if (event.kind === 'commit')
    return source === 'git' || (/^[0-9a-f]{7,64}$/.test(source) && event.body.hash.startsWith(source));
  return event.agentSession === source || event.source?.file.endsWith(source) === true;
}

/** Names of fields, of tools and of branches are in nearly every event, and nobody means those. */
const says = (texts: string[], wanted: string | undefined): boolean =>
  wanted !== undefined && wanted !== '' && texts.some((text) => text.includes(wanted));

const spokenOfNote = ({ text, title, files, concepts, anchors = [] }: Note): string[] => [
  text,
  title,
  ...files,
  ...concepts,
  ...anchors,
];

/** Ids, hashes and fixed words: "dead" and "add" stand in many a hash. */
const bookkeeping = new Set(
  'turn tool subagent hunks holds supersedes hash trigger phase cause note action contentHash session step status snapshot to mode id answer recommendation of nonce'.split(
    ' ',
  ),
);

const spokenOfEvent = ({ body }: EventEnvelope): string[] => spokenIn(body, bookkeeping);

function spokenIn(value: unknown, silent: ReadonlySet<string>): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((own) => spokenIn(own, silent));
  return Object.entries(value).flatMap(([name, own]) => (silent.has(name) ? [] : spokenIn(own, silent)));
}

/** The same of what a snapshot keeps. */
const snapshotBookkeeping = new Set(
  'id at agent kind by source tool mode search search_id content_hash'.split(' '),
);

/** A part of a snapshot, which stands for itself. */
export function isAskedPart(part: unknown, { everything, containing, words }: ForgetRequest): boolean {
  const texts = spokenIn(part, snapshotBookkeeping);
  return everything === true || says(texts, containing) || hasWords(texts.join('\n'), words);
}

const isWithin = (at: number, { since, until }: ForgetRequest): boolean =>
  (since !== undefined || until !== undefined) &&
  at >= (since ?? 0) &&
  at < (until ?? Number.POSITIVE_INFINITY);

function hasWords(text: string, words: string | undefined): boolean {
  if (words === undefined || text === '') return false;
  const { terms } = queryTerms(words);
  const { words: own, idents } = termsOf(text);
  const held = new Set([...own, ...idents]);
  return terms.length > 0 && terms.every((term) => held.has(term));
}

/** The text as it stands in JSON, so that a quote or a line break in it is found too. */
export const contains = (json: string, wanted: string | undefined): boolean =>
  wanted !== undefined && wanted !== '' && json.includes(JSON.stringify(wanted).slice(1, -1));

export const wordsOf = ({ body }: EventEnvelope): string => ('text' in body ? body.text.trim() : '');
