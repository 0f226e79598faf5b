import { definitionChunks } from '../code/chunks/definition-chunks.ts';
import type { Piece } from '../domain/memo.ts';
import type { WorkingFile } from '../domain/snapshot.ts';
import type { ChangedLines } from '../git/uncommitted-changes.ts';
import { harmless, harmlessLine } from '../text/fence.ts';
import { fileLines, linesHash } from '../text/file-lines.ts';
import { safeName } from '../text/safe-name.ts';
import { estimateTokens } from '../text/tokens.ts';

/** An outline or lines of a file that the earlier agent used, for the brief. */
export interface CarriedPart {
  path: string;
  text: string;
  /** The lines that the reader then knows; absent for an outline. */
  piece?: Piece;
}

/** Tokens of carried parts in a brief. Measured with `npm run eval -- handoff`: more lines cost more than they spare. */
export const carriedTokens = 1_500;
const maxFiles = 12;
const maxWholeTokens = 250;
const maxOutlineEntries = 25;
const maxReadLines = 60;

export interface CarriedFrom {
  /** Files that may be shown and are as the earlier agent knew them. */
  files: WorkingFile[];
  /** Returns a file's text, or undefined if it may not be shown. */
  textOf(path: string): Promise<string | undefined>;
  /** Uncommitted changes. */
  changes: ChangedLines[];
  /** The device's key for line hashes. */
  key: string;
}

/**
 * Chooses what a brief carries, most important first: outlines, or the whole of a small file, edited files first; then
 * the lines where the work stopped; then ranges that the earlier agent read. An outline spares most, because the reader
 * can then read a range instead of a file.
 */
export async function carriedParts({ files, textOf, changes, key }: CarriedFrom): Promise<CarriedPart[]> {
  const order = [...files].sort(
    (a, b) =>
      Number(b.edits > 0) - Number(a.edits > 0) ||
      b.reads + b.edits - a.reads - a.edits ||
      b.last_used_at - a.last_used_at,
  );
  const outlines: CarriedPart[] = [];
  const stopped: CarriedPart[] = [];
  const ranges: CarriedPart[] = [];
  for (const { path, pieces } of order.slice(0, maxFiles)) {
    const text = await textOf(path);
    const lines = text === undefined ? [] : fileLines(text);
    // Lines that would have to be changed to be harmless are not the file's lines any more.
    if (text === undefined || lines.length === 0 || harmless(text) !== text) continue;
    const partOf = (from: number, to: number) => linesPart(path, lines, from, to, key);
    if (estimateTokens(text) <= maxWholeTokens) {
      outlines.push(partOf(1, lines.length));
      continue;
    }
    const chunks = definitionChunks(lines.join('\n'));
    outlines.push({ path, text: outlineText(path, lines, chunks) });
    const last = changes.find((file) => file.path === path)?.ends.at(-1);
    const at = last === undefined ? -1 : chunks.findIndex(({ to }) => to >= last);
    const next = at === -1 ? [] : chunks.slice(at, at + 2);
    if (next[0] !== undefined) stopped.push(partOf(next[0].from, (next.at(-1) ?? next[0]).to));
    for (const { startLine, lines: count } of [...pieces].reverse())
      if (count <= maxReadLines) ranges.push(partOf(startLine, startLine + count - 1));
  }
  return [...outlines, ...stopped.slice(0, 1), ...ranges];
}

function linesPart(path: string, all: string[], from: number, to: number, key: string): CarriedPart {
  const lines = all.slice(from - 1, to);
  const text = [
    `${safeName('file', path)}:${from}-${from - 1 + lines.length} of ${all.length} lines`,
    ...lines.map((line) => `|${line}`),
  ].join('\n');
  const tokens = estimateTokens(text);
  const hash = linesHash(key, lines);
  return { path, text, piece: { startLine: from, lines: lines.length, total: all.length, hash, tokens } };
}

/** The parts of a file, each with its first definition and the names of the others. */
function outlineText(path: string, lines: string[], chunks: ReturnType<typeof definitionChunks>): string {
  const least = Math.ceil(lines.length / maxOutlineEntries);
  const parts: { from: number; to: number; names: { name: string; line: number }[] }[] = [];
  for (const { from, to, names } of chunks) {
    const before = parts.at(-1);
    if (before === undefined || before.to - before.from + 1 >= least)
      parts.push({ from, to, names: [...names] });
    else {
      before.to = to;
      before.names.push(...names);
    }
  }
  const entries = parts.map(({ from, to, names: [first, ...others] }) => {
    const more = [...new Set(others.map(({ name }) => name))].slice(0, 3).join(', ');
    const start = harmlessLine(lines[(first?.line ?? from) - 1] ?? '', 70);
    return `|${from}-${to} ${start}${more === '' ? '' : ` … ${more}`}`;
  });
  return [`${safeName('file', path)}, outline of ${lines.length} lines`, ...entries].join('\n');
}
