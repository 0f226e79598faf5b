import { hashId } from '../../base/hash.ts';
import { keyedHash } from '../../base/ids.ts';
import type { EventContext } from '../../domain/event.ts';
import type { Note } from '../../domain/note.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import { toEvent } from '../capture/capture.ts';
import { textHash } from '../capture/event-writer.ts';
import type { Device } from '../projects/device.ts';
import type { NoteParts } from './remember.ts';

/**
 * What was forgotten or rejected must stay so, whoever brings it again: extraction, a rebuilt index, an import,
 * a restored archive. A tombstone is an event that holds ids and keyed hashes, and never a word of the text.
 */
export const noteHash = (device: Device, id: string): string => keyedHash(device.key, `note ${id}`);

/** Of a note made of what was forgotten, which may be made again without it: what a team has of it is taken back. */
export const sharedHash = (device: Device, id: string): string => keyedHash(device.key, `shared ${id}`);

/** Of what such a note said: nobody brings it back from elsewhere; here it may be said again by what is left. */
export const copyHash = (device: Device, text: string): string =>
  keyedHash(device.key, `copy ${text.trim()}`);

/** Of a turn of which something was forgotten: nothing of it is distilled again, in whatever words. */
export const turnHash = (device: Device, agentSession: string, turn: string): string =>
  keyedHash(device.key, `turn ${agentSession} ${turn}`);

export function bury(
  parts: Pick<NoteParts, 'log' | 'userHome' | 'clock'>,
  context: EventContext,
  { targets, keyedHashes }: { targets: string[]; keyedHashes: string[] },
): void {
  const id = hashId('tombstone', ...targets, ...keyedHashes, String(parts.clock.now()));
  const tombstone = toEvent(
    { kind: 'tombstone', id, origin: 'user', trust: 3, body: { targets, keyedHashes } },
    { ...context, root: '', exclude: [], userHome: parts.userHome },
    parts.clock,
  );
  if (tombstone !== undefined) parts.log.append([tombstone]);
}

/** For imports and restores, which come seldom and may come before there is an index. */
export function readBuried(log: EventLog, device: Device): (note: Pick<Note, 'id' | 'text'>) => boolean {
  const hashes = buriedHashes(log);
  return ({ id, text }) =>
    hashes.has(noteHash(device, id)) ||
    hashes.has(textHash(device, text)) ||
    hashes.has(copyHash(device, text));
}

export function buriedHashes(log: EventLog): Set<string> {
  const hashes = new Set<string>();
  for (const { entry } of log.read({})) {
    if (entry.kind === 'event' && entry.event.kind === 'tombstone')
      for (const hash of entry.event.body.keyedHashes) hashes.add(hash);
  }
  return hashes;
}
