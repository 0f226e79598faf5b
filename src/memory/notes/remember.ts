import type { Clock } from '../../base/clock.ts';
import { isoTime, localDay } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { hashId } from '../../base/hash.ts';
import { sha256, uuidv7 } from '../../base/ids.ts';
import type { EventContext, NoteAction, Trust } from '../../domain/event.ts';
import { joinMatches, type Match } from '../../domain/match.ts';
import { freshNote, isEverywhere, type Note, type NoteKind, shortNoteId } from '../../domain/note.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import type { NoteStore } from '../../store/store.ts';
import { truncateLine } from '../../text/truncate-line.ts';
import { recordOwnEvents } from '../capture/own-events.ts';
import type { Redactor } from '../redact/redact.ts';

export interface NoteParts {
  notes: NoteStore;
  log: EventLog;
  context: EventContext;
  userHome: string;
  clock: Clock;
  /** It also masks the values in the secret files of the project. */
  redactor: Redactor;
}

export interface NewNote {
  text: string;
  kind: NoteKind;
  concepts: string[];
  files: string[];
  /** Code that the note is about, in the anchor format of a note's front matter. */
  anchors?: string[];
  /**
   * 3 if the user typed the note; 2 if an agent wrote it and the user's words confirm it; 1 if only the agent says so.
   * A note of trust 1 is a candidate, which waits for approval.
   */
  trust: Trust;
  author: string;
  topic?: string;
  isTopicConfirmed?: boolean;
  quote?: string;
  proposal?: string;
  proposedMatch?: Match | undefined;
  replaces?: string[];
  derivedFrom?: string[];
  /** Only the user says so: whether two projects have the same rule is a question of meaning. */
  everywhere?: true;
}

export async function rememberNote(parts: NoteParts, wanted: NewNote): Promise<Note> {
  const note = newNote(parts, wanted);
  await saveNote(parts, note, 'create');
  return note;
}

/** Makes a note without saving it. Removes secrets from it. */
export function newNote(parts: NoteParts, wanted: NewNote): Note {
  const { redact, redactDeep } = parts.redactor;
  const text = redact(wanted.text).trim();
  if (text === '')
    throw new AppError('INVALID_ARGUMENT', 'the text is empty', {
      hint: 'backstory remember "…"',
    });
  const topic = redact(wanted.topic ?? '').trim();
  const quote = redact(wanted.quote ?? '').trim();
  const proposal = redact(wanted.proposal ?? '').trim();
  return freshNote(isoTime(parts.clock.now()), {
    id: uuidv7(parts.clock.now()),
    kind: wanted.kind,
    title: titleOf(text),
    state: wanted.trust >= 2 ? 'active' : 'candidate',
    trust: wanted.trust,
    concepts: redactDeep(wanted.concepts),
    files: redactDeep(wanted.files),
    author: wanted.author,
    derivedFrom: wanted.derivedFrom ?? [],
    ...(wanted.anchors === undefined || wanted.anchors.length === 0 ? {} : { anchors: wanted.anchors }),
    ...(topic === '' ? {} : { topic }),
    ...(wanted.isTopicConfirmed === true ? { isTopicConfirmed: true as const } : {}),
    ...(quote === '' ? {} : { quote }),
    ...(proposal === '' ? {} : { proposal }),
    ...(wanted.proposedMatch === undefined ? {} : { proposedMatch: redactDeep(wanted.proposedMatch) }),
    ...(wanted.replaces === undefined || wanted.replaces.length === 0 ? {} : { replaces: wanted.replaces }),
    ...(wanted.everywhere === undefined ? {} : { everywhere: wanted.everywhere }),
    text,
  });
}

/**
 * Returns the existing note if it has the same text and kind and includes the given files and concepts; otherwise
 * creates one. If the user repeats an agent's proposal, the note becomes the user's.
 */
export async function rememberOnce(
  parts: NoteParts,
  wanted: NewNote,
): Promise<{ note: Note; isKnown: boolean }> {
  const text = parts.redactor.redact(wanted.text).trim();
  const known = (await parts.notes.list()).find(
    (note) =>
      note.text.trim() === text &&
      note.kind === wanted.kind &&
      (wanted.everywhere === undefined || isEverywhere(note)) &&
      (note.state === 'active' || note.state === 'candidate') &&
      wanted.concepts.every((concept) => note.concepts.includes(concept)) &&
      wanted.files.every((file) => note.files.includes(file)) &&
      (wanted.anchors ?? []).every((anchor) => note.anchors?.includes(anchor)),
  );
  if (known === undefined) return { note: await rememberNote(parts, wanted), isKnown: false };
  const note = known.trust < wanted.trust ? await editNote(parts, known, text) : known;
  return { note, isKnown: true };
}

/** Replaces the text, and the kind if given, on behalf of the user, who has thereby read and approved it. */
export async function editNote(
  parts: NoteParts,
  note: Note,
  text: string,
  kind: NoteKind = note.kind,
): Promise<Note> {
  const clean = parts.redactor.redact(text).trim();
  if (clean === '')
    throw new AppError('INVALID_ARGUMENT', 'a note cannot be empty', { hint: `backstory forget ${note.id}` });
  // Disputes, verdicts and closings are about the earlier text.
  const { disputes: _answered, ...rest } = note;
  const edited = confirmedNote(parts, rest, { text: clean, title: titleOf(clean), kind, trust: 3 });
  await saveNote(parts, edited, 'edit');
  return edited;
}

/** Pinning approves a candidate or an archived note. A closed note must be reopened first, because it is not told. */
export async function pinNote(parts: NoteParts, note: Note, pinned: boolean): Promise<Note> {
  if (pinned && note.state === 'superseded')
    throw new AppError('CONFLICT', `the note no longer holds since ${localDay(note.validTo)}`, {
      hint: `backstory edit ${shortNoteId(note.id)} --reopen`,
    });
  const { verdict: _judged, ...approved } = withoutMute(note, parts.context.project);
  const told = pinned ? approved : note;
  const approval =
    pinned && note.state !== 'active'
      ? { trust: note.trust < 2 ? (2 as Trust) : note.trust, state: 'active' as const }
      : {};
  const changed = reviseNote(parts, told, { pinned, ...approval });
  await saveNote(parts, changed, pinned ? 'pin' : 'unpin');
  return changed;
}

/**
 * A muted note stays valid, and recall finds it. An enforced one cannot be muted, because an agent whose calls are
 * denied must have been told the rule.
 */
export async function muteNote(parts: NoteParts, note: Note, isOn: boolean): Promise<Note> {
  if (isOn && note.enforced)
    throw new AppError('CONFLICT', 'an enforced rule is told to every session', {
      hint: `backstory enforce ${note.id} --off`,
    });
  const { project } = parts.context;
  const told = withoutMute(note, project);
  const changed = reviseNote(
    parts,
    told,
    isOn ? { pinned: false, mutedIn: [...(told.mutedIn ?? []), project] } : {},
  );
  await saveNote(parts, changed, isOn ? 'mute' : 'unmute');
  return changed;
}

function withoutMute({ mutedIn = [], ...rest }: Note, project: string): Note {
  const others = mutedIn.filter((id) => id !== project);
  return others.length === 0 ? rest : { ...rest, mutedIn: others };
}

/**
 * Names tool calls that go against a note, in addition to those that it has, and accepts what an agent proposed. This
 * approves the note. A note that denies calls is also pinned: the agent must have been told it, and nothing but the user
 * replaces it.
 */
export async function enforceNote(
  parts: NoteParts,
  note: Note,
  { match, isTold = false }: { match?: Match; isTold?: boolean },
): Promise<Note> {
  const { enforced: _before, proposedMatch, ...rest } = note;
  const changed = confirmedNote(parts, withoutMute(rest, parts.context.project), {
    match: parts.redactor.redactDeep(joinMatches(note.match, proposedMatch, match)),
    ...(isTold ? {} : { enforced: true, pinned: true }),
    trust: note.trust === 3 ? 3 : 2,
  });
  await saveNote(parts, changed, 'enforce');
  return changed;
}

/** The note stays as it is otherwise, pinned if it was. */
export async function unenforceNote(parts: NoteParts, note: Note): Promise<Note> {
  const { match: _match, enforced: _enforced, proposedMatch: _proposed, ...rest } = note;
  const changed = reviseNote(parts, rest, {});
  await saveNote(parts, changed, 'unenforce');
  return changed;
}

export const contentHashOf = (text: string): string => sha256(text).slice(0, 32);

/** A note is as old as its text: closing, muting, pinning or confirming it does not make it newer. */
export const reviseNote = (parts: NoteParts, note: Note, changes: Partial<Note>): Note => ({
  ...note,
  ...(changes.text === undefined || changes.text === note.text
    ? {}
    : { updated: isoTime(parts.clock.now()) }),
  ...changes,
  rev: note.rev + 1,
  parents: [contentHashOf(note.text)],
});

/** The note as a person confirms it now: it holds, whatever was thought of it before. */
export function confirmedNote(parts: NoteParts, note: Note, changes: Partial<Note>): Note {
  const { closedBy: _closed, doubtedSince: _doubt, verdict: _judged, ...rest } = note;
  const confirmedAt = isoTime(parts.clock.now());
  return reviseNote(parts, rest, {
    ...{ state: 'active', validTo: '', confirmedBy: 'person', confirmedAt },
    ...changes,
  });
}

/** Recall still finds the note. */
export async function archiveNote(parts: NoteParts, note: Note, changes: Partial<Note> = {}): Promise<Note> {
  const archived = reviseNote(parts, note, { ...changes, state: 'archived' });
  await saveNote(parts, archived, 'archive');
  return archived;
}

/** A copy under another id, to keep the local text when a sync conflict replaces the note. */
export const copyOfNote = (parts: NoteParts, note: Note, id: string): Note => ({
  ...reviseNote(parts, note, {}),
  id,
  rev: 1,
  derivedFrom: [note.id],
});

const maxTitleLength = 80;

export function titleOf(text: string): string {
  const line = (text.split('\n').find((candidate) => candidate.trim() !== '') ?? '')
    .replace(/^#+\s*/, '')
    .trim();
  return truncateLine(line, maxTitleLength);
}

/** Writes the file before the event: a note without its event is valid, but an event without its note is not. */
export async function saveNote(parts: NoteParts, note: Note, action: NoteAction): Promise<void> {
  await parts.notes.put(note);
  const contentHash = contentHashOf(note.text);
  recordOwnEvents(parts, parts.context, [
    {
      kind: 'note',
      id: hashId('note', note.id, String(note.rev), action),
      origin: note.trust >= 2 ? 'user' : 'assistant',
      trust: note.trust,
      body: { note: note.id, action, contentHash, rev: note.rev },
    },
  ]);
}
