import type { Anchor, Drift } from '../domain/anchor.ts';
import { linesHash } from '../text/file-lines.ts';
import type { CodeNow } from './code-now.ts';
import { isDistinct, type SourceText } from './source-text.ts';

/** Agents report a few unchanged lines above those they wrote. */
const linesAbove = 3;

export interface Look {
  drift: Drift;
  /** The lines stand where they stood; otherwise only the history can tell whether these are the same. */
  isSure: boolean;
}

/** What the file alone can tell of an anchor, without asking git; undefined where its lines are not all there. */
export function lookOnDisk(anchor: Anchor, now: CodeNow): Look | undefined {
  const file = now.file(anchor.path);
  if (file === undefined) return undefined;
  const { lines, path, start } = anchor;
  if (lines.kind === 'span') {
    const span = file.lines.slice(start - 1, start - 1 + lines.count);
    const isIt =
      lines.hash !== '' && span.length === lines.count && linesHash(now.code.key, span) === lines.hash;
    const place = { path, from: start, to: start + lines.count - 1 };
    return isIt
      ? { drift: { state: 'current', ...place, standing: lines.count, of: lines.count }, isSure: true }
      : undefined;
  }
  const blocks = file.find(lines.hashes);
  const isInPlace = (block: number[]) => {
    const below = (block[0] as number) - (start - 1);
    return start > 0 && below >= 0 && below <= linesAbove;
  };
  const block = blocks.find(isInPlace) ?? (blocks.length === 1 ? blocks[0] : undefined);
  if (block === undefined) return undefined;
  if (!isInPlace(block) && !isDistinct(file, block)) return undefined;
  return {
    drift: { state: 'current', path, ...standing(block) },
    isSure: isInPlace(block) && isTight(block, file),
  };
}

/** With nothing but blank lines between; otherwise a line may be another one that says the same. */
const isTight = (block: number[], { lines }: SourceText): boolean =>
  block.every(
    (at, index) =>
      index === 0 || lines.slice((block[index - 1] as number) + 1, at).every((line) => line.trim() === ''),
  );

export const standing = (block: number[]): { from: number; to: number; standing: number; of: number } => ({
  from: (block[0] as number) + 1,
  to: (block.at(-1) as number) + 1,
  standing: block.length,
  of: block.length,
});
