import { isoTime } from '../base/clock.ts';
import type { EventEnvelope } from '../domain/event.ts';
import { checkLog } from '../store/events/check-log.ts';
import { decodeLine, encodeEvent } from '../store/events/event-line.ts';
import { type LogPosition, withOriginalTime } from '../store/events/event-log.ts';
import { rebuildManifest } from '../store/events/extend-manifest.ts';
import type { RecordedDamage } from '../store/events/manifest.ts';
import { quarantine, quarantineLines } from '../store/events/quarantine.ts';
import type { LogDamage } from '../wire/answers/project.ts';
import { drain } from './drain.ts';
import type { OpenProject } from './projects/open-project.ts';

type LogParts = Pick<OpenProject, 'paths' | 'project' | 'log' | 'access'>;

/**
 * Finds events that can be recovered from the stored indexes: that are missing from the log, or different in it, and
 * were not forgotten. If several indexes contain an event, the first one wins: later ones may have been built from an
 * already edited log. `edited` are the lines of damaged log files whose event differs from the index.
 */
export function recoverable({ log, access }: LogParts, damage: LogDamage[]) {
  const known = idsInLog(log);
  const suspects = eventsIn(log, new Set(damage.filter(isAboutContent).map(({ file }) => file)));
  const seen = new Set<string>();
  const events: EventEnvelope[] = [];
  const edited: LogDamage[] = [];
  for (const { line } of access.indexedLines()) {
    const entry = decodeLine(line.subarray(0, -1));
    if (entry.kind !== 'event' || seen.has(entry.event.id)) continue;
    seen.add(entry.event.id);
    const suspect = suspects.get(entry.event.id);
    const isEdited = suspect !== undefined && suspect.line !== encodeEvent(entry.event);
    if (isEdited) edited.push(suspect.place);
    if (isEdited || !known.has(entry.event.id)) events.push(entry.event);
  }
  return { events: events.sort((a, b) => a.seq - b.seq), edited };
}

/**
 * Damage that may concern the content of events. A line that was edited and given a correct checksum is noticed only
 * as a change of its file.
 */
const isAboutContent = ({ kind }: LogDamage): boolean => kind === 'changed' || kind === 'shortened';

function eventsIn(log: OpenProject['log'], files: ReadonlySet<string>) {
  const found = new Map<string, { line: string; place: LogDamage }>();
  for (const { file, offset, end, entry } of files.size === 0 ? [] : log.read({})) {
    if (entry.kind !== 'event' || !files.has(file)) continue;
    const place = { kind: 'line' as const, file, offset, length: end - offset, detail: 'edited' };
    found.set(entry.event.id, { line: encodeEvent(withOriginalTime(entry.event)), place });
  }
  return found;
}

function idsInLog(log: OpenProject['log']): Set<string> {
  const ids = new Set<string>();
  for (const { entry } of log.read({})) {
    if (entry.kind === 'event') ids.add(entry.event.id);
    if (entry.kind === 'forgotten' || entry.kind === 'newer') ids.add(entry.id);
    if (entry.kind === 'event' && entry.event.kind === 'tombstone')
      for (const target of entry.event.body.targets) ids.add(target);
  }
  return ids;
}

const batchEvents = 500;
const unlimited = { maxMs: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };

/**
 * Repairs a damaged log. It appends the events that an index still contains, with their original ids and marked as
 * recovered, and rebuilds the index. Damaged and edited lines are copied to a quarantine first; edited ones are
 * removed from the log. Damage that is not provably recovered is reported until the user accepts it. Returns the number
 * of recovered events.
 */
export async function recoverLog(parts: OpenProject): Promise<number> {
  const { events: folder } = parts.paths.project(parts.project);
  const { damage } = checkLog(folder);
  quarantine(folder, damage);
  const at = isoTime(parts.clock.now());
  const remaining = unrecovered(parts, damage, at);
  const found = recoverable(parts, damage);
  quarantineLines(folder, found.edited);
  const events = found.events.map((event) => ({ ...event, recovered: at }));
  for (let first = 0; first < events.length; first += batchEvents)
    parts.log.append(events.slice(first, first + batchEvents));
  rebuildManifest(folder, remaining);
  parts.access.erase();
  await drain(parts, unlimited);
  return events.length;
}

/** Accepts the log as it is now. Events that only an index still contains are lost. */
export async function acceptDamage(parts: OpenProject): Promise<void> {
  const { events: folder } = parts.paths.project(parts.project);
  const isManifestOnly = checkLog(folder).damage.every(({ kind }) => kind === 'manifest');
  rebuildManifest(folder);
  if (isManifestOnly) return;
  parts.access.erase();
  await drain(parts, unlimited);
}

/** Damage that an index cannot repair: a line that was never indexed, or a part of a file that could not be read. */
function unrecovered(parts: LogParts, damage: LogDamage[], at: string): RecordedDamage[] {
  const lines = damage.filter(({ kind }) => kind === 'line');
  const held = new Set<string>();
  if (lines.length > 0)
    for (const { file, offset } of parts.access.indexedLines()) held.add(`${file} ${offset}`);
  const read = parts.access.indexedProgress();
  return damage.filter((one) => !isCovered(one, held, read)).map((one) => ({ ...one, at: one.at ?? at }));
}

function isCovered({ kind, file, offset = 0, length = 0 }: LogDamage, held: Set<string>, read: LogPosition) {
  if (kind === 'manifest') return true;
  if (kind === 'line') return held.has(`${file} ${offset}`);
  return (read[file] ?? 0) >= offset + length;
}
