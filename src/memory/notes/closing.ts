import { closedByUser, isEverywhere, type Note } from '../../domain/note.ts';
import { type NoteParts, reviseNote, saveNote } from './remember.ts';

/**
 * How statements end and return. A statement ends only because a person says so, or because a model of the user's choice
 * confirmed that the user did. Which words a later sentence has never ends it: whether "database timeout" is about the
 * "API timeout" is a question of meaning, and Backstory does not judge meaning. If a later sentence may have changed a
 * statement, both are told, and the earlier one is marked.
 */

export interface Closing {
  /** Id of a note or an event. The default is the user. */
  by?: string;
  at: string;
  action?: 'supersede' | 'withdraw';
}

export async function closeStatement(
  parts: NoteParts,
  note: Note,
  { by = closedByUser, at, action = 'supersede' }: Closing,
): Promise<Note> {
  const closedBy = [...new Set([...(note.closedBy ?? []), by])];
  const { doubtedSince: _settled, ...rest } = note;
  const closed = reviseNote(parts, rest, { state: 'superseded', validTo: note.validTo || at, closedBy });
  await saveNote(parts, closed, action);
  return closed;
}

export async function reopenStatement(parts: NoteParts, note: Note, doubtedSince = ''): Promise<Note> {
  const { closedBy: _closed, doubtedSince: _doubt, ...rest } = note;
  const reopened = reviseNote(parts, rest, {
    state: 'active',
    validTo: '',
    ...(doubtedSince === '' ? {} : { doubtedSince }),
  });
  await saveNote(parts, reopened, 'reopen');
  return reopened;
}

/** If the closers were forgotten, something may have changed, so what is reopened is marked. */
export async function restoreClosedBy(
  parts: NoteParts,
  gone: ReadonlySet<string>,
  why: 'rejected' | 'forgotten',
  removed: Note[] = [],
): Promise<Note[]> {
  const restored: Note[] = [];
  // What a removed statement had closed does not hold if the removed one had been replaced itself.
  const successors = (id: string): string[] =>
    (removed.find((one) => one.id === id)?.closedBy ?? []).filter(
      (by) => !gone.has(by) && by !== closedByUser,
    );
  for (const note of await parts.notes.list()) {
    if (note.state !== 'superseded' || !note.closedBy?.some((id) => gone.has(id))) continue;
    const left = [...new Set(note.closedBy.flatMap((id) => (gone.has(id) ? successors(id) : [id])))];
    if (left.length === 0)
      restored.push(await reopenStatement(parts, note, why === 'forgotten' ? note.validTo : ''));
    else await saveNote(parts, reviseNote(parts, note, { closedBy: left }), 'edit');
  }
  return restored;
}

/** Saves a statement of the user and closes those that it replaces. A replacement of a pinned or enforced statement is so too. */
export async function saveStatement(parts: NoteParts, note: Note, replaced: Note[]): Promise<Note> {
  // A statement in one project and one for every project do not close each other: the project makes an exception.
  const old = replaced.filter((one) => one.id !== note.id && isEverywhere(one) === isEverywhere(note));
  const inherited = old.length === 0 ? note : withPropertiesOf(old, note);
  await saveNote(parts, inherited, 'create');
  for (const one of old) await closeStatement(parts, one, { by: note.id, at: note.validFrom });
  return inherited;
}

/** A replacement keeps the topic, the importance, the pin and the enforcement of what it replaces, unless it has its own. */
export function withPropertiesOf(old: Note[], note: Note): Note {
  const topic = note.topic ?? old[0]?.topic;
  const importance = note.importance ?? old[0]?.importance;
  const match = note.match ?? old.find((one) => one.match !== undefined)?.match;
  return {
    ...note,
    ...(topic === undefined ? {} : { topic }),
    ...(importance === undefined ? {} : { importance }),
    pinned: note.pinned || old.some(({ pinned }) => pinned),
    ...(match === undefined ? {} : { match }),
    ...(old.some(({ enforced }) => enforced) ? { enforced: true as const } : {}),
    replaces: [...new Set([...(note.replaces ?? []), ...old.map(({ id }) => id)])],
  };
}

/** The valid statements that end when the user accepts a note: its writer says that it replaces them. */
export const wouldReplace = ({ id, replaces = [] }: Note, notes: Note[]): Note[] =>
  notes.filter((other) => other.state === 'active' && other.id !== id && replaces.includes(other.id));

/** The statements that a note closed, directly or through others, newest first. */
export function earlierStatements({ id }: Note, notes: Note[]): Note[] {
  const found = new Map<string, Note>();
  const closers = [id];
  for (let by = closers.shift(); by !== undefined; by = closers.shift())
    for (const old of notes) {
      if (old.id === id || found.has(old.id) || !old.closedBy?.includes(by)) continue;
      found.set(old.id, old);
      closers.push(old.id);
    }
  return [...found.values()].sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1));
}

/** What an earlier or later note said, without its other fields. */
export const statementOf = ({ id, text, validFrom, validTo }: Note) => ({ id, text, validFrom, validTo });
