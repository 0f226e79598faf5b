import { isVaried } from './randomness.ts';
import { textBefore } from './text-before.ts';

/** Recognises lines from the middle of a key file, without its header, by their length and characters. */
const lineLengths = new Set([64, 70]);
const maxHeaderDistance = 6_000;
const headerLength = 60;
const maxMarkLength = 24;
const lineEndLength = 6;
const maxNeighbourLength = 100;

export function isKeyLine(text: string, start: number, end: number): boolean {
  if (!lineLengths.has(end - start) || !isLine(text, start, end)) return false;
  const line = text.slice(start, end);
  if (!/[a-z]/.test(line) || !/[A-Z]/.test(line) || !/\d/.test(line) || /[_-]/.test(line) || !isVaried(line))
    return false;
  // A line without `+` or `/` may be an id. It counts only if an adjacent line has the same length, so that both
  // belong to one block.
  const isBlock = hasNeighbour(text, start, end);
  if (!isBlock && !/[+/]/.test(line)) return false;
  // If the header before the line says that this is a certificate or a public key, it is not secret.
  const head = textBefore(text, start, maxHeaderDistance);
  const opened = head.lastIndexOf('-----BEGIN');
  return (
    opened === -1 ||
    head.indexOf('-----END', opened) !== -1 ||
    /PRIVATE/.test(head.slice(opened, opened + headerLength))
  );
}

/** Only spaces and the line number or mark of an editor or diff may precede the text. */
const isLine = (text: string, start: number, end: number): boolean =>
  /(?:^|\n)[ \t]{0,12}(?:\d{1,5}[:→|\t -]{1,3})?[ \t+>-]{0,4}$/.test(
    textBefore(text, start, maxMarkLength),
  ) && /^[ \t]{0,4}(?:\r?\n|\\n|$)/.test(text.slice(end, end + lineEndLength));

function hasNeighbour(text: string, start: number, end: number): boolean {
  const length = end - start;
  neighbour.lastIndex = end;
  const after = neighbour.exec(text)?.[1] ?? '';
  const before =
    /([A-Za-z0-9+/]{64,70})[ \t]{0,4}\r?\n[ \t]{0,12}$/.exec(
      textBefore(text, start, maxNeighbourLength),
    )?.[1] ?? '';
  return after.length === length || before.length === length || after.endsWith('=');
}

const neighbour = /[ \t]{0,4}\r?\n[ \t]{0,12}([A-Za-z0-9+/]{4,80}={0,2})(?=[ \t]{0,4}(?:\r?\n|$))/y;
