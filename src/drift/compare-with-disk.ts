import type { Anchor } from '../domain/anchor.ts';
import { linesHash } from '../text/file-lines.ts';
import type { Drift } from '../wire/answers/memory.ts';
import type { CurrentCode } from './current-code.ts';
import { isDistinctiveBlock, type SourceText } from './source-text.ts';

/** An agent's report of an edit may begin with up to this many unchanged lines above the lines it wrote. */
const maxLinesAbove = 3;

interface DiskComparison {
  drift: Drift;
  /** The lines are at their recorded position. Elsewhere they may be others; only git's history can tell. */
  isCertain: boolean;
}

/** Compares an anchor with the file on disk, without git. Returns undefined if not all lines are found. */
export function compareWithDisk(anchor: Anchor, now: CurrentCode): DiskComparison | undefined {
  const file = now.file(anchor.path);
  if (file === undefined) return undefined;
  const { lines, path, start } = anchor;
  if (lines.kind === 'span') {
    const span = file.lines.slice(start - 1, start - 1 + lines.count);
    const isSame =
      lines.hash !== '' && span.length === lines.count && linesHash(now.code.key, span) === lines.hash;
    const place = { path, from: start, to: start + lines.count - 1 };
    return isSame
      ? { drift: { state: 'current', ...place, keptLines: lines.count, of: lines.count }, isCertain: true }
      : undefined;
  }
  const inPlace = blockInPlace(lines.hashes, start, file);
  if (inPlace !== undefined && isDistinctiveBlock(file, inPlace)) {
    return { drift: { state: 'current', path, ...keptLines(inPlace) }, isCertain: true };
  }
  // A line such as `return null;` that was found elsewhere may belong to another function.
  const [block, ...others] = file.find(lines.hashes);
  if (block === undefined || others.length > 0 || !isDistinctiveBlock(file, block)) return undefined;
  return { drift: { state: 'current', path, ...keptLines(block) }, isCertain: false };
}

/** Looks for the lines at their recorded position. This is tried first, because most code has not changed since. */
function blockInPlace(hashes: string[], start: number, file: SourceText): number[] | undefined {
  if (start === 0) return undefined;
  for (let above = 0; above <= maxLinesAbove; above++) {
    const block = file.startsAt(hashes, start - 1 + above);
    if (block !== undefined) return block;
  }
  return undefined;
}

export const keptLines = (block: number[]): { from: number; to: number; keptLines: number; of: number } => ({
  from: (block[0] as number) + 1,
  to: (block.at(-1) as number) + 1,
  keptLines: block.length,
  of: block.length,
});
