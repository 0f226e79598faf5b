import { definitionChunks } from '../code/chunks/definition-chunks.ts';
import type { Piece } from '../domain/memo.ts';
import type { WorkingFile } from '../domain/snapshot.ts';
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

export const carriedTokens = 1_500;
const maxFiles = 12;
const maxWholeTokens = 250;
/** A smaller file that was only read is not outlined: reading it costs little. */
const minOutlinedTokens = 1_000;
const outlineEntries = { edited: 16, read: 12 };
const minEntryLines = 20;
const maxRangeLines = 60;

/**
 * Chooses what a brief carries, most important first: outlines, or the whole of a small file, edited files first; then
 * ranges that the earlier agent read. An outline spares most, because the reader can then read a range instead of a
 * file. Which lines come next can seldom be foreseen, so lines are carried only if they are few: on 120 half-done
 * commits, lines alone cost as much as they spared (the archived evaluation `handoff`).
 *
 * `files` may be shown and are as the earlier agent knew them. `textOf` returns undefined for a file that may not.
 */
export async function carriedParts(
  files: WorkingFile[],
  textOf: (path: string) => Promise<string | undefined>,
  key: string,
): Promise<CarriedPart[]> {
  const order = [...files].sort(
    (a, b) =>
      Number(b.edits > 0) - Number(a.edits > 0) ||
      b.reads + b.edits - a.reads - a.edits ||
      b.last_used_at - a.last_used_at,
  );
  const first: CarriedPart[] = [];
  const ranges: CarriedPart[] = [];
  for (const { path, pieces, edits } of order.slice(0, maxFiles)) {
    const text = await textOf(path);
    const lines = text === undefined ? [] : fileLines(text);
    // Lines that would have to be changed to be harmless are not the file's lines any more.
    if (text === undefined || lines.length === 0 || harmless(text) !== text) continue;
    const tokens = estimateTokens(text);
    if (tokens <= maxWholeTokens) first.push(linesPart(path, lines, 1, lines.length, key));
    else if (edits > 0 || tokens >= minOutlinedTokens)
      first.push({ path, text: outlineText(path, lines, outlineEntries[edits > 0 ? 'edited' : 'read']) });
    // Parts of a file that was read from its start to its end say nothing about what matters in it.
    const isRead = pieces.reduce((sum, piece) => sum + piece.lines, 0) >= lines.length;
    for (const { startLine, lines: count } of tokens <= maxWholeTokens || isRead ? [] : [...pieces].reverse())
      if (count <= maxRangeLines) ranges.push(linesPart(path, lines, startLine, startLine + count - 1, key));
  }
  return [...first, ...ranges];
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
function outlineText(path: string, lines: string[], maxEntries: number): string {
  const least = Math.max(minEntryLines, Math.ceil(lines.length / maxEntries));
  const parts: { from: number; to: number; names: { name: string; line: number }[] }[] = [];
  for (const { from, to, names } of definitionChunks(lines.join('\n'))) {
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
