import { maxEditGap } from '../text/align-lines.ts';
import { isDistinctive } from '../text/distinctive-line.ts';
import { indexLines, type LineIndex } from '../text/line-index.ts';
import { findBlock, widestGap } from './find-block.ts';
import { lineFates } from './line-fates.ts';
import { isDistinct, isNoteworthy, type LineKey, type SourceText } from './source-text.ts';

/** A version of a file in which the lines stand, with where they do, from 0. */
export interface OldVersion {
  /** Told apart as the later version is: by text without whitespace, or by hashes where there is no text. */
  keys: string[];
  block: number[];
  by: LineKey;
  text?: SourceText;
}

export type Comparison =
  /** All of them stand, where they stood or where what stands around them went. */
  | { kind: 'whole'; block: number[] }
  /** All of them stand, at another place of the file. */
  | { kind: 'shifted'; block: number[] }
  | { kind: 'lost'; keptLines: number; of: number; replacement: Replacement };

/** What stands in a later version where the lines stood. */
export interface Replacement {
  /** How many lines that were not there before. */
  lines: number;
  /** The share of the words that stood there and still do. */
  likeness: number;
  isTelling: boolean;
}

/** What has become of some lines of one version in another. Undefined where it takes too long to find out. */
export function compare(origin: OldVersion, now: SourceText): Comparison | undefined {
  const file = now.indexed(origin.by);
  const fates = lineFates(origin.keys, file.keys, origin.block);
  if (fates === undefined) return undefined;
  const worded = origin.block.filter((at) => hasWords(origin, at));
  const counted = worded.length === 0 ? origin.block : worded;
  const kept = counted.map((at) => fates[at] as number).filter((at) => at >= 0);
  // Which of several braces is which no diff can tell, and nothing hangs on it.
  if (kept.length === counted.length) {
    const block = origin.block.map((at) => fates[at] as number).filter((at) => at >= 0);
    return { kind: 'whole', block };
  }
  const elsewhere = blockOfNewLines(origin, file, fates, now);
  if (elsewhere !== undefined) return { kind: 'shifted', block: elsewhere };
  return {
    kind: 'lost',
    keptLines: kept.length,
    of: counted.length,
    replacement: replacementOf(origin, fates, now),
  };
}

const hasWords = ({ text }: OldVersion, at: number): boolean =>
  text === undefined || /[\p{L}\p{N}]/u.test(text.lines[at] as string);

/** The same lines among those that are new in the file: cut out here and put in there. */
function blockOfNewLines(
  origin: OldVersion,
  file: LineIndex,
  fates: number[],
  now: SourceText,
): number[] | undefined {
  const old = new Set(fates);
  const found = findAgain(origin, file);
  const [only] = found;
  const isOnly = found.length === 1 && findAgain(origin, indexLines(origin.keys)).length === 1;
  if (only !== undefined && isOnly && isDistinct(now, only)) return only;
  return found.find(
    (block) => isNoteworthy(now, block) && block.filter((at) => old.has(at)).length * 2 < block.length,
  );
}

/** Where the lines of a block stand as closely together as they did. */
export function findAgain({ keys, block, by }: OldVersion, file: LineIndex): number[][] {
  const lines = block.map((at) => keys[at] as string);
  return findBlock(lines, file, by === 'text' ? widestGap(block) + 1 : maxEditGap);
}

function replacementOf({ keys, block, text }: OldVersion, fates: number[], now: SourceText): Replacement {
  const [first, last] = [block[0] as number, block.at(-1) as number];
  const before = fates.slice(0, first).findLast((at) => at >= 0) ?? -1;
  const after = fates.slice(last + 1).find((at) => at >= 0) ?? now.lines.length;
  const kept = new Set(fates.slice(first, last + 1));
  const fresh: string[] = [];
  for (let at = before + 1; at < after; at++) if (!kept.has(at)) fresh.push(now.lines[at] as string);
  return {
    lines: fresh.filter((line) => line.trim() !== '').length,
    likeness:
      text === undefined
        ? 0
        : likeness(
            block.map((at) => text.lines[at] as string),
            fresh,
          ),
    isTelling: keys.length > 0 && fresh.some(isDistinctive),
  };
}

/** The share of the words of some lines that others have, too. */
function likeness(lines: string[], others: string[]): number {
  const own = wordsIn(lines);
  const have = wordsIn(others);
  return own.size === 0 ? 0 : [...own].filter((word) => have.has(word)).length / own.size;
}

const wordsIn = (lines: string[]): Set<string> => new Set(lines.join('\n').match(/[\p{L}_]\w{2,}|\d+/gu));
