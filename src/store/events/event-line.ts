import { crc32 } from '../../base/hash.ts';
import { parseObject } from '../../base/json.ts';
import { type EventEnvelope, eventVersion, type ForgottenEvent } from '../../domain/event.ts';

/** The longest line that Backstory writes; a longer one is damage. */
export const maxLineBytes = 17 * 1024 * 1024;

export type LogEntry =
  | { kind: 'event'; event: EventEnvelope }
  | { kind: 'forgotten'; id: string }
  /** A newer version wrote it in a form that this one does not know. It stays in the log and is skipped. */
  | { kind: 'newer'; id: string }
  /** Every append starts with a newline, in case the previous write was cut off. */
  | { kind: 'empty' }
  | { kind: 'damaged' };

/** Encodes an event as one line with its newline. The checksum covers every byte before it, also added `spaces`. */
export function encodeEvent(event: (EventEnvelope | ForgottenEvent) & { pad?: string }, spaces = 0): string {
  const open = JSON.stringify(event).slice(0, -1) + ' '.repeat(spaces);
  return `${open}${sumField(Buffer.from(open))}\n`;
}

/** Padded to exactly `length` bytes with spaces, which JSON ignores; undefined if it is too long. */
export function encodeEventIn(event: EventEnvelope, length: number): string | undefined {
  const missing = length - Buffer.byteLength(encodeEvent(event));
  return missing < 0 ? undefined : encodeEvent(event, missing);
}

const sumField = (bytes: Uint8Array): string => `${sumKey}${crc32(bytes).toString(16).padStart(8, '0')}"}`;

const sumKey = ',"sum":"';
/** The checksum field is ASCII and of fixed length, so the covered bytes can be split off without decoding. */
const sumBytes = `${sumKey}01234567"}`.length;

function isIntact(line: Buffer): boolean {
  const cut = line.length - sumBytes;
  return cut > 0 && line.toString('latin1', cut) === sumField(line.subarray(0, cut));
}

export function decodeLine(line: Buffer): LogEntry {
  if (line.length === 0) return { kind: 'empty' };
  if (!isIntact(line)) return { kind: 'damaged' };
  try {
    const value = JSON.parse(`${line.toString('utf8', 0, line.length - sumBytes)}}`) as EventEnvelope &
      Partial<ForgottenEvent>;
    if (value.forgotten === true) return { kind: 'forgotten', id: value.id };
    if (value.v > eventVersion) return { kind: 'newer', id: value.id };
    return { kind: 'event', event: value };
  } catch {
    return { kind: 'damaged' };
  }
}

/** The placeholder of a forgotten event, in exactly `length` bytes, so that no offset in the file changes. */
export function encodeForgotten(id: string, length: number): string {
  const bare = encodeEvent({ v: eventVersion, id, forgotten: true, pad: '' });
  return encodeEvent({ v: eventVersion, id, forgotten: true, pad: '.'.repeat(length - bare.length) });
}

/**
 * `torn` is the start of a line whose write was cut off by a kill or a full disk. Such an event was never
 * acknowledged, so this is no damage. Any other line that does not match its checksum is damaged.
 */
export const lineState = (line: Buffer): 'intact' | 'torn' | 'damaged' =>
  isIntact(line) ? 'intact' : line.length === 0 || isBeginning(line) ? 'torn' : 'damaged';

/** Whether the bytes can be the beginning of an intact line, so that the rest may still be written. */
function isBeginning(line: Buffer): boolean {
  const head = '{"v":';
  const start = line.toString('latin1', 0, head.length);
  if (!head.startsWith(start)) return false;
  const tail = line.toString('latin1', Math.max(0, line.length - sumBytes));
  const at = tail.lastIndexOf(sumKey);
  if (at !== -1) {
    const covered = line.subarray(0, line.length - tail.length + at);
    return sumField(covered).startsWith(tail.slice(at));
  }
  // A line that had an end, with or without an intact checksum field, was once complete.
  const text = line.toString('latin1');
  return (
    !text.includes(sumKey) &&
    !endOfSum.test(text) &&
    !controlByte.test(text) &&
    parseObject(text) === undefined
  );
}

const endOfSum = /[0-9a-f]{8}"\}$/;
/** JSON.stringify escapes them. */
const controlByte = /[\x00-\x1f]/;
