import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../base/errors.ts';
import { createRecentResults } from '../base/recent-results.ts';
import { type Embedder, toUnitLength } from './embed.ts';
import { createTranslations, type Translations, type TranslationsHeader } from './translations.ts';
import { createVocabulary, hashWords, slotsFor, type WordTable } from './vocabulary.ts';
import { piecesOf, type Run } from './word-pieces.ts';

/**
 * The built-in model: static embeddings, one vector per word or word piece, summed over the text. It is a file in the
 * package, made by the recipe in bench/model, and needs no download, native code or extra process.
 *
 * File format: magic number, length of the header (32 bits), header (JSON), vocabulary (one entry per line), one 32-bit
 * scale per entry, then the vectors with one byte per number. All lengths are multiples of four.
 */
const magic = 'BSTE';
/** The words of other languages are in a second file next to it, with the same kind of header. */
const translationsFile = 'translations.bin';
const translationsMagic = 'BSTR';

interface Header {
  name: string;
  dims: number;
  entries: number;
  vocabularyBytes: number;
  /** Hash of everything after the header. */
  sha256: string;
}

/** A text with a smaller share of known letters is in another language, or no language; it gets a zero vector. */
const minKnownShare = 0.5;

export function loadStaticModel(path: string): Embedder {
  const file = readModel(path);
  const { header, bodyAt: vocabularyAt } = readHeader<Header>(file, path, magic);
  const { dims, entries } = header;
  const scalesAt = vocabularyAt + header.vocabularyBytes;
  const numbersAt = scalesAt + entries * 4;
  if (dims % 4 !== 0 || file.length !== numbersAt + entries * dims) throw broken(path);
  const vocabulary = createVocabulary(
    file.subarray(vocabularyAt, scalesAt),
    entries,
    readWordTable(path, header),
  );
  const scales = new Float32Array(file.buffer, file.byteOffset + scalesAt, entries);
  const numbers = new Int8Array(file.buffer, file.byteOffset + numbersAt, entries * dims);

  const wordsPath = join(dirname(path), translationsFile);
  const words = readModel(wordsPath);
  const wordsHead = readHeader<TranslationsHeader>(words, wordsPath, translationsMagic);
  let translations: Translations | undefined;
  /** Unpacks the words of other languages at the first text that is not English. */
  const loadTranslations = (): Translations => {
    translations ??= createTranslations(words.subarray(wordsHead.bodyAt), wordsHead.header, vocabulary);
    return translations;
  };

  const recent = createRecentResults<Run>(20_000);
  /** The same texts are compared with one question after another, and splitting them takes most of the time. */
  const recentTexts = createRecentResults<number[]>(2_000);
  // Buffers that are reused for each text, because allocating them took as long as filling them.
  const counts = new Float32Array(entries);
  const sum = new Float64Array(dims);

  /** Writes the embedding of the text into `vector`, which must be zeroed. */
  const embedInto = (vector: Float32Array, text: string): void => {
    const { entries: found, weights, knownShare } = piecesOf(text, vocabulary, recent, loadTranslations);
    if (knownShare < minKnownShare) return;
    const distinct: number[] = [];
    for (const [at, entry] of found.entries()) {
      if (counts[entry] === 0) distinct.push(entry);
      counts[entry] = (counts[entry] as number) + (weights?.[at] ?? 1);
    }
    sum.fill(0);
    for (const entry of distinct) {
      // Dampens repetition: a word that occurs n times counts √n times.
      const scale = (scales[entry] as number) * Math.sqrt(counts[entry] as number);
      const from = entry * dims;
      for (let at = 0; at < dims; at++)
        sum[at] = (sum[at] as number) + scale * (numbers[from + at] as number);
      counts[entry] = 0;
    }
    vector.set(sum);
    toUnitLength(vector);
  };

  /** Four dimensions at a time: a hook runs without the optimiser, and this loop takes most of a comparison's time. */
  const dotProduct = (entry: number, other: number): number => {
    let product = 0;
    let [a, b] = [entry * dims, other * dims];
    for (const end = a + dims; a < end; a += 4, b += 4)
      product +=
        (numbers[a] as number) * (numbers[b] as number) +
        (numbers[a + 1] as number) * (numbers[b + 1] as number) +
        (numbers[a + 2] as number) * (numbers[b + 2] as number) +
        (numbers[a + 3] as number) * (numbers[b + 3] as number);
    return product;
  };

  /** Inverse lengths of the vectors, in units of their bytes; computed when first needed. */
  const inverseLengths = new Float32Array(entries);
  const inverseLength = (entry: number): number => {
    const known = inverseLengths[entry] as number;
    if (known !== 0) return known;
    inverseLengths[entry] = 1 / Math.sqrt(Math.max(1, dotProduct(entry, entry)));
    // As stored, which is less exact: the first call must return the same number as the later ones.
    return inverseLengths[entry] as number;
  };

  return {
    id: `${header.name}-${header.sha256.slice(0, 12)}-${wordsHead.header.sha256.slice(0, 12)}`,
    dims,
    words: {
      entriesOf: (text) =>
        recentTexts.get(text) ?? recentTexts.compute(text, () => piecesOf(text, vocabulary, recent).entries),
      similarity(entry, other) {
        return dotProduct(entry, other) * inverseLength(entry) * inverseLength(other);
      },
    },
    async embed(texts) {
      // One buffer for all vectors, because allocating memory outside the heap is expensive.
      const all = new Float32Array(texts.length * dims);
      return texts.map((text, at) => {
        const vector = all.subarray(at * dims, (at + 1) * dims);
        embedInto(vector, text);
        return vector;
      });
    },
  };
}

/** The hash table of the vocabulary, which the build computes: a hook would take longer for it than for its search. */
const tablePath = (path: string): string => path.replace(/\.bin$/, '.words');

/** @public The build calls it. */
export function wordTableOf(path: string): Buffer {
  const file = readModel(path);
  const { header, bodyAt } = readHeader<Header>(file, path, magic);
  const { starts, table } = hashWords(file.subarray(bodyAt, bodyAt + header.vocabularyBytes), header.entries);
  return Buffer.concat([Buffer.from(header.sha256), Buffer.from(starts.buffer), Buffer.from(table.buffer)]);
}

/** Undefined if there is none for this very model, such as in a checkout. */
function readWordTable(path: string, { entries, sha256 }: Header): WordTable | undefined {
  let file: Buffer;
  try {
    file = readFileSync(tablePath(path));
  } catch {
    return undefined;
  }
  const startsAt = sha256.length;
  const tableAt = startsAt + (entries + 1) * 4;
  const slots = slotsFor(entries);
  if (file.length !== tableAt + slots * 2 || file.toString('latin1', 0, startsAt) !== sha256)
    return undefined;
  return {
    starts: new Uint32Array(file.buffer, file.byteOffset + startsAt, entries + 1),
    table: new Uint16Array(file.buffer, file.byteOffset + tableAt, slots),
  };
}

function readModel(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new AppError('NOT_INSTALLED', `the built-in model is missing: ${path}`, {
      hint: 'npm install -g backstory',
      cause,
    });
  }
}

function readHeader<Head>(file: Buffer, path: string, expected: string): { header: Head; bodyAt: number } {
  try {
    const bodyAt = 8 + file.readUInt32LE(4);
    const header = JSON.parse(file.toString('utf8', 8, bodyAt)) as Head;
    if (file.toString('latin1', 0, 4) === expected) return { header, bodyAt };
  } catch {
    // The file is too short or its header is not JSON. The check below reports that.
  }
  throw broken(path);
}

const broken = (path: string): AppError =>
  new AppError('NOT_INSTALLED', `the built-in model is damaged: ${path}`, {
    hint: 'npm install -g backstory',
  });
