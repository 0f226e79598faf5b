import { hashId } from '../../base/hash.ts';
import type { Note } from '../../domain/note.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import type { LogIndex } from '../../store/store.ts';
import { readRows } from '../sessions/session-turns.ts';
import { contentHashOf } from './remember.ts';

/** A note is long settled before it has been changed so often. */
const maxRevisions = 100;

/** A file may be edited in any editor, which leaves its author as it was: only the log knows what we wrote. */
export async function isAsWritten(log: EventLog, index: LogIndex, { id, rev, text }: Note): Promise<boolean> {
  const contentHash = contentHashOf(text);
  const ids = Array.from({ length: Math.min(rev, maxRevisions) }, (_, at) => String(rev - at)).flatMap(
    (own) => (['create', 'edit', 'repeat'] as const).map((action) => hashId('note', id, own, action)),
  );
  const events = readRows(log, [...(await index.events(ids)).values()]).values();
  return [...events].some((event) => event.kind === 'note' && event.body.contentHash === contentHash);
}
