import type { Anchor } from '../domain/anchor.ts';
import { linesHash } from '../text/file-lines.ts';
import { type CheckedCode, CurrentCode, symbolOf } from './current-code.ts';

const place = /^(.+?):(\d+)(?:-(\d+))?$/;
const parseTimeoutMs = 3_000;

/** The paths of `FILE` and `FILE:LINE-LINE`, as a user names them, and the anchors of those with lines. */
export async function anchorsFromUser(
  names: string[],
  code: CheckedCode,
  head: string,
): Promise<{ files: string[]; anchors: string[] }> {
  const now = new CurrentCode({ ...code, budgetMs: parseTimeoutMs });
  const files: string[] = [];
  const anchors: string[] = [];
  for (const name of names) {
    const [, path = name, from, to] = place.exec(name) ?? [];
    if (!files.includes(path)) files.push(path);
    if (from === undefined) continue;
    const anchor = await anchorAt(path, Number(from), Number(to ?? from), head, now);
    if (anchor !== undefined) anchors.push(anchor);
  }
  return { files, anchors };
}

/** Makes an anchor for lines that a user named; returns undefined if the file does not have these lines. */
async function anchorAt(
  path: string,
  from: number,
  to: number,
  head: string,
  now: CurrentCode,
): Promise<string | undefined> {
  const file = now.file(path);
  if (file === undefined || to < from) return undefined;
  const lines = file.lines.slice(from - 1, to);
  if (lines.length !== to - from + 1) return undefined;
  const symbols = await now.code.symbols?.(path, file.lines.join('\n'), now.remainingMs);
  const symbol = symbols && symbolOf(symbols, from, to);
  const name = symbol && [symbol.container, symbol.name].filter((part) => part !== '').join('.');
  return formatAnchor(`${path}:${from}-${to}`, name, head, linesHash(now.code.key, lines));
}

/**
 * An anchor as a line of a note's front matter, which people can read and correct:
 * `src/load.js:3-9 load @1a2b3c4d5e6f #9f31c2…`. The symbol, the commit and the hash may be missing.
 */
export const formatAnchor = (
  place: string,
  symbol: string | undefined,
  commit: string,
  hash: string,
): string =>
  [
    place,
    ...(symbol === undefined ? [] : [symbol.replace(/\s+/g, '_')]),
    ...(commit === '' ? [] : [`@${commit.slice(0, 12)}`]),
    `#${hash}`,
  ].join(' ');

const anchorLine = /^(\S.*?):(\d+)(?:-(\d+))?(?: ([^@#\s]\S*))?(?: @([0-9a-f]{7,64}))?(?: #([0-9a-f]{32}))?$/;
const maxLines = 2_000;

/** Returns undefined if the line of a note's front matter does not name a place in a file. */
export function parseAnchor(text: string, at: number): Anchor | undefined {
  const [, path, from, to, symbol, commit = '', hash = ''] = anchorLine.exec(text.trim()) ?? [];
  const start = Number(from);
  const count = Number(to ?? from) - start + 1;
  if (path === undefined || start < 1 || count < 1 || count > maxLines) return undefined;
  return {
    path,
    start,
    lines: { kind: 'span', count, hash },
    commit,
    branch: '',
    at,
    ...(symbol === undefined ? {} : { symbol }),
  };
}
