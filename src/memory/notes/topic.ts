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

/** Share of the words of the shorter statement that the other one must have too. */
const minSharedWords = 0.5;

/**
 * The active notes that a new statement is about: those on its topic, and those whose topic is a narrower or wider name
 * for it ("atlas size", "max atlas size") if the statements also have half of their words in common.
 */
export function activeOnMatter({ topic, text }: { topic: string; text: string }, notes: Note[]): Note[] {
  const same = activeOnTopic(topic, notes);
  const own = new Set(queryTerms(topic).terms);
  if (own.size === 0) return same;
  const words = new Set(queryTerms(text).terms);
  const isNear = (note: Note): boolean => {
    const other = new Set(queryTerms(note.topic ?? '').terms);
    if (other.size === 0 || shared(own, other) < Math.min(own.size, other.size)) return false;
    const said = new Set(queryTerms(note.text).terms);
    return shared(words, said) >= minSharedWords * Math.min(words.size, said.size);
  };
  const near = notes.filter((note) => note.state === 'active' && !isEverywhere(note) && isNear(note));
  return [...new Set([...same, ...near])];
}

const shared = (a: Set<string>, b: Set<string>): number => [...a].filter((term) => b.has(term)).length;

/** The notes on a topic that wait for approval. */
export const candidatesOnTopic = (topic: string, notes: Note[]): Note[] => onTopic(topic, notes, 'candidate');

/** What the user settled on a topic, in words that are known to be theirs: valid or not any more, newest first. */
export const settledOnTopic = (topic: string, notes: Note[]): Note[] =>
  [...onTopic(topic, notes, 'active'), ...onTopic(topic, notes, 'superseded')]
    .filter(({ trust }) => trust >= 2)
    .sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1));

function onTopic(topic: string, notes: Note[], state: Note['state']): Note[] {
  const key = keyOf(topic);
  if (key === '') return [];
  return notes.filter(
    (note) =>
      note.state === state && !isEverywhere(note) && note.topic !== undefined && keyOf(note.topic) === key,
  );
}

/**
 * Saves a statement and closes those that it replaces. A correction of a pinned or enforced statement is so too. A statement in
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
          ...(old.some(({ enforced }) => enforced) ? { enforced: true as const } : {}),
          ...(note.importance === undefined && old[0]?.importance !== undefined
            ? { importance: old[0].importance }
            : {}),
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

/** What an earlier or later note said, without its other fields. */
export const statementOf = ({ id, text, validFrom, validTo }: Note) => ({ id, text, validFrom, validTo });
