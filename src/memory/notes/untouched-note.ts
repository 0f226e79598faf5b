import { hashId } from '../../base/hash.ts';
import type { Note } from '../../domain/note.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import type { LogIndex } from '../../store/store.ts';
import { readRows } from '../sessions/session-turns.ts';
import { contentHashOf } from './remember.ts';

const maxRevisions = 100;

/**
 * Whether the text of a note is as Backstory wrote it. The user may edit the file in any editor, which does not change
 * its author field, so the text is compared with the hashes in the log.
 */
export async function isUntouched(log: EventLog, index: LogIndex, { id, rev, text }: Note): Promise<boolean> {
  const contentHash = contentHashOf(text);
  const ids = Array.from({ length: Math.min(rev, maxRevisions) }, (_, at) => String(rev - at)).flatMap(
    (own) => (['create', 'edit', 'repeat'] as const).map((action) => hashId('note', id, own, action)),
  );
  const events = readRows(log, [...(await index.events(ids)).values()]).values();
  return [...events].some((event) => event.kind === 'note' && event.body.contentHash === contentHash);
}
