import { hashId } from '../base/hash.ts';
import { uuidOf } from '../base/ids.ts';

/** The id of a note that was extracted from an agent session, from its place in it. So extraction is idempotent. */
export const extractedNoteId = (agentSession: string, place: string, ordinal: number): string =>
  uuidOf(hashId('distil', agentSession, place, String(ordinal)));

/** The place of the summary, of which a session has one. */
export const summaryPlace = 'summary';
export const summaryNoteId = (agentSession: string): string => extractedNoteId(agentSession, summaryPlace, 0);
