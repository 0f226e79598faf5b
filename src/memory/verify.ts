import { openLedger } from '../spend/ledger.ts';
import { checkLog, type LogCheck } from '../store/events/check-log.ts';
import { isWithin } from '../store/events/event-log.ts';
import { quarantine } from '../store/events/quarantine.ts';
import { createSnapshotFiles } from '../store/snapshots/snapshot-files.ts';
import type { NoteInspection } from '../store/store.ts';
import type { OpenProject } from './projects/open-project.ts';
import { recoverable } from './recover-log.ts';

/** What `backstory verify` finds: every kind of truth of one project, and whether the index fits it. */
export interface Verification {
  /** False if something was damaged or lost. Files that somebody edited are no damage. */
  ok: boolean;
  log: LogCheck;
  /** How many events an index can give back to the log. */
  recoverable: number;
  notes: Pick<NoteInspection, 'file' | 'state' | 'detail'>[];
  unreadableSnapshots: string[];
  unreadableLedgerLines: number;
  /** Events that were forgotten, and whose words are in the log all the same. */
  unforgotten: string[];
  index: 'fits' | 'behind' | 'missing' | 'of another log';
  /** How many events of a file claim a time in the future. They count as of now. */
  fromFuture: Record<string, number>;
}

export async function verify(parts: OpenProject): Promise<Verification> {
  const own = parts.paths.project(parts.project);
  const { log, recoverable: count } = checkEvents(parts);
  quarantine(own.events, log.damage);
  const notes = (await parts.notes.inspect())
    .filter(({ state }) => state !== 'as-written')
    .map(({ file, state, detail }) => ({ file, state, ...(detail === undefined ? {} : { detail }) }));
  const snapshots = createSnapshotFiles(own.snapshots).unreadable();
  const { unreadable } = openLedger(parts.paths.ledger, parts.clock).read();
  const unforgotten = unforgottenEvents(parts);
  const ok =
    log.damage.length === 0 &&
    notes.every(({ state }) => state !== 'unreadable') &&
    snapshots.length === 0 &&
    unforgotten.length === 0;
  return {
    ok,
    log,
    recoverable: count,
    notes,
    unreadableSnapshots: snapshots,
    unreadableLedgerLines: unreadable,
    unforgotten,
    index: await indexState(parts),
    fromFuture: eventsFromFuture(parts),
  };
}

/** The part that `status`, `doctor` and `logs` show too. */
export function checkEvents(parts: Pick<OpenProject, 'paths' | 'project' | 'log' | 'access'>): {
  log: LogCheck;
  recoverable: number;
} {
  const log = checkLog(parts.paths.project(parts.project).events);
  // Only a damaged log has lost something, and looking means reading the log and every index.
  return { log, recoverable: log.damage.length === 0 ? 0 : recoverable(parts, log.damage).events.length };
}

/** What a crash left between a tombstone and the lines it names. */
function unforgottenEvents({ log }: OpenProject): string[] {
  const [present, buried] = [new Set<string>(), new Set<string>()];
  for (const { entry } of log.read({})) {
    if (entry.kind !== 'event') continue;
    if (entry.event.kind === 'tombstone') for (const id of entry.event.body.targets) buried.add(id);
    else present.add(entry.event.id);
  }
  return [...buried].filter((id) => present.has(id));
}

/** Events that claim a time in the future, by the file they are in: the clock was wrong when they were captured. */
export function eventsFromFuture({ log }: Pick<OpenProject, 'log'>): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { file, entry } of log.read({}))
    if (entry.kind === 'event' && entry.event.claimedAt !== undefined) found[file] = (found[file] ?? 0) + 1;
  return found;
}

async function indexState({ access, log }: OpenProject): Promise<Verification['index']> {
  const reading = access.forReading();
  if (reading === undefined) return 'missing';
  try {
    const [position, end] = [await reading.index.progress(), log.end()];
    if (!isWithin(position, end) || !log.areLineStarts(position)) return 'of another log';
    return Object.entries(end).every(([file, size]) => position[file] === size) ? 'fits' : 'behind';
  } finally {
    await reading.close();
  }
}
