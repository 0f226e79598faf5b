import { crc32 } from '../../base/hash.ts';
import { type EventEnvelope, eventVersion, type ForgottenEvent } from '../../domain/event.ts';

/** The longest line that Backstory writes; a longer one is damage. */
export const maxLineBytes = 17 * 1024 * 1024;

export type LogEntry =
  | { kind: 'event'; event: EventEnvelope }
  | { kind: 'forgotten'; id: string }
  /**
   * A newer version of Backstory wrote the line, in a form that this version does not know. The line stays in the
   * log, but this version skips it.
   */
  | { kind: 'newer'; id: string }
  /**
   * Normal: every append starts with a newline, in case the previous write was cut off. If it was not, an empty line
   * remains.
   */
  | { kind: 'empty' }
  | { kind: 'damaged' };

/** Encodes an event as one line with its newline. The checksum covers every byte before it. */
export function encodeEvent(event: (EventEnvelope | ForgottenEvent) & { pad?: string }): string {
  const open = JSON.stringify(event).slice(0, -1);
  return `${open}${sumField(Buffer.from(open))}\n`;
}

/**
 * Like `encodeEvent`, but padded with spaces, which JSON ignores, to exactly `length` bytes, so that it can
 * replace another line in place. Returns undefined if the event is too long.
 */
export function encodeEventIn(event: EventEnvelope, length: number): string | undefined {
  const missing = length - Buffer.byteLength(encodeEvent(event));
  if (missing < 0) return undefined;
  const open = JSON.stringify(event).slice(0, -1) + ' '.repeat(missing);
  return `${open}${sumField(Buffer.from(open))}\n`;
}

export const sumField = (bytes: Uint8Array): string =>
  `,"sum":"${crc32(bytes).toString(16).padStart(8, '0')}"}`;

export function decodeLine(line: Buffer): LogEntry {
  if (line.length === 0) return { kind: 'empty' };
  // The checksum field is ASCII and of fixed length, so the covered bytes can be split off without decoding.
  const fieldBytes = 18;
  const cut = line.length - fieldBytes;
  if (cut <= 0) return { kind: 'damaged' };
  if (line.toString('latin1', cut) !== sumField(line.subarray(0, cut))) return { kind: 'damaged' };
  try {
    const value = JSON.parse(`${line.toString('utf8', 0, cut)}}`) as EventEnvelope & Partial<ForgottenEvent>;
    if (value.forgotten === true) return { kind: 'forgotten', id: value.id };
    if (value.v > eventVersion) return { kind: 'newer', id: value.id };
    return { kind: 'event', event: value };
  } catch {
    return { kind: 'damaged' };
  }
}

/**
 * Encodes the placeholder of a forgotten event in exactly `length` bytes with its newline, so that no offset
 * in the file changes.
 */
export function encodeForgotten(id: string, length: number): string {
  const bare = encodeEvent({ v: eventVersion, id, forgotten: true, pad: '' });
  const line = encodeEvent({ v: eventVersion, id, forgotten: true, pad: '.'.repeat(length - bare.length) });
  return line;
}
