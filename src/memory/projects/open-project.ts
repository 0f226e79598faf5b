import type { Write } from '../../models/write.ts';
import type { Truth } from '../../recall/catch-up.ts';
import type { Ledger } from '../../spend/ledger.ts';
import type { IndexAccess } from '../../store/store.ts';
import type { IngestParts } from '../capture/event-writer.ts';

/** One project, opened: its log, notes and index, and what reads and writes them. Every command and server takes it. */
export interface OpenProject extends Omit<IngestParts, 'index'>, Truth {
  access: IndexAccess;
  retentionDays: number;
  /** The checkout that somebody asks in; without one, that in which something was captured last. */
  askedIn?: string;
  /** Only where the user has chosen a model. */
  write?: Write;
  /** What was asked of it, and since when it may be. */
  asking?: { ledger: Ledger; since: number };
}
