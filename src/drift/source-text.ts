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

  /**
   * Where lines known by their hashes stand. If they do not stand as they are, then as they may have stood before
   * somebody indented them differently.
   */
  find(hashes: string[]): number[][] {
    const blocks = findBlock(hashes, this.hashed);
    if (blocks.length > 0) return blocks;
    for (const way of reindents) {
      const found = findBlock(hashes, hashFile(this.lines.map(way)));
      if (found.length > 0) return found;
    }
    return [];
  }
}

const fewestTelling = 3;
const fewestLetters = 80;

/** Whether these lines together are hardly written twice by chance. */
export function isDistinct(text: SourceText, block: number[]): boolean {
  const telling = block.filter((at) => text.hashed.isTelling[at] === true);
  const letters = telling.reduce(
    (sum, at) => sum + (text.lines[at] as string).replace(/[^\p{L}\p{N}]/gu, '').length,
    0,
  );
  return telling.length >= fewestTelling && letters >= fewestLetters;
}
