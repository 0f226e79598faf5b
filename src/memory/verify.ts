import { openLedger } from '../spend/ledger.ts';
import { checkLog } from '../store/events/check-log.ts';
import { isWithin } from '../store/events/event-log.ts';
import { quarantine } from '../store/events/quarantine.ts';
import { createSnapshotFiles } from '../store/snapshots/snapshot-files.ts';
import type { OpenProject } from './projects/open-project.ts';
import { recoverable } from './recover-log.ts';

export type Verification = Awaited<ReturnType<typeof verify>>;

/** What `backstory doctor --verify` shows: the state of all primary data of a project, and whether the index matches it. */
export async function verify(parts: OpenProject) {
  const own = parts.paths.project(parts.project);
  const { log, recoverable: count } = checkEvents(parts);
  quarantine(own.events, log.damage);
  const notes = (await parts.notes.inspect())
    .filter(({ state }) => state !== 'as-written')
    .map(({ file, state, detail }) => ({ file, state, ...(detail === undefined ? {} : { detail }) }));
  const snapshots = createSnapshotFiles(own.snapshots).unreadable();
  const { unreadable } = openLedger(parts.paths.ledger, parts.clock).read();
  const unforgotten = unforgottenEvents(parts);
  // Notes that the user edited are not damage.
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

/** The part that `status` and `doctor` show too. */
export function checkEvents(parts: Pick<OpenProject, 'paths' | 'project' | 'log' | 'access'>) {
  const log = checkLog(parts.paths.project(parts.project).events);
  // Only a damaged log can have lost events, so a sound log is not checked for them: that check reads the log and
  // every index.
  return { log, recoverable: log.damage.length === 0 ? 0 : recoverable(parts, log.damage).events.length };
}

/** Ids of events that were to be forgotten, but which a crash left in the log after their tombstone was written. */
function unforgottenEvents({ log }: OpenProject): string[] {
  const [present, buried] = [new Set<string>(), new Set<string>()];
  for (const { entry } of log.read({})) {
    if (entry.kind !== 'event') continue;
    if (entry.event.kind === 'tombstone') for (const id of entry.event.body.targets) buried.add(id);
    else present.add(entry.event.id);
  }
  return [...buried].filter((id) => present.has(id));
}

/** Events with a time in the future, by file: the clock was wrong when they were captured. Readers give them the current time. */
export function eventsFromFuture({ log }: Pick<OpenProject, 'log'>): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { file, entry } of log.read({}))
    if (entry.kind === 'event' && entry.event.claimedAt !== undefined) found[file] = (found[file] ?? 0) + 1;
  return found;
}

async function indexState({
  access,
  log,
}: OpenProject): Promise<'fits' | 'behind' | 'missing' | 'of-another-log'> {
  const reading = access.forReading();
  if (reading === undefined) return 'missing';
  try {
    const [position, end] = [await reading.index.progress(), log.end()];
    if (!isWithin(position, end) || !log.areLineStarts(position)) return 'of-another-log';
    return Object.entries(end).every(([file, size]) => position[file] === size) ? 'fits' : 'behind';
  } finally {
    await reading.close();
  }
}
