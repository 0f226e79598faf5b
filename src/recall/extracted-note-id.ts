import { hashId } from '../base/hash.ts';
import { uuidOf } from '../base/ids.ts';

/** The id of a note that was extracted from an agent session, from its place in it. So extraction is idempotent. */
export const extractedNoteId = (agentSession: string, place: string): string =>
  uuidOf(hashId('distil', agentSession, place));

/** A session has one summary. */
export const summaryNoteId = (agentSession: string): string => extractedNoteId(agentSession, 'summary');
