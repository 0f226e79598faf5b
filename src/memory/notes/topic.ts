import { isEverywhere, type Note } from '../../domain/note.ts';
import { queryTerms } from '../../text/words.ts';
import { type NoteParts, reviseNote, saveNote } from './remember.ts';

/**
 * A topic is what a statement is about, such as "package manager". Each statement is a note of its own, with its own
 * evidence. A later statement on the topic replaces the earlier one, which stays as history: it is superseded, and its
 * `validTo` says until when it was valid. So at most one statement on a topic is active.
 */
const keyOf = (topic: string): string => [...new Set(queryTerms(topic).terms)].sort().join(' ');

/** The active notes of the project whose topic has the same words. */
export const activeOnTopic = (topic: string, notes: Note[]): Note[] => onTopic(topic, notes, 'active');

/** The notes on a topic that wait for approval. */
export const candidatesOnTopic = (topic: string, notes: Note[]): Note[] => onTopic(topic, notes, 'candidate');

function onTopic(topic: string, notes: Note[], state: Note['state']): Note[] {
  const key = keyOf(topic);
  if (key === '') return [];
  return notes.filter(
    (note) =>
      note.state === state && !isEverywhere(note) && note.topic !== undefined && keyOf(note.topic) === key,
  );
}

/**
 * Saves a statement and closes those that it replaces. A correction of a pinned statement is pinned too. A statement in
 * one project and one for every project do not close each other: the project makes an exception.
 */
export async function saveStatement(parts: NoteParts, note: Note, replaced: Note[]): Promise<Note> {
  const old = replaced.filter((one) => one.id !== note.id && isEverywhere(one) === isEverywhere(note));
  const statement: Note =
    old.length === 0
      ? note
      : {
          ...note,
          ...(note.topic === undefined && old[0]?.topic !== undefined ? { topic: old[0].topic } : {}),
          pinned: note.pinned || old.some(({ pinned }) => pinned),
          replaces: [...new Set([...(note.replaces ?? []), ...old.map(({ id }) => id)])],
        };
  await saveNote(parts, statement, 'create');
  for (const one of old) await closeStatement(parts, one, statement.validFrom);
  return statement;
}

/** Ends the validity of a statement: it was replaced, or withdrawn without a replacement. */
export async function closeStatement(
  parts: NoteParts,
  note: Note,
  validTo: string,
  action: 'supersede' | 'withdraw' = 'supersede',
): Promise<Note> {
  // Keep the time of the last change: being superseded does not make a note newer.
  const closed = {
    ...reviseNote(parts, note, { state: 'superseded' as const, validTo, pinned: false }),
    updated: note.updated,
  };
  await saveNote(parts, closed, action);
  return closed;
}

/** The statements that a note replaced, directly or through others, newest first. */
export function earlierStatements(note: Note, notes: Note[]): Note[] {
  const byId = new Map(notes.map((one) => [one.id, one]));
  const found = new Map<string, Note>();
  const waiting = [...(note.replaces ?? [])];
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    const old = byId.get(id);
    if (old === undefined || found.has(id) || id === note.id) continue;
    found.set(id, old);
    waiting.push(...(old.replaces ?? []));
  }
  return [...found.values()].sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1));
}
