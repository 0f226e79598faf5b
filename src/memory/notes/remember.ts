import type { Clock } from '../../base/clock.ts';
import { isoTime } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { hashId } from '../../base/hash.ts';
import { sha256, uuidv7 } from '../../base/ids.ts';
import type { EventContext, NoteAction, Trust } from '../../domain/event.ts';
import type { Note, NoteKind } from '../../domain/note.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import type { NoteStore } from '../../store/store.ts';
import { truncateLine } from '../../text/truncate-line.ts';
import { toEvent } from '../capture/capture.ts';
import { type Redactor, rulesOnly } from '../redact/redact.ts';

/** Notes by hand: written, edited and pinned by the user, or proposed by an agent for the user to approve. */
export interface NoteParts {
  notes: NoteStore;
  log: EventLog;
  context: EventContext;
  userHome: string;
  clock: Clock;
  /** Knows the values of the project's own secrets; without it only the rules are asked. */
  redactor?: Redactor;
}

export interface NewNote {
  text: string;
  kind: NoteKind;
  concepts: string[];
  files: string[];
  /** As lines of its front matter. */
  anchors?: string[];
  /** 3 when the user typed it; 1 when an agent did, and then it waits as a candidate. */
  trust: Trust;
  author: string;
}

export async function rememberNote(parts: NoteParts, wanted: NewNote): Promise<Note> {
  const { redact, redactDeep } = parts.redactor ?? rulesOnly;
  const text = redact(wanted.text).trim();
  if (text === '')
    throw new AppError('INVALID_ARGUMENT', 'there is nothing to remember', {
      hint: 'backstory remember "…"',
    });
  const now = isoTime(parts.clock.now());
  const note: Note = {
    id: uuidv7(parts.clock.now()),
    kind: wanted.kind,
    title: titleOf(text),
    state: wanted.trust >= 2 ? 'active' : 'candidate',
    trust: wanted.trust,
    pinned: false,
    concepts: redactDeep(wanted.concepts),
    files: redactDeep(wanted.files),
    created: now,
    updated: now,
    rev: 1,
    parents: [],
    author: wanted.author,
    visibility: 'private',
    validFrom: now,
    validTo: '',
    derivedFrom: [],
    ...(wanted.anchors === undefined || wanted.anchors.length === 0 ? {} : { anchors: wanted.anchors }),
    text,
  };
  await saveNote(parts, note, 'create');
  return note;
}

/**
 * The same words a second time are the note that has them. A user's word for what an agent proposed makes it
 * theirs; files, concepts or a kind that the note does not have make another note.
 */
export async function rememberOnce(
  parts: NoteParts,
  wanted: NewNote,
): Promise<{ note: Note; isKnown: boolean }> {
  const text = (parts.redactor ?? rulesOnly).redact(wanted.text).trim();
  const known = (await parts.notes.list()).find(
    (note) =>
      note.text.trim() === text &&
      note.kind === wanted.kind &&
      (note.state === 'active' || note.state === 'candidate') &&
      wanted.concepts.every((concept) => note.concepts.includes(concept)) &&
      wanted.files.every((file) => note.files.includes(file)) &&
      (wanted.anchors ?? []).every((anchor) => note.anchors?.includes(anchor)),
  );
  if (known === undefined) return { note: await rememberNote(parts, wanted), isKnown: false };
  const note = known.trust < wanted.trust ? await editNote(parts, known, text) : known;
  return { note, isKnown: true };
}

/** A new text, by the user, whatever the note was before: what they edit they have read. */
export async function editNote(parts: NoteParts, note: Note, text: string): Promise<Note> {
  const clean = (parts.redactor ?? rulesOnly).redact(text).trim();
  if (clean === '')
    throw new AppError('INVALID_ARGUMENT', 'a note cannot be empty', { hint: `backstory forget ${note.id}` });
  const edited = reviseNote(parts, note, { text: clean, title: titleOf(clean), trust: 3, state: 'active' });
  await saveNote(parts, edited, 'edit');
  return edited;
}

/** Pinning is the user's word for it, so a candidate becomes active and may be told to new sessions. */
export async function pinNote(parts: NoteParts, note: Note, pinned: boolean): Promise<Note> {
  const approval = pinned && note.trust < 2 ? { trust: 2 as Trust, state: 'active' as const } : {};
  const changed = reviseNote(parts, note, { pinned, ...approval });
  await saveNote(parts, changed, pinned ? 'pin' : 'unpin');
  return changed;
}

export const contentHashOf = (text: string): string => sha256(text).slice(0, 32);

export const reviseNote = (parts: NoteParts, note: Note, changes: Partial<Note>): Note => ({
  ...note,
  ...changes,
  rev: note.rev + 1,
  parents: [contentHashOf(note.text)],
  updated: isoTime(parts.clock.now()),
});

/** The same text under another id, where somebody else's is about to take its place. */
export const copyOfNote = (parts: NoteParts, note: Note, id: string): Note => ({
  ...reviseNote(parts, note, {}),
  id,
  rev: 1,
  derivedFrom: [note.id],
});

const titleLength = 80;

export function titleOf(text: string): string {
  const line = (text.split('\n').find((candidate) => candidate.trim() !== '') ?? '')
    .replace(/^#+\s*/, '')
    .trim();
  return truncateLine(line, titleLength);
}

/** The file first: a note without its event is still a note; an event without its note would be a promise. */
export async function saveNote(parts: NoteParts, note: Note, action: NoteAction): Promise<void> {
  await parts.notes.put(note);
  const contentHash = contentHashOf(note.text);
  const event = toEvent(
    {
      kind: 'note',
      id: hashId('note', note.id, String(note.rev), action),
      origin: note.trust >= 2 ? 'user' : 'assistant',
      trust: note.trust,
      body: { note: note.id, action, contentHash, rev: note.rev },
    },
    { ...parts.context, root: '', exclude: [], userHome: parts.userHome },
    parts.clock,
  );
  if (event !== undefined) parts.log.append([event]);
}
