import { lineHash } from '../base/hash.ts';
import { alignLines, maxEditGap } from '../text/align-lines.ts';
import { fileLines } from '../text/file-lines.ts';
import { indexLines, isDistinctive, type LineIndex, placesOf } from '../text/line-index.ts';

/** One version of a file. Lines are compared by `lineHash`, so that reformatting is not a change. */
export class SourceText {
  readonly lines: string[];
  #index: LineIndex | undefined;

  constructor(text: string) {
    this.lines = fileLines(text);
  }

  get index(): LineIndex {
    this.#index ??= indexLines(this.lines.map(lineHash));
    return this.#index;
  }

  /** The indexes of these lines if they begin at this index of the file; blank lines are skipped. */
  startsAt(hashes: string[], from: number): number[] | undefined {
    const block: number[] = [];
    let at = from;
    for (const hash of hashes) {
      while (this.lines[at]?.trim() === '') at++;
      const line = this.lines[at];
      if (line === undefined || lineHash(line) !== hash) return undefined;
      block.push(at++);
    }
    return block;
  }

  find(hashes: string[]): number[][] {
    return findBlock(hashes, this.index);
  }
}

const minDistinctiveLines = 3;
const minLettersInDistinctiveBlock = 80;
const minLettersToRecognise = 25;

/** Returns whether a block of lines is unlikely to be written twice by chance. */
export const isDistinctiveBlock = (text: SourceText, block: number[]): boolean =>
  distinctiveIn(text, block).length >= minDistinctiveLines &&
  lettersIn(text, block) >= minLettersInDistinctiveBlock;

/** Returns whether a block has enough text to count as moved if it disappears in one place and appears in another. */
export const isRecognisable = (text: SourceText, block: number[]): boolean =>
  lettersIn(text, block) >= minLettersToRecognise;

const distinctiveIn = (text: SourceText, block: number[]): number[] =>
  block.filter((at) => isDistinctive(text.lines[at] as string));

const lettersIn = (text: SourceText, block: number[]): number =>
  distinctiveIn(text, block).reduce(
    (sum, at) => sum + (text.lines[at] as string).replace(/[^\p{L}\p{N}]/gu, '').length,
    0,
  );

/** Every place where all of these lines occur, in order and close together. The rarest line is found first. */
export function findBlock(lines: string[], file: LineIndex, maxGap = maxEditGap): number[][] {
  const occurrences = lines.map((line) => placesOf(line, file).length);
  const rarest = occurrences.indexOf(Math.min(...occurrences));
  return placesOf(lines[rarest] ?? '', file)
    .map((place) => alignLines(lines, rarest, file, place, { maxGap }))
    .filter((block) => block.length === lines.length);
}
