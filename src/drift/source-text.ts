import { fileLines } from '../text/file-lines.ts';
import { type HashedFile, hashFile } from '../text/hashed-file.ts';
import { reindents } from '../text/indents.ts';
import { findBlock, type KeyedFile, placesOf } from './find-block.ts';

/** One version of a file, taken apart as far as somebody asks. */
export class SourceText {
  readonly lines: string[];
  #hashed: HashedFile | undefined;
  #keyed: KeyedFile | undefined;

  constructor(text: string) {
    this.lines = fileLines(text);
  }

  get hashed(): HashedFile {
    this.#hashed ??= hashFile(this.lines);
    return this.#hashed;
  }

  /** Without whitespace, which is no change of code. */
  get keyed(): KeyedFile {
    this.#keyed ??= placesOf(this.lines.map((line) => line.replace(/\s+/g, '')));
    return this.#keyed;
  }

  /** Where lines known by their hashes stand. */
  find(hashes: string[]): number[][] {
    return findBlock(hashes, this.hashed);
  }

  /** Where they stand as they may have stood before somebody indented them differently. Slow: every way is tried. */
  findReindented(hashes: string[]): number[][] {
    for (const way of reindents) {
      const lines = this.lines.map(way);
      if (lines.every((line, at) => line === this.lines[at])) continue;
      const found = findBlock(hashes, hashFile(lines));
      if (found.length > 0) return found;
    }
    return [];
  }
}

const fewestTelling = 3;
const fewLetters = 25;
const fewestLetters = 80;

/** Whether these lines together are hardly written twice by chance. */
export const isDistinct = (text: SourceText, block: number[]): boolean =>
  tellingIn(text, block).length >= fewestTelling && lettersIn(text, block) >= fewestLetters;

/** Whether they say enough to be taken for the same, where they went at one place and came at another. */
export const isNoteworthy = (text: SourceText, block: number[]): boolean =>
  lettersIn(text, block) >= fewLetters;

const tellingIn = (text: SourceText, block: number[]): number[] =>
  block.filter((at) => text.hashed.isTelling[at] === true);

const lettersIn = (text: SourceText, block: number[]): number =>
  tellingIn(text, block).reduce(
    (sum, at) => sum + (text.lines[at] as string).replace(/[^\p{L}\p{N}]/gu, '').length,
    0,
  );
