import { hashId } from '../../base/hash.ts';
import { noteActions } from '../../domain/event.ts';
import type { Note } from '../../domain/note.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../../recall/with-index.ts';

const maxRevisions = 200;

/** Actions on a note, newest first. Their event ids are predictable, so they are looked up without a search. */
export async function historyOf(parts: RecallParts, note: Note) {
  const first = Math.max(1, note.rev - maxRevisions + 1);
  const wanted = Array.from({ length: note.rev - first + 1 }, (_, at) => first + at).flatMap((rev) =>
    noteActions.map((action) => ({ action, rev, id: hashId('note', note.id, String(rev), action) })),
  );
  const rows = await withIndex(withoutMeaning(parts), quickLimits, async (index) =>
    index?.events(wanted.map(({ id }) => id)),
  );
  return wanted
    .flatMap(({ action, rev, id }) => {
      const row = rows?.get(id);
      return row === undefined ? [] : [{ action, rev, at: row.at }];
    })
    .reverse();
}
