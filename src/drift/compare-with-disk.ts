import type { Anchor, Drift } from '../domain/anchor.ts';
import { linesHash } from '../text/file-lines.ts';
import type { CurrentCode } from './current-code.ts';
import { isDistinct, type SourceText } from './source-text.ts';

/** Agents report a few unchanged lines above those they wrote. */
const linesAbove = 3;

export interface Look {
  drift: Drift;
  /** The lines stand where they stood; otherwise only the history can tell whether these are the same. */
  isSure: boolean;
}

/** What the file alone can tell of an anchor, without asking git; undefined where its lines are not all there. */
export function compareWithDisk(anchor: Anchor, now: CurrentCode): Look | undefined {
  const file = now.file(anchor.path);
  if (file === undefined) return undefined;
  const { lines, path, start } = anchor;
  if (lines.kind === 'span') {
    const span = file.lines.slice(start - 1, start - 1 + lines.count);
    const isIt =
      lines.hash !== '' && span.length === lines.count && linesHash(now.code.key, span) === lines.hash;
    const place = { path, from: start, to: start + lines.count - 1 };
    return isIt
      ? { drift: { state: 'current', ...place, keptLines: lines.count, of: lines.count }, isSure: true }
      : undefined;
  }
  const inPlace = blockInPlace(lines.hashes, start, file);
  if (inPlace !== undefined && isDistinct(file, inPlace)) {
    return { drift: { state: 'current', path, ...keptLines(inPlace) }, isSure: true };
  }
  // A line as common as `return null;` may belong to the function next door, wherever it stands.
  const [block, ...others] = file.find(lines.hashes);
  if (block === undefined || others.length > 0 || !isDistinct(file, block)) return undefined;
  return { drift: { state: 'current', path, ...keptLines(block) }, isSure: false };
}

/** The lines one after the other where they stood: most of memory is about code that nobody has touched since. */
function blockInPlace(hashes: string[], start: number, file: SourceText): number[] | undefined {
  if (start === 0) return undefined;
  for (let above = 0; above <= linesAbove; above++) {
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
