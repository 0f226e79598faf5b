import { AppError } from '../../base/errors.ts';
import { findNote, isEverywhere, isForeign, type Note, type NoteKind } from '../../domain/note.ts';
import { type NewNote, type NoteParts, newNote, rememberOnce, reviseNote, saveNote } from './remember.ts';
import { activeOnTopic, candidatesOnTopic, saveStatement } from './topic.ts';

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
}

/**
 * Saves a statement. If the user's words confirm it (`unverified` is empty), it is active and replaces the earlier
 * statement on its topic. Otherwise it waits for approval, as it does if it would replace something that the user wrote
 * or pinned, or that came from others.
 */
export async function saveAgentStatement(
  parts: NoteParts,
  { replaces, kind, ...wanted }: AgentStatement,
  unverified: string,
): Promise<SavedStatement> {
  const notes = await parts.notes.list();
  const named = replaces === '' ? activeOnTopic(wanted.topic ?? '', notes) : [activeNote(replaces, notes)];
  // What an agent saves applies to its project. It is an exception to what the user says for every project.
  const replaced = named.filter((old) => !isEverywhere(old));
  const note = { ...wanted, kind: kind ?? named[0]?.kind ?? 'decision' };
  const why = unverified || whyProtected(replaced);
  const same = notes.find(({ state, text }) => state === 'active' && text === wanted.text);
  if (same !== undefined) return { note: same, isKnown: true, replaced: [], why: '' };
  if (why !== '') {
    const saved = await rememberOnce(parts, {
      ...note,
      trust: 1,
      derivedFrom: [],
      replaces: replaced.map(({ id }) => id),
    });
    return { ...saved, replaced: [], why: saved.note.state === 'active' ? '' : why };
  }
  const saved = await saveStatement(parts, newNote(parts, { ...note, trust: 2 }), replaced);
  for (const candidate of candidatesOnTopic(wanted.topic ?? '', notes))
    if (candidate.author === wanted.author)
      await saveNote(parts, reviseNote(parts, candidate, { state: 'archived' }), 'archive');
  return { note: saved, isKnown: false, replaced, why: '' };
}

function activeNote(id: string, notes: Note[]): Note {
  const note = findNote(notes, id);
  if (note?.state === 'active') return note;
  throw new AppError('INVALID_ARGUMENT', `no active note has the id ${id}`, {
    hint: 'Call recall to find the id, or leave out `replaces`',
  });
}

function whyProtected(replaced: Note[]): string {
  if (replaced.some(({ trust }) => trust === 3)) return 'It would replace a note that the user wrote.';
  if (replaced.some(({ pinned }) => pinned)) return 'It would replace a note that the user pinned.';
  return replaced.some(isForeign) ? 'It would replace a note of the team or the repository.' : '';
}
