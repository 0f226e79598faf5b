import { createHash } from 'node:crypto';
import { redact } from '../../src/memory/redact/redact.ts';
import { emptyReplay, replayRecord } from '../../src/recall/replay-log.ts';
import type { EventLog } from '../../src/store/events/event-log.ts';

/** Records acknowledged writes outside of the product, to compare them later with what can be read. */
export interface Ledger {
  /** Records the text given to a hook and the ids it acknowledged. */
  enter(words: string, acknowledged: string[]): void;
  ids(): string[];
  audit(log: EventLog): Audit;
}

export interface Audit {
  acknowledged: number;
  /** Acknowledged but not readable. */
  lost: number;
  /** Acknowledged and readable, but with another text. */
  altered: number;
  /** Ids that occur more than once in the log. */
  duplicated: number;
  /** Readable but not acknowledged: the process was killed in between, which is allowed. */
  unacknowledged: number;
  /** Damaged lines, which readers skip. */
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
