import type { Anchor } from '../domain/anchor.ts';
import { linesHash } from '../text/file-lines.ts';
import { formatAnchor } from './anchor-line.ts';
import { type CheckedCode, CurrentCode, symbolOf } from './current-code.ts';

const place = /^(.+?):(\d+)(?:-(\d+))?$/;
const parseTimeoutMs = 3_000;

/**
 * Converts the files that a user names for a note, `FILE` or `FILE:LINE-LINE`, to paths and anchors. Only names with
 * lines get an anchor. It reads the file and asks a parser for the symbol at these lines.
 */
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
    if (anchor !== undefined) anchors.push(formatAnchor(anchor));
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
): Promise<Anchor | undefined> {
  const file = now.file(path);
  const lines = file?.lines.slice(from - 1, to) ?? [];
  if (file === undefined || from < 1 || lines.length !== to - from + 1) return undefined;
  const symbols = await now.code.symbols?.(path, file.lines.join('\n'), now.remainingMs);
  const symbol = symbols && symbolOf(symbols, from, to);
  const name = symbol && [symbol.container, symbol.name].filter((part) => part !== '').join('.');
  return {
    path,
    start: from,
    lines: { kind: 'span', count: lines.length, hash: linesHash(now.code.key, lines) },
    commit: head,
    branch: '',
    at: 0,
    ...(name === undefined ? {} : { symbol: name }),
  };
}
