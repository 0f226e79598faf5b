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
  // A line that had an end, with or without an intact checksum field, was once complete.
  const text = line.toString('latin1');
  return !text.includes(sumKey) && !endOfSum.test(text) && !controlByte.test(text) && !isJson(text);
}

const endOfSum = /[0-9a-f]{8}"\}$/;
/** JSON.stringify escapes them. */
const controlByte = /[\x00-\x1f]/;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
