import { compareTexts } from '../base/compare-texts.ts';
import { closedByUser, isEverywhere, isWithheld, type Note } from '../domain/note.ts';
import { withoutAmounts } from '../text/literals.ts';
import type { HitStatement, NoteStanding } from '../wire/answers/memory.ts';
import type { Hit } from './hit.ts';

const isTellable = (note: Note): boolean =>
  note.state === 'active' && note.trust >= 2 && note.kind !== 'summary' && !isWithheld(note);

/** A topic with more statements that all hold is a theme, such as "testing", and not one matter that changed. */
const maxStatementsOfTopic = 3;

/**
 * The later sentence that may have changed a statement, by the id of the statement. Only a sentence that is itself told
 * counts. Evidence is that its writer gave it the same topic, or that it has the same words with another amount; code
 * in the same words names another thing as often as another value. A sentence that another statement had too may have
 * changed with that one. A statement that the user confirmed afterwards still holds.
 */
export function possibleChanges(notes: Note[]): Map<string, Note> {
  const tellable = notes.filter(isTellable);
  const groups = [
    ...[...Map.groupBy(tellable, ({ topic = '' }) => plain(topic))].filter(
      ([, { length }]) => length <= maxStatementsOfTopic,
    ),
    ...Map.groupBy(tellable, (note) => plain(withoutAmounts(note.text))),
  ];
  const found = new Map<string, Note>();
  const told = new Map(tellable.map((note) => [note.id, note]));
  // One sentence may have settled two matters, of which one has changed.
  for (const { text, closedBy = [] } of notes.filter(({ state }) => state === 'superseded')) {
    const closer = closedBy.map((id) => told.get(id)).find((note) => note !== undefined);
    const same = tellable.filter((note) => plain(note.text) === plain(text) && note !== closer);
    if (closer !== undefined) for (const note of same) found.set(note.id, closer);
  }
  for (const [key, group] of groups) {
    if (key === '') continue;
    for (const note of group) {
      const later = group.filter(
        (other) =>
          other.validFrom > note.validFrom &&
          plain(other.text) !== plain(note.text) &&
          isEverywhere(other) === isEverywhere(note) &&
          !(note.confirmedBy === 'person' && (note.confirmedAt ?? '') >= other.validFrom),
      );
      const closer = found.get(note.id);
      const [newest] = [...(closer === undefined ? [] : [closer]), ...later].sort((a, b) =>
        compareTexts(b.validFrom, a.validFrom),
      );
      if (newest !== undefined) found.set(note.id, newest);
    }
  }
  return found;
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** Whether a note holds, what ended it, and what may have changed it. Every surface says this from here. */
export function standingsOf(notes: Note[]): (note: Note) => NoteStanding {
  const changes = possibleChanges(notes);
  const byId = new Map(notes.map((note) => [note.id, note]));
  return ({ id, state, validTo, doubtedSince, closedBy = [] }) => {
    const later = changes.get(id);
    const closer = closedBy.find((by) => byId.has(by)) ?? closedBy[0] ?? closedByUser;
    return {
      state,
      ...(state === 'superseded'
        ? { closedBy: statementOf({ id: closer, text: byId.get(closer)?.text ?? '', validFrom: validTo }) }
        : {}),
      ...(later === undefined ? {} : { changedBy: statementOf(later) }),
      ...(doubtedSince === undefined ? {} : { doubtedSince }),
    };
  };
}

export function withStandings(hits: Hit[], notes: Note[]): Hit[] {
  const standing = standingsOf(notes);
  const byId = new Map(notes.map((note) => [note.id, note]));
  return hits.map((hit) => {
    const note = hit.chunk.source === 'note' ? byId.get(hit.chunk.sourceId) : undefined;
    return note === undefined ? hit : { ...hit, ...standing(note) };
  });
}

const statementOf = ({ id, text, validFrom }: Pick<Note, 'id' | 'text' | 'validFrom'>): HitStatement => ({
  id,
  text,
  at: validFrom,
});
