import type { Write } from '../../models/write.ts';
import type { Truth } from '../../recall/catch-up.ts';
import type { Ledger } from '../../spend/ledger.ts';
import type { IndexAccess } from '../../store/store.ts';
import type { IngestParts } from '../capture/event-writer.ts';

/** An open project: its log, notes, index and settings. Commands and servers pass it to everything that works on a project. */
export interface OpenProject extends Omit<IngestParts, 'index'>, Truth {
  access: IndexAccess;
  retentionDays: number;
  /** The checkout of the caller. By default, the one in which something was captured last. */
  callerRoot?: string;
  /** Calls the model that may write notes; set only if the user has chosen one. */
  write?: Write;
  /** The ledger of model calls, and the time of the user's consent. */
  modelCalls?: { ledger: Ledger; since: number };
}
