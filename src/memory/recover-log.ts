import { isoTime } from '../base/clock.ts';
import type { EventEnvelope } from '../domain/event.ts';
import { checkLog } from '../store/events/check-log.ts';
import { acceptLog } from '../store/events/cover-log.ts';
import { decodeLine } from '../store/events/event-line.ts';
import type { LogPosition } from '../store/events/event-log.ts';
import type { LogDamage, RecordedDamage } from '../store/events/manifest.ts';
import { quarantine } from '../store/events/quarantine.ts';
import { type DrainParts, drain } from './drain.ts';

type LogParts = Pick<DrainParts, 'paths' | 'project' | 'log' | 'access'>;

/** Events that an index still holds and the log does not have any more. Never what was forgotten. */
export function recoverableEvents({ log, access }: LogParts): EventEnvelope[] {
  const known = idsInLog(log);
  const found = new Map<string, EventEnvelope>();
  for (const { line } of access.heldLines()) {
    const entry = decodeLine(line.subarray(0, -1));
    if (entry.kind === 'event' && !known.has(entry.event.id)) found.set(entry.event.id, entry.event);
  }
  return [...found.values()].sort((a, b) => a.seq - b.seq);
}

function idsInLog(log: DrainParts['log']): Set<string> {
  const ids = new Set<string>();
  for (const { entry } of log.read({})) {
    if (entry.kind === 'event') ids.add(entry.event.id);
    if (entry.kind === 'forgotten' || entry.kind === 'newer') ids.add(entry.id);
    if (entry.kind === 'event' && entry.event.kind === 'tombstone')
      for (const target of entry.event.body.targets) ids.add(target);
  }
  return ids;
}

export interface Recovery {
  recovered: number;
  /** Damage of which nothing shows that all of it was recovered. It is reported until it is accepted. */
  remaining: LogDamage[];
}

const batchEvents = 500;
const unlimited = { maxMs: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };

/**
 * Appends what an index still holds of a damaged log, under the original ids and marked as recovered, and builds the
 * index anew from the log. Damaged lines go to quarantine first.
 */
export async function recoverLog(parts: DrainParts): Promise<Recovery> {
  const { events: folder } = parts.paths.project(parts.project);
  const { damage } = checkLog(folder);
  quarantine(folder, damage);
  const at = isoTime(parts.clock.now());
  const remaining = unrecovered(parts, damage, at);
  const events = recoverableEvents(parts).map((event) => ({ ...event, recovered: at }));
  for (let first = 0; first < events.length; first += batchEvents)
    parts.log.append(events.slice(first, first + batchEvents));
  acceptLog(folder, remaining);
  parts.access.erase();
  await drain(parts, unlimited);
  return { recovered: events.length, remaining };
}

/** Takes the log as it is now. What an index still holds beyond it is given up. */
export async function acceptDamage(parts: DrainParts): Promise<void> {
  const { events: folder } = parts.paths.project(parts.project);
  const isManifestOnly = checkLog(folder).damage.every(({ kind }) => kind === 'manifest');
  acceptLog(folder);
  if (isManifestOnly) return;
  parts.access.erase();
  await drain(parts, unlimited);
}

/** Damage that no index covers: a line it never held, or a part of a file that it had not read. */
function unrecovered(parts: LogParts, damage: LogDamage[], at: string): RecordedDamage[] {
  const lines = damage.filter(({ kind }) => kind === 'line');
  const held = new Set<string>();
  if (lines.length > 0)
    for (const { file, offset } of parts.access.heldLines()) held.add(`${file} ${offset}`);
  const read = parts.access.heldProgress();
  return damage
    .filter((one) => !isCovered(one, held, read))
    .map((one) => ({ ...one, at: 'at' in one && typeof one.at === 'string' ? one.at : at }));
}

function isCovered({ kind, file, offset = 0, length = 0 }: LogDamage, held: Set<string>, read: LogPosition) {
  if (kind === 'manifest') return true;
  if (kind === 'line') return held.has(`${file} ${offset}`);
  return (read[file] ?? 0) >= offset + length;
}
