import { AppError } from '../../base/errors.ts';
import { findNote, isEverywhere, isForeign, type Note, type NoteKind } from '../../domain/note.ts';
import { distilAuthor } from './distil-mark.ts';
import { quotesSentence } from './quotes-sentence.ts';
import { type NewNote, type NoteParts, newNote, rememberOnce, reviseNote, saveNote } from './remember.ts';
import {
  activeOnMatter,
  candidatesOnTopic,
  closeStatement,
  earlierStatements,
  saveStatement,
} from './topic.ts';

/** A statement that a running agent writes on behalf of its user. */
export interface AgentStatement extends Omit<NewNote, 'trust' | 'kind' | 'replaces'> {
  /** The default is the kind of the statement that it replaces. */
  kind: NoteKind | undefined;
  /** Id of the note that it replaces; empty for the active statement on the same topic. */
  replaces: string;
}

export interface SavedStatement {
  note: Note;
  isKnown: boolean;
  replaced: Note[];
  /** Why the note waits for approval; empty if it is active. */
  why: string;
  /** Earlier statements that are no longer told, because it is open whether they still hold. */
  doubted: Note[];
}

/** How far the user's words confirm a statement. */
export interface Confirmation {
  /** Why they do not confirm it; empty if they do. */
  unverified: string;
  /** Whether the user typed the quote in this session. */
  isQuoted: boolean;
}

/**
 * Saves a statement. If the user's words confirm it, it is active and replaces the earlier statement on its topic.
 * Otherwise it waits for approval, as it does if it would replace something that the user wrote or pinned, or that came
 * from others. If the user did say something about the topic, an earlier statement that was extracted or saved by an
 * agent is no longer told: which of the two holds is for the user to say.
 */
export async function saveAgentStatement(
  parts: NoteParts,
  { replaces, kind, ...wanted }: AgentStatement,
  { unverified, isQuoted }: Confirmation,
): Promise<SavedStatement> {
  const notes = await parts.notes.list();
  const named =
    replaces === ''
      ? activeOnMatter({ topic: wanted.topic ?? '', text: wanted.text }, notes)
      : activeInPlaceOf(replaces, notes);
  // What an agent saves applies to its project. It is an exception to what the user says for every project.
  const replaced = named.filter((old) => !isEverywhere(old));
  const note = { ...wanted, kind: kind ?? named[0]?.kind ?? 'decision' };
  const why = unverified || whyProtected(replaced);
  const same = notes.find(({ state, text }) => state === 'active' && text === wanted.text);
  if (same !== undefined) return { note: same, isKnown: true, replaced: [], doubted: [], why: '' };
  if (why !== '') {
    const saved = await rememberOnce(parts, {
      ...note,
      trust: 1,
      derivedFrom: [],
      replaces: replaced.map(({ id }) => id),
    });
    const isWaiting = saved.note.state !== 'active';
    const doubted =
      isWaiting && isQuoted && whyProtected(replaced) === '' ? replaced.filter(isByMachine(parts)) : [];
    for (const old of doubted) await closeStatement(parts, old, saved.note.validFrom, 'withdraw');
    return { ...saved, replaced: [], doubted, why: isWaiting ? why : '' };
  }
  const fresh = newNote(parts, { ...note, trust: 2 });
  const copies = notes.filter((old) => isExtracted(old) && quotesSentence(fresh, old));
  // A sentence that says the same is no earlier statement, so it is not told as what held before.
  for (const copy of copies) await saveNote(parts, reviseNote(parts, copy, { state: 'archived' }), 'archive');
  const saved = await saveStatement(
    parts,
    fresh,
    replaced.filter((old) => !copies.includes(old)),
  );
  const waiting = findNote(notes, replaces);
  const candidates = [
    ...candidatesOnTopic(wanted.topic ?? '', notes),
    ...(waiting?.state === 'candidate' ? [waiting] : []),
  ];
  for (const candidate of new Set(candidates))
    if (candidate.author === wanted.author)
      await saveNote(parts, reviseNote(parts, candidate, { state: 'archived' }), 'archive');
  return { note: saved, isKnown: false, replaced, doubted: [], why: '' };
}

/** A sentence of the user that was extracted without a model and that they have not edited, accepted or pinned. */
const isExtracted = ({ author, quote, trust, state, pinned }: Note): boolean =>
  author === distilAuthor && quote === undefined && trust === 2 && state === 'active' && !pinned;

/** Accepting a note makes the user its author. */
const isByMachine =
  ({ context }: NoteParts) =>
  ({ author, trust }: Note): boolean =>
    trust === 2 && author !== (context.actor || 'user');

/**
 * The active notes that an id stands for. An agent may name a note that it saved before and that still waits: then it is
 * what that note would replace. If the note was replaced since, it is the one that holds now.
 */
function activeInPlaceOf(id: string, notes: Note[]): Note[] {
  const note = findNote(notes, id);
  if (note === undefined)
    throw new AppError('INVALID_ARGUMENT', `no note has the id ${id}`, {
      hint: 'Call recall to find the id, or leave out `replaces`',
    });
  const active = notes.filter(({ state }) => state === 'active');
  if (note.state === 'active') return [note];
  if (note.state === 'candidate') return active.filter((one) => note.replaces?.includes(one.id));
  return active.filter((one) => earlierStatements(one, notes).includes(note));
}

function whyProtected(replaced: Note[]): string {
  if (replaced.some(({ trust }) => trust === 3)) return 'It would replace a note that the user wrote.';
  if (replaced.some(({ pinned }) => pinned)) return 'It would replace a note that the user pinned.';
  return replaced.some(isForeign) ? 'It would replace a note of the team or the repository.' : '';
}
