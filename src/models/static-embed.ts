import { readFileSync } from 'node:fs';
import { AppError } from '../base/errors.ts';
import { type Embedder, toUnitLength } from './embed.ts';
import { piecesOf } from './pieces.ts';
import { createVocabulary } from './vocabulary.ts';

/**
 * The built-in model: a vector for each word and piece of a word, added up. It is a file inside the package,
 * made by the recipe in eval/model, and needs no download, no native code and no process of its own.
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
const leastKnownShare = 0.5;

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

  const embedOne = (text: string): Float32Array => {
    const { entries: found, knownShare } = piecesOf(text, vocabulary);
    if (knownShare < leastKnownShare) return new Float32Array(dims);
    const rows = [...countsOf(found)].map(([entry, count]) => ({
      from: entry * dims,
      // What is said twice does not mean twice as much.
      scale: (scales[entry] as number) * Math.sqrt(count),
    }));
    return toUnitLength(Float32Array.from(sumOf(rows)));
  };

  /** Four rows at a time, which takes half as long as one: this is most of what indexing costs. */
  const sumOf = (rows: { from: number; scale: number }[]): Float64Array => {
    const sum = new Float64Array(dims);
    const none = { from: 0, scale: 0 };
    for (let row = 0; row < rows.length; row += 4) {
      const [a = none, b = none, c = none, d = none] = rows.slice(row, row + 4);
      for (let at = 0; at < dims; at++) {
        sum[at] =
          (sum[at] as number) +
          a.scale * (numbers[a.from + at] as number) +
          b.scale * (numbers[b.from + at] as number) +
          c.scale * (numbers[c.from + at] as number) +
          d.scale * (numbers[d.from + at] as number);
      }
    }
    return sum;
  };

  return {
    id: `${header.name}-${header.sha256.slice(0, 12)}`,
    dims,
    embed: async (texts) => texts.map(embedOne),
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

function countsOf(entries: number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const entry of entries) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return counts;
}
