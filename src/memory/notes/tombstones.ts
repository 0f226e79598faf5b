import { hashId } from '../../base/hash.ts';
import { keyedHash } from '../../base/ids.ts';
import type { EventContext } from '../../domain/event.ts';
import { type Note, shortNoteId } from '../../domain/note.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import { textHash } from '../capture/event-writer.ts';
import { recordOwnEvents } from '../capture/own-events.ts';
import type { Device } from '../projects/device.ts';
import type { NoteParts } from './remember.ts';

/**
 * A tombstone keeps forgotten or rejected text from returning by extraction, reindexing, import or restore. It is an
 * event that contains ids and keyed hashes, never text. This is the hash for the id of a note, or for the short
 * id by which files of a repository name it.
 */
export const noteHash = (device: Device, id: string): string => keyedHash(device.key, `note ${id}`);

/** For a note derived from forgotten text: its copy on a team server is removed, but it may be extracted again here. */
export const sharedHash = (device: Device, id: string): string => keyedHash(device.key, `shared ${id}`);

/** For the text of a note derived from forgotten text: it may not be imported, but may be extracted again. */
export const copyHash = (device: Device, text: string): string =>
  keyedHash(device.key, `copy ${text.trim()}`);

/** Hash for a turn with forgotten text. No note is extracted from that turn again. */
export const turnHash = (device: Device, agentSession: string, turn: string): string =>
  keyedHash(device.key, `turn ${agentSession} ${turn}`);

/** Hash for an agent session with forgotten text. No summary of that session goes to a team, or stays there. */
export const sessionHash = (device: Device, agentSession: string): string =>
  keyedHash(device.key, `session ${agentSession}`);

export function bury(
  parts: Pick<NoteParts, 'log' | 'userHome' | 'clock'>,
  context: EventContext,
  body: { targets: string[]; keyedHashes: string[]; lifted?: string[] },
): void {
  const { targets, keyedHashes, lifted = [] } = body;
  const id = hashId('tombstone', ...targets, ...keyedHashes, ...lifted, String(parts.clock.now()));
  recordOwnEvents(parts, context, [{ kind: 'tombstone', id, origin: 'user', trust: 3, body }]);
}

/** The hashes of a rejected note: it is not proposed again under its id, and its text under no other. */
export const rejectionHashes = (device: Device, { id, text }: Pick<Note, 'id' | 'text'>): string[] => [
  ...[id, shortNoteId(id)].map((each) => noteHash(device, each)),
  textHash(device, text),
];

/** Reads the tombstones from the log, because imports and restores may run before an index exists. */
export function readBuried(parts: {
  log: EventLog;
  readonly device: Device;
}): (note: Pick<Note, 'id' | 'text'>) => boolean {
  const hashes = buriedHashes(parts.log);
  // Reading `device` may create its file. Without tombstones it is not needed.
  if (hashes.size === 0) return () => false;
  const { device } = parts;
  return ({ id, text }) =>
    hashes.has(noteHash(device, id)) ||
    hashes.has(textHash(device, text)) ||
    hashes.has(copyHash(device, text));
}

export function buriedHashes(log: EventLog): Set<string> {
  const hashes = new Set<string>();
  for (const { entry } of log.read({})) {
    if (entry.kind !== 'event' || entry.event.kind !== 'tombstone') continue;
    for (const hash of entry.event.body.keyedHashes) hashes.add(hash);
    for (const hash of entry.event.body.lifted ?? []) hashes.delete(hash);
  }
  return hashes;
}
