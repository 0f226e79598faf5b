import { maxEditGap } from '../text/align-lines.ts';
import { indexLines, isDistinctive, type LineIndex } from '../text/line-index.ts';
import { mapLines } from './line-mapping.ts';
import { findBlock, isDistinctiveBlock, isRecognisable, type SourceText } from './source-text.ts';

/** An earlier version of a file with the code to look for. `block` has the indexes of that code's lines. */
export interface OldVersion {
  keys: string[];
  block: number[];
  /** Undefined if only the hashes of the lines are known. */
  text?: SourceText;
}

export type Comparison =
  /** All lines of the block exist in the later version, in place or shifted together with the lines around them. */
  | { kind: 'whole'; block: number[] }
  /** All lines of the block exist in the later version, at another place of the file. */
  | { kind: 'shifted'; block: number[] }
  | { kind: 'lost'; keptLines: number; of: number; replacement: Replacement };

/** The text that the later version has in the place of lost lines. */
export interface Replacement {
  lines: number;
  /** The share of the old lines' words that the new lines contain. */
  similarity: number;
  isDistinctive: boolean;
}

/** Compares lines of one version with a later version. Returns undefined if the diff takes too long. */
export function compareVersions(origin: OldVersion, now: SourceText): Comparison | undefined {
  const file = now.index;
  const mapping = mapLines(origin.keys, file.keys);
  if (mapping === undefined) return undefined;
  const withWords = origin.block.filter((at) => hasWords(origin, at));
  const counted = withWords.length === 0 ? origin.block : withWords;
  const kept = counted.map((at) => mapping[at] as number).filter((at) => at >= 0);
  // Only lines with words are counted: a diff cannot tell identical closing braces apart.
  if (kept.length === counted.length) {
    const block = origin.block.map((at) => mapping[at] as number).filter((at) => at >= 0);
    return { kind: 'whole', block };
  }
  const elsewhere = findPasted(origin, file, mapping, now);
  if (elsewhere !== undefined) return { kind: 'shifted', block: elsewhere };
  return {
    kind: 'lost',
    keptLines: kept.length,
    of: counted.length,
    replacement: replacementOf(origin, mapping, now),
  };
}

const hasWords = ({ text }: OldVersion, at: number): boolean =>
  text === undefined || /[\p{L}\p{N}]/u.test(text.lines[at] as string);

/** Finds the lines of a block at another place of the later version that is new there, as after cut and paste. */
function findPasted(
  origin: OldVersion,
  file: LineIndex,
  mapping: number[],
  now: SourceText,
): number[] | undefined {
  const old = new Set(mapping);
  const found = findMoved(origin, file);
  const [only] = found;
  const isOnly = found.length === 1 && findMoved(origin, indexLines(origin.keys)).length === 1;
  if (only !== undefined && isOnly && isDistinctiveBlock(now, only)) return only;
  return found.find(
    (block) => isRecognisable(now, block) && block.filter((at) => old.has(at)).length * 2 < block.length,
  );
}

/** Finds the lines of a block in another file or version, with about the same gaps between them. */
export function findMoved({ keys, block, text }: OldVersion, file: LineIndex): number[][] {
  const lines = block.map((at) => keys[at] as string);
  return findBlock(lines, file, text === undefined ? maxEditGap : widestGap(block) + 1);
}

function replacementOf({ block, text }: OldVersion, mapping: number[], now: SourceText): Replacement {
  const [first, last] = [block[0] as number, block.at(-1) as number];
  const isKept = (at: number) => at !== -1;
  const start = (mapping.slice(0, first).findLast(isKept) ?? -1) + 1;
  const after = mapping.slice(last + 1).find(isKept) ?? now.lines.length;
  const kept = new Set(mapping);
  const fresh = now.lines.slice(start, after).filter((_, at) => !kept.has(start + at));
  return {
    lines: fresh.filter((line) => line.trim() !== '').length,
    similarity:
      text === undefined
        ? 0
        : wordOverlap(
            block.map((at) => text.lines[at] as string),
            fresh,
          ),
    isDistinctive: fresh.some(isDistinctive),
  };
}

function wordOverlap(lines: string[], others: string[]): number {
  const own = wordsIn(lines);
  const have = wordsIn(others);
  return own.size === 0 ? 0 : [...own].filter((word) => have.has(word)).length / own.size;
}

const wordsIn = (lines: string[]): Set<string> => new Set(lines.join('\n').match(/[\p{L}_]\w{2,}|\d+/gu));

/** The largest distance between two adjacent lines of a block; 0 for a single line. */
const widestGap = (block: number[]): number =>
  Math.max(...block.map((at, index) => at - (block[index - 1] ?? at)));
