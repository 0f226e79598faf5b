import { lineHash } from '../base/hash.ts';
import { isDistinctive } from '../text/distinctive-line.ts';
import { fileLines } from '../text/file-lines.ts';
import { reindents } from '../text/indents.ts';
import { indexLines, type LineIndex } from '../text/line-index.ts';
import { findBlock } from './find-block.ts';

/** Lines are compared by their hash, or by their text without whitespace, which is no change of code. */
const lineKeys = { hashes: lineHash, text: (line: string) => line.replace(/\s+/g, '') };
export type LineKey = keyof typeof lineKeys;

/** One version of a file, taken apart as far as somebody asks. */
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

  /** Whether they stand from this line on, blank ones aside; looks at no other line of the file. */
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

  /** Where lines known by their hashes stand. */
  find(hashes: string[]): number[][] {
    return findBlock(hashes, this.indexed('hashes'));
  }

  /** Where they stand as they may have stood before somebody indented them differently. Slow: every way is tried. */
  findReindented(hashes: string[]): number[][] {
    for (const way of reindents) {
      const lines = this.lines.map(way);
      if (lines.every((line, at) => line === this.lines[at])) continue;
      const found = findBlock(hashes, indexLines(lines.map(lineHash)));
      if (found.length > 0) return found;
    }
    return [];
  }
}

const minTelling = 3;
const fewLetters = 25;
const minLetters = 80;

/** Whether these lines together are hardly written twice by chance. */
export const isDistinct = (text: SourceText, block: number[]): boolean =>
  tellingIn(text, block).length >= minTelling && lettersIn(text, block) >= minLetters;

/** Whether they say enough to be taken for the same, where they went at one place and came at another. */
export const isNoteworthy = (text: SourceText, block: number[]): boolean =>
  lettersIn(text, block) >= fewLetters;

const tellingIn = (text: SourceText, block: number[]): number[] =>
  block.filter((at) => isDistinctive(text.lines[at] as string));

const lettersIn = (text: SourceText, block: number[]): number =>
  tellingIn(text, block).reduce(
    (sum, at) => sum + (text.lines[at] as string).replace(/[^\p{L}\p{N}]/gu, '').length,
    0,
  );
