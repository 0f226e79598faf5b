import { lineHash } from '../base/hash.ts';
import { fileLines } from '../text/file-lines.ts';
import { reindents } from '../text/indents.ts';
import { indexLines, isDistinctive, type LineIndex } from '../text/line-index.ts';
import { findBlock } from './find-block.ts';

/**
 * How lines are compared. `hashes`: by the hash that edit events store. `text`: by the text without whitespace, so
 * that reformatting is not a change.
 */
const lineKeys = { hashes: lineHash, text: (line: string) => line.replace(/\s+/g, '') };
export type LineKey = keyof typeof lineKeys;

/** One version of a file. Its line indexes are built on demand. */
export class SourceText {
  readonly lines: string[];
  readonly #indexes: Partial<Record<LineKey, LineIndex>> = {};

  constructor(text: string) {
    this.lines = fileLines(text);
  }

  indexed(by: LineKey): LineIndex {
    this.#indexes[by] ??= indexLines(this.lines.map(lineKeys[by]));
    return this.#indexes[by];
  }

  /**
   * Tests whether these lines begin at this index of the file, skipping blank lines. Returns their indexes, or
   * undefined.
   */
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

  /** Finds all places where these lines occur. */
  find(hashes: string[]): number[][] {
    return findBlock(hashes, this.indexed('hashes'));
  }

  /** Finds these lines with another indentation. Slow, because it tries all common indentations. */
  findReindented(hashes: string[]): number[][] {
    for (const reindent of reindents) {
      const lines = this.lines.map(reindent);
      if (lines.every((line, at) => line === this.lines[at])) continue;
      const found = findBlock(hashes, indexLines(lines.map(lineHash)));
      if (found.length > 0) return found;
    }
    return [];
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
