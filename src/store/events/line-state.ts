import { sumField } from './event-line.ts';

/**
 * `torn` is the start of a line whose write was cut off by a kill or a full disk. Such an event was never
 * acknowledged, so this is no damage. Any other line that does not match its checksum is damaged.
 */
export type LineState = 'intact' | 'torn' | 'damaged';

const sumKey = ',"sum":"';
const fieldBytes = sumField(Buffer.alloc(0)).length;

export function lineState(line: Buffer): LineState {
  const cut = line.length - fieldBytes;
  if (cut > 0 && line.toString('latin1', cut) === sumField(line.subarray(0, cut))) return 'intact';
  return line.length === 0 || isBeginning(line) ? 'torn' : 'damaged';
}

/** Returns whether the bytes can be the beginning of an intact line, so that the rest may still be written. */
function isBeginning(line: Buffer): boolean {
  const head = '{"v":';
  const start = line.toString('latin1', 0, head.length);
  if (!head.startsWith(start)) return false;
  const tail = line.toString('latin1', Math.max(0, line.length - fieldBytes));
  const at = tail.lastIndexOf(sumKey);
  if (at !== -1) {
    const covered = line.subarray(0, line.length - tail.length + at);
    return sumField(covered).startsWith(tail.slice(at));
  }
  // A complete checksum field further left means that a complete line was there.
  return line.indexOf(sumKey) === -1 && isOpenJson(line);
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
/** The bytes of numbers, `true`, `false` and `null`. JSON.stringify writes no white space. */
const isScalarByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) || [0x2b, 0x2d, 0x2e, 0x45].includes(byte);

/** Whether the bytes are a valid prefix of a JSON object as JSON.stringify writes it, but incomplete. */
function isOpenJson(bytes: Buffer): boolean {
  const open: number[] = [];
  let isInString = false;
  let before = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (isInString) {
      if (byte < 0x20) return false;
      if (byte === backslash) at++;
      else if (byte === quote) isInString = false;
      before = quote;
      continue;
    }
    if (at > 0 && open.length === 0) return false;
    const isValueEnd = before === quote || before === closeBrace || before === closeBracket || before === 1;
    if (byte === quote) {
      if (isValueEnd) return false;
      isInString = true;
    } else if (byte === openBrace || byte === openBracket) {
      if (isValueEnd) return false;
      open.push(byte);
    } else if (byte === closeBrace || byte === closeBracket) {
      if (open.pop() !== (byte === closeBrace ? openBrace : openBracket)) return false;
      if (before === comma || before === colon) return false;
    } else if (byte === comma || byte === colon) {
      if (!isValueEnd) return false;
    } else if (!isScalarByte(byte) || (isValueEnd && before !== 1)) return false;
    before = isScalarByte(byte) ? 1 : byte;
  }
  return open.length > 0;
}
