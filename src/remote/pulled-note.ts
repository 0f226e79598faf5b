import { isoTime } from '../base/clock.ts';
import { list, text } from '../base/json.ts';
import { freshNote, isFromRepository, isNoteKind, type Note, teamOrigin } from '../domain/note.ts';
import { distilAuthor } from '../memory/notes/distil-mark.ts';
import { type NoteParts, titleOf } from '../memory/notes/remember.ts';
import type { PulledChange } from './sync-request.ts';

const maxNameLength = 80;
const maxWords = 100;

/**
 * Converts a note from the server to a local one. Regardless of what it claims, it becomes a candidate with trust 0:
 * recall can find it, but no new session receives it in its prelude until the user accepts it. If the text of an
 * accepted note changes, it must be accepted again.
 */
export function pulledNote(
  parts: NoteParts,
  id: string,
  change: PulledChange,
  before: Note | undefined,
): Note {
  const { redact, redactDeep } = parts.redactor;
  const received: Record<string, unknown> = change.note ?? {};
  const noteText = redact(text(received.text)).trim();
  const author = authorNameOf(redact(text(received.author).slice(0, maxNameLength)).trim());
  const now = isoTime(parts.clock.now());
  return freshNote(timeOf(received.created, now), {
    id,
    kind: isNoteKind(text(received.kind)) ? (received.kind as Note['kind']) : 'knowledge',
    title: titleOf(noteText),
    pinned: before?.pinned ?? false,
    concepts: redactDeep(wordsOf(received.concepts)),
    files: redactDeep(wordsOf(received.files)),
    updated: timeOf(received.updated, now),
    rev: (before?.rev ?? 0) + 1,
    author,
    // Do not take the visibility from the server: a received note stays private, so that it is not sent back to the
    // team.
    visibility: before?.visibility ?? 'private',
    derivedFrom: [teamOrigin(author)],
    text: noteText,
  });
}

/**
 * Replaces author names that are reserved for extracted notes and for notes from repository files, so that a teammate's
 * note cannot pass for one of those.
 */
const authorNameOf = (author: string): string =>
  author === '' || author === distilAuthor || isFromRepository({ author }) ? 'a teammate' : author;

const wordsOf = (value: unknown): string[] => list(value).map(text).slice(0, maxWords);

/**
 * Returns the time in the usual format, and now for a time in the future: such a note would stay the newest for ever.
 */
function timeOf(value: unknown, now: string): string {
  const at = Date.parse(text(value));
  return Number.isNaN(at) || at > Date.parse(now) ? now : isoTime(at);
}
