import { chunkFields, type FileWords, headFields } from './file-words.ts';
import type { GoalWords } from './goal-words.ts';
import { countIn, keyIn, WordCounter, type WordKey } from './word-keys.ts';

/** Matches of a goal's words in one file. Words are identified by their position in the goal. */
export interface FileMatch {
  path: string;
  /** Total number of words, as the length of the file. */
  words: number;
  chunks: ChunkMatch[];
  definitions: number[];
  /** Words of the goal in the file name, and in the names of its folders. */
  name: number[];
  folders: number[];
  nameWords: number;
}

export interface ChunkMatch {
  line: number;
  words: number;
  terms: number[];
  counts: number[];
}

/** Totals and, for each word of the goal, how many chunks, files, definitions and paths contain it. */
export interface WordStatistics {
  chunks: number;
  files: number;
  words: number;
  inChunks: Float64Array;
  inFiles: Float64Array;
  inDefinitions: Float64Array;
  inPaths: Float64Array;
}

/** Reads the words of one file after another and keeps only those of the goal in memory. */
export class WordMatcher {
  readonly matches: FileMatch[] = [];
  /** The path of every file that was added, whether or not it matched. */
  readonly paths = new Set<string>();
  readonly statistics: WordStatistics;
  private readonly positions: Map<WordKey, number>;
  /** Has 1 at the upper 16 bits of each word of the goal. It rejects most words of a file without a map lookup. */
  private readonly upperBits = new Uint8Array(1 << 16);
  private readonly counter = new WordCounter();

  constructor({ keys }: GoalWords) {
    this.positions = new Map(keys.map((key, at) => [key, at]));
    for (const key of keys) this.upperBits[key >>> 16] = 1;
    const none = (): Float64Array => new Float64Array(keys.length);
    this.statistics = {
      chunks: 0,
      files: 0,
      words: 0,
      inChunks: none(),
      inFiles: none(),
      inDefinitions: none(),
      inPaths: none(),
    };
  }

  add(path: string, words: FileWords): void {
    const { statistics } = this;
    this.paths.add(path);
    const match: FileMatch = { path, words: 0, chunks: [], definitions: [], ...this.inPath(path) };
    if (words.length > 0) this.addWords(words, match);
    statistics.files++;
    statistics.words += match.words;
    addAll(statistics.inDefinitions, match.definitions);
    addAll(statistics.inPaths, [...match.name, ...match.folders]);
    addAll(statistics.inFiles, new Set(match.chunks.flatMap(({ terms }) => terms)));
    if (match.chunks.length + match.definitions.length + match.name.length + match.folders.length > 0)
      this.matches.push(match);
  }

  private addWords(words: FileWords, match: FileMatch): void {
    const chunkCount = words[0] as number;
    let at = headFields + chunkCount * chunkFields;
    for (const end = at + (words[1] as number); at < end; at++) {
      const position = this.positionOf(words[at] as number);
      if (position !== undefined) match.definitions.push(position);
    }
    for (let head = headFields; head < headFields + chunkCount * chunkFields; head += chunkFields) {
      const end = at + (words[head + 1] as number);
      const chunk = this.inChunk(words, at, end);
      at = end;
      match.words += words[head + 2] as number;
      if (chunk === undefined) continue;
      match.chunks.push({ line: words[head] as number, words: words[head + 2] as number, ...chunk });
      addAll(this.statistics.inChunks, chunk.terms);
    }
    this.statistics.chunks += chunkCount;
  }

  private inChunk(
    words: FileWords,
    from: number,
    end: number,
  ): Pick<ChunkMatch, 'terms' | 'counts'> | undefined {
    let found: Pick<ChunkMatch, 'terms' | 'counts'> | undefined;
    for (let at = from; at < end; at++) {
      const entry = words[at] as number;
      if (this.upperBits[entry >>> 16] === 0) continue;
      const position = this.positionOf(entry);
      if (position === undefined) continue;
      found ??= { terms: [], counts: [] };
      found.terms.push(position);
      found.counts.push(countIn(entry));
    }
    return found;
  }

  private inPath(path: string): Pick<FileMatch, 'name' | 'folders' | 'nameWords'> {
    const cut = path.lastIndexOf('/') + 1;
    const base = this.keysIn(path.slice(cut).replace(/\.[^.]*$/, ''));
    const name = this.positionsOf(base);
    const folders = cut === 0 ? [] : this.positionsOf(this.keysIn(path.slice(0, cut)));
    return { name, folders: folders.filter((position) => !name.includes(position)), nameWords: base.size };
  }

  private keysIn(text: string): Map<WordKey, number> {
    const keys = new Map<WordKey, number>();
    this.counter.count(text, keys);
    return keys;
  }

  private positionsOf(keys: Map<WordKey, number>): number[] {
    return [...keys.keys()].flatMap((key) => this.positions.get(key) ?? []);
  }

  private positionOf(entry: number): number | undefined {
    return this.positions.get(keyIn(entry));
  }
}

function addAll(counts: Float64Array, positions: Iterable<number>): void {
  for (const position of positions) counts[position] = (counts[position] as number) + 1;
}
