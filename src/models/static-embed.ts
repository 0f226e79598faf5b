import { readFileSync } from 'node:fs';
import { AppError } from '../base/errors.ts';
import { createRecentResults } from '../base/recent-results.ts';
import { type Embedder, toUnitLength } from './embed.ts';
import { createVocabulary } from './vocabulary.ts';
import { piecesOf, type Run } from './word-pieces.ts';

/**
 * The built-in model: a vector for each word and piece of a word, added up. It is a file inside the package,
 * made by the recipe in bench/model, and needs no download, no native code and no process of its own.
 *
 * The file: the magic word, the length of the header as 32 bits, the header as JSON, the vocabulary as lines,
 * then one 32-bit scale for each entry and its numbers, a byte each. All lengths are multiples of four.
 */
const magic = 'BSTE';

interface Header {
  name: string;
  dims: number;
  entries: number;
  vocabularyBytes: number;
  /** Of everything behind the header. */
  sha256: string;
}

/** A text of which the model knows less than this is in another language, or no language: it gets no vote. */
const minKnownShare = 0.5;

export function loadStaticModel(path: string): Embedder {
  const file = readModel(path);
  const { header, vocabularyAt } = readHeader(file, path);
  const { dims, entries } = header;
  const scalesAt = vocabularyAt + header.vocabularyBytes;
  const numbersAt = scalesAt + entries * 4;
  if (file.length !== numbersAt + entries * dims) throw broken(path);
  const vocabulary = createVocabulary(file.subarray(vocabularyAt, scalesAt), entries);
  const scales = new Float32Array(file.buffer, file.byteOffset + scalesAt, entries);
  const numbers = new Int8Array(file.buffer, file.byteOffset + numbersAt, entries * dims);

  const recent = createRecentResults<Run>(20_000);
  // Used anew for each text: making them took as long as filling them.
  const counts = new Uint16Array(entries);
  const sum = new Float64Array(dims);

  /** Writes what a text means into `vector`, which is full of zeros. */
  const embedInto = (vector: Float32Array, text: string): void => {
    const { entries: found, knownShare } = piecesOf(text, vocabulary, recent);
    if (knownShare < minKnownShare) return;
    const distinct: number[] = [];
    for (const entry of found) {
      if (counts[entry] === 0) distinct.push(entry);
      counts[entry] = (counts[entry] as number) + 1;
    }
    sum.fill(0);
    for (let row = 0; row < distinct.length; row += 4) addRows(distinct, row);
    for (const entry of distinct) counts[entry] = 0;
    vector.set(sum);
    toUnitLength(vector);
  };

  /** What is said twice does not mean twice as much. */
  const scaleOf = (entry: number | undefined): number =>
    entry === undefined ? 0 : (scales[entry] as number) * Math.sqrt(counts[entry] as number);

  /** Four rows at a time, which takes half as long as one: this is most of what indexing costs. */
  const addRows = (distinct: number[], row: number): void => {
    const [a, b, c, d] = [
      distinct[row] ?? 0,
      distinct[row + 1] ?? 0,
      distinct[row + 2] ?? 0,
      distinct[row + 3] ?? 0,
    ];
    const [aScale, bScale, cScale, dScale] = [
      scaleOf(distinct[row]),
      scaleOf(distinct[row + 1]),
      scaleOf(distinct[row + 2]),
      scaleOf(distinct[row + 3]),
    ];
    for (let at = 0; at < dims; at++) {
      sum[at] =
        (sum[at] as number) +
        aScale * (numbers[a * dims + at] as number) +
        bScale * (numbers[b * dims + at] as number) +
        cScale * (numbers[c * dims + at] as number) +
        dScale * (numbers[d * dims + at] as number);
    }
  };

  return {
    id: `${header.name}-${header.sha256.slice(0, 12)}`,
    dims,
    async embed(texts) {
      // Parts of one run of numbers: memory outside of the heap is dear to ask for.
      const all = new Float32Array(texts.length * dims);
      return texts.map((text, at) => {
        const vector = all.subarray(at * dims, (at + 1) * dims);
        embedInto(vector, text);
        return vector;
      });
    },
  };
}

function readModel(path: string): Buffer {
  let file: Buffer;
  try {
    file = readFileSync(path);
  } catch (cause) {
    throw new AppError('NOT_INSTALLED', `the built-in model is not there: ${path}`, {
      hint: 'npm install -g backstory',
      cause,
    });
  }
  return file;
}

function readHeader(file: Buffer, path: string): { header: Header; vocabularyAt: number } {
  try {
    const vocabularyAt = 8 + file.readUInt32LE(4);
    const header = JSON.parse(file.toString('utf8', 8, vocabularyAt)) as Header;
    if (file.toString('latin1', 0, 4) === magic) return { header, vocabularyAt };
  } catch {
    // Too short, or no JSON: the one refusal below says so.
  }
  throw broken(path);
}

const broken = (path: string): AppError =>
  new AppError('NOT_INSTALLED', `the built-in model is damaged: ${path}`, {
    hint: 'npm install -g backstory',
  });
