import { chunkFields, type FileWords, headFields } from './file-words.ts';
import type { GoalWords } from './goal-words.ts';
import { countIn, keyIn, WordCounter, type WordKey } from './word-keys.ts';

/** Where words of a goal stand in one file. Words are named by their place in the goal. */
export interface FileMatch {
  path: string;
  /** All words of the file, for its length. */
  words: number;
  chunks: ChunkMatch[];
  /** In names that the file defines. */
  definitions: number[];
  /** In the file's own name, and in the folders above it. */
  name: number[];
  folders: number[];
  /** How many words the file's own name has. */
  nameWords: number;
}

export interface ChunkMatch {
  line: number;
  words: number;
  terms: number[];
  counts: number[];
}

/** Of how many, in how many each word of the goal stands. */
export interface WordStatistics {
  chunks: number;
  files: number;
  words: number;
  inChunks: Float64Array;
  inFiles: Float64Array;
  inDefinitions: Float64Array;
  inPaths: Float64Array;
}

/** Goes through the words of file after file and keeps what the goal asks for; nothing else stays in memory. */
export class WordMatcher {
  readonly matches: FileMatch[] = [];
  /** Every path that was looked at. */
  readonly paths = new Set<string>();
  readonly statistics: WordStatistics;
  private readonly places: Map<WordKey, number>;
  /** Most words are none of the goal's; a table of the upper bits says so without a look into the map. */
  private readonly maybe = new Uint8Array(1 << 16);
  private readonly counter = new WordCounter();

  constructor({ keys }: GoalWords) {
    this.places = new Map(keys.map((key, at) => [key, at]));
    for (const key of keys) this.maybe[key >>> 16] = 1;
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
      const place = this.placeOf(words[at] as number);
      if (place !== undefined) match.definitions.push(place);
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
      if (this.maybe[entry >>> 16] === 0) continue;
      const place = this.placeOf(entry);
      if (place === undefined) continue;
      found ??= { terms: [], counts: [] };
      found.terms.push(place);
      found.counts.push(countIn(entry));
    }
    return found;
  }

  private inPath(path: string): Pick<FileMatch, 'name' | 'folders' | 'nameWords'> {
    const cut = path.lastIndexOf('/') + 1;
    const base = this.keysIn(path.slice(cut).replace(/\.[^.]*$/, ''));
    const name = this.placesOf(base);
    const folders = cut === 0 ? [] : this.placesOf(this.keysIn(path.slice(0, cut)));
    return { name, folders: folders.filter((place) => !name.includes(place)), nameWords: base.size };
  }

  private keysIn(text: string): Map<WordKey, number> {
    const keys = new Map<WordKey, number>();
    this.counter.count(text, keys);
    return keys;
  }

  private placesOf(keys: Map<WordKey, number>): number[] {
    return [...keys.keys()].flatMap((key) => this.places.get(key) ?? []);
  }

  private placeOf(entry: number): number | undefined {
    return this.places.get(keyIn(entry));
  }
}

function addAll(counts: Float64Array, places: Iterable<number>): void {
  for (const place of places) counts[place] = (counts[place] as number) + 1;
}
