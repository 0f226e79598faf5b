import { isoTime } from '../base/clock.ts';
import { list, text } from '../base/json.ts';
import { isFromRepository, isNoteKind, type Note, teamOrigin } from '../domain/note.ts';
import type { TeamNote } from '../domain/team-note.ts';
import { distilAuthor } from '../memory/notes/distil-mark.ts';
import { type NoteParts, titleOf } from '../memory/notes/remember.ts';
import { rulesOnly } from '../memory/redact/redact.ts';
import type { PulledChange } from './sync-shapes.ts';

const maxNameLength = 80;
const maxWords = 100;

/**
 * What came over the wire, as a note of this machine. Whatever it says of itself, it waits for the user's word: it can
 * be recalled, and is told to no session. A new text of a note that was approved waits again, because the approval was
 * of the old one.
 */
export function pulledNote(
  parts: NoteParts,
  id: string,
  change: PulledChange,
  before: Note | undefined,
): Note {
  const { redact, redactDeep } = parts.redactor ?? rulesOnly;
  const given = (change.note ?? {}) as Partial<TeamNote>;
  const said = redact(text(given.text)).trim();
  const author = nameOf(redact(text(given.author).slice(0, maxNameLength)).trim());
  const now = isoTime(parts.clock.now());
  const updated = timeOf(given.updated, now);
  return {
    id,
    kind: isNoteKind(text(given.kind)) ? (given.kind as Note['kind']) : 'knowledge',
    title: titleOf(said),
    state: 'candidate',
    trust: 0,
    pinned: before?.pinned ?? false,
    concepts: redactDeep(wordsOf(given.concepts)),
    files: redactDeep(wordsOf(given.files)),
    created: timeOf(given.created, now),
    updated,
    rev: (before?.rev ?? 0) + 1,
    parents: [],
    author,
    // Of this machine's sharing: what came from the team is not sent back to it.
    visibility: before?.visibility ?? 'private',
    validFrom: timeOf(given.created, now),
    validTo: '',
    derivedFrom: [teamOrigin(author)],
    text: said,
  };
}

/** Nobody over the wire speaks for us, or for the files of the repository. */
const nameOf = (author: string): string =>
  author === '' || author === distilAuthor || isFromRepository({ author }) ? 'a teammate' : author;

const wordsOf = (value: unknown): string[] => list(value).map(text).slice(0, maxWords);

/** In one spelling, and never from the future: it would stay the newest for ever. */
function timeOf(value: unknown, now: string): string {
  const at = Date.parse(text(value));
  return Number.isNaN(at) || at > Date.parse(now) ? now : isoTime(at);
}
