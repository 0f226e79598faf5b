import { type EventEnvelope, promptText } from '../../domain/event.ts';
import type { Note } from '../../domain/note.ts';
import { hasTerms, queryTerms } from '../../text/words.ts';
import type { CachedMemory } from '../../wire/answers/team.ts';

/** A request to forget. An event or note is selected if it matches any of the fields. */
export interface ForgetRequest {
  ids: string[];
  containing?: string;
  /** All of these words, in any order and inflection. */
  words?: string;
  /** Forgets everything from one agent session, transcript file or imported store. */
  source?: string;
  /** Time range, `until` exclusive; milliseconds since 1970. */
  since?: number;
  until?: number;
  everything?: true;
}

export function matchesNote(note: Note, request: ForgetRequest): boolean {
  return (
    request.everything === true ||
    request.ids.includes(note.id) ||
    includesText(textsOfNote(note), request.containing) ||
    hasWords([note.text, note.topic, note.quote].join('\n'), request.words) ||
    isWithin(Date.parse(note.created), request) ||
    note.derivedFrom.some((from) => isOfSource(from, request.source))
  );
}

/** Whether a memory in the copy of the team's is forgotten. The team keeps it. */
export function matchesTeamMemory(
  { id, text, files, sourceRef, author }: CachedMemory,
  request: ForgetRequest,
): boolean {
  return (
    request.everything === true ||
    request.source === 'team' ||
    request.ids.some((each) => each.length >= 8 && id.startsWith(each)) ||
    includesText([text, sourceRef, author, ...files], request.containing) ||
    hasWords(text, request.words)
  );
}

/** Whether a note was imported from `source`: the name of a tool, `repo`, or one store or file of it. */
const isOfSource = (from: string, source: string | undefined): boolean =>
  source !== undefined && (from.startsWith(`${source}:`) || from.endsWith(`:${source}`));

export function matchesEvent(event: EventEnvelope, request: ForgetRequest): boolean {
  if (event.kind === 'tombstone') return false;
  const { source } = request;
  return (
    request.everything === true ||
    includesText(textsOfEvent(event), request.containing) ||
    hasWords('text' in event.body ? promptText(event.body) : '', request.words) ||
    isWithin(Date.parse(event.at), request) ||
    (source !== undefined && isFromSource(event, source))
  );
}

/** `source` is an agent session, a transcript, the hash of a commit, or `git` for all commits. */
function isFromSource(event: EventEnvelope, source: string): boolean {
  if (event.kind === 'commit')
    return source === 'git' || (/^[0-9a-f]{7,64}$/.test(source) && event.body.hash.startsWith(source));
  return event.agentSession === source || event.source?.file.endsWith(source) === true;
}

const includesText = (texts: string[], wanted: string | undefined): boolean =>
  wanted !== undefined && wanted !== '' && texts.some((text) => text.includes(wanted));

const textsOfNote = ({
  text,
  title,
  topic = '',
  quote = '',
  files,
  concepts,
  anchors = [],
}: Note): string[] => [text, title, topic, quote, ...files, ...concepts, ...anchors];

/**
 * Fields of events that are not searched for words: ids, hashes and fixed words. Many hashes contain "dead" or "add".
 */
const skippedFields = new Set(
  'turn tool subagent hunks holds supersedes hash trigger phase cause note action contentHash session step status snapshot to mode id answer recommendation of nonce'.split(
    ' ',
  ),
);

const textsOfEvent = ({ body }: EventEnvelope): string[] => textsIn(body, skippedFields);

function textsIn(value: unknown, skipped: ReadonlySet<string>): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((own) => textsIn(own, skipped));
  return Object.entries(value).flatMap(([name, own]) => (skipped.has(name) ? [] : textsIn(own, skipped)));
}

const skippedSnapshotFields = new Set(
  'id at agent kind by source tool mode search search_id content_hash'.split(' '),
);

export function matchesSnapshotPart(
  part: unknown,
  { everything, containing, words }: ForgetRequest,
): boolean {
  const texts = textsIn(part, skippedSnapshotFields);
  return everything === true || includesText(texts, containing) || hasWords(texts.join('\n'), words);
}

const isWithin = (at: number, { since, until }: ForgetRequest): boolean =>
  (since !== undefined || until !== undefined) &&
  at >= (since ?? 0) &&
  at < (until ?? Number.POSITIVE_INFINITY);

function hasWords(text: string, words: string | undefined): boolean {
  if (words === undefined || text === '') return false;
  const { terms } = queryTerms(words);
  return terms.length > 0 && hasTerms(text, terms);
}

/** Searches encoded JSON for a text, which may contain quotes or line breaks. */
export const jsonContains = (json: string, wanted: string | undefined): boolean =>
  wanted !== undefined && wanted !== '' && json.includes(JSON.stringify(wanted).slice(1, -1));

export const textOf = ({ body }: EventEnvelope): string => ('text' in body ? body.text.trim() : '');
