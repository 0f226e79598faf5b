import { isVaried } from './randomness.ts';

/** Lines out of the middle of a key file have nothing around them that says so; their length and letters do. */
const lineLengths = new Set([64, 70]);
const headReach = 6_000;

export function isKeyLine(text: string, start: number, end: number): boolean {
  if (!lineLengths.has(end - start) || !isLine(text, start, end)) return false;
  const line = text.slice(start, end);
  if (!/[a-z]/.test(line) || !/[A-Z]/.test(line) || !/\d/.test(line) || /[_-]/.test(line) || !isVaried(line))
    return false;
  // Without one of these signs it may be an id; a neighbour of the same length makes it a block.
  const isBlock = hasNeighbour(text, start, end);
  if (!isBlock && !/[+/]/.test(line)) return false;
  // A certificate or a public key is meant to be seen.
  const head = text.slice(Math.max(0, start - headReach), start);
  const opened = head.lastIndexOf('-----BEGIN');
  return (
    opened === -1 ||
    head.indexOf('-----END', opened) !== -1 ||
    /PRIVATE/.test(head.slice(opened, opened + 60))
  );
}

/** Nothing but space and the numbers that an editor or a diff puts before a line. */
const isLine = (text: string, start: number, end: number): boolean =>
  /(?:^|\n)[ \t]{0,12}(?:\d{1,5}[:→|\t -]{1,3})?[ \t+>-]{0,4}$/.test(
    text.slice(Math.max(0, start - 24), start),
  ) && /^[ \t]{0,4}(?:\r?\n|\\n|$)/.test(text.slice(end, end + 6));

function hasNeighbour(text: string, start: number, end: number): boolean {
  const length = end - start;
  neighbour.lastIndex = end;
  const after = neighbour.exec(text)?.[1] ?? '';
  const before =
    /([A-Za-z0-9+/]{64,70})[ \t]{0,4}\r?\n[ \t]{0,12}$/.exec(
      text.slice(Math.max(0, start - 100), start),
    )?.[1] ?? '';
  return after.length === length || before.length === length || (after.length > 0 && after.endsWith('='));
}

const neighbour = /[ \t]{0,4}\r?\n[ \t]{0,12}([A-Za-z0-9+/]{4,80}={0,2})(?=[ \t]{0,4}(?:\r?\n|$))/y;
