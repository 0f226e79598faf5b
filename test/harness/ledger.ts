import { createHash } from 'node:crypto';
import { redact } from '../../src/memory/redact/redact.ts';
import { emptyReplay, replayRecord } from '../../src/recall/replay-log.ts';
import type { EventLog } from '../../src/store/events/event-log.ts';

/** The history of what was acknowledged, kept outside the product, to hold against what can be read later. */
export interface Ledger {
  /** The words a hook was given and the ids it acknowledged for them. */
  enter(words: string, acknowledged: string[]): void;
  ids(): string[];
  audit(log: EventLog): Audit;
}

export interface Audit {
  acknowledged: number;
  /** Acknowledged and not readable. */
  lost: number;
  /** Acknowledged, readable, and not the words that were given. */
  altered: number;
  /** Ids that stand in the log more than once. */
  duplicated: number;
  /** Readable though never acknowledged: killed in between, which is allowed. */
  unacknowledged: number;
  /** Lines that no reader is given. */
  torn: number;
}

export function createLedger(): Ledger {
  const given = new Map<string, string>();
  return {
    enter(words, acknowledged) {
      for (const id of acknowledged) given.set(id, markOf(redact(words)));
    },
    ids: () => [...given.keys()],
    audit: (log) => audit(log, given),
  };
}

function audit(log: EventLog, given: Map<string, string>): Audit {
  const fold = emptyReplay();
  const lines = new Map<string, number>();
  const read = new Map<string, string>();
  let torn = 0;
  for (const record of log.read({})) {
    if (record.entry.kind === 'damaged') torn++;
    replayRecord(fold, record, new Map());
    if (record.entry.kind !== 'event') continue;
    const { event } = record.entry;
    lines.set(event.id, (lines.get(event.id) ?? 0) + 1);
    read.set(event.id, markOf('text' in event.body ? event.body.text : ''));
  }
  const live = (id: string): boolean => fold.rows.get(id)?.state === 'live';
  return {
    acknowledged: given.size,
    lost: [...given.keys()].filter((id) => !live(id)).length,
    altered: [...given].filter(([id, mark]) => live(id) && read.get(id) !== mark).length,
    duplicated: [...lines.values()].filter((count) => count > 1).length,
    unacknowledged: [...lines.keys()].filter((id) => !given.has(id)).length,
    torn,
  };
}

const markOf = (words: string): string => createHash('sha256').update(words.trim()).digest('hex');
