import { readFileSync } from 'node:fs';
import type { Random } from '../../test/harness/random.ts';

/**
 * Generates text with a Zipf distribution of words: a few are in nearly every chunk, most in hardly any. With an even
 * distribution every question would cost the same, and none would show what a common word really costs. Most words are
 * known to the built-in embedding model, because otherwise it would embed neither chunks nor questions.
 */
export interface ZipfText {
  sentence(words: number, random: Random): string;
  /** The word at this rank of frequency, starting at 0. */
  word(rank: number): string;
  path(random: Random): string;
}

const size = 60_000;
/** Common English words have the top ranks. */
const frequent =
  `the to of and a in is it that for we on this with be as not are from have by at an was if can will but should
  code file test error use add fix change data value user run need check type work call name build list time set
  config server client request query table index cache queue token path string number array object function class
  module import export return update remove create read write load save send start stop open close parse render
  retry timeout limit batch worker branch commit merge release version deploy migration schema column row key`
    .split(/\s+/)
    .filter((word) => word !== '');
const syllables =
  'ba be bi bo ca ce co da de di do fa fi fo ga ge ha he ja ka ke la le li lo ma me mi mo na ne no pa pe ra re ri ro sa se si ta te ti to va ve wa we za'.split(
    ' ',
  );

/** Whole words of the model, which lists them approximately by frequency. */
function knownWords(): string[] {
  const file = readFileSync('assets/static-en.bin');
  const start = 8 + file.readUInt32LE(4);
  const { vocabularyBytes } = JSON.parse(file.toString('utf8', 8, start)) as { vocabularyBytes: number };
  const entries = file.toString('latin1', start, start + vocabularyBytes).split('\n');
  return entries.filter((word) => /^[a-z]{3,}$/.test(word) && !frequent.includes(word));
}

function inventedWord(rank: number): string {
  let rest = rank;
  let word = '';
  do {
    word += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  } while (rest > 0 || word.length < 4);
  return word;
}

function allWords(): string[] {
  const known = [...frequent, ...knownWords()];
  return Array.from({ length: size }, (_, rank) => {
    const word = known[rank] ?? inventedWord(rank);
    // Some words are written like identifiers in code.
    return rank >= frequent.length && rank % 11 === 0 ? `${word}_${syllables[rank % 7]}ta` : word;
  });
}

export function createZipfText(): ZipfText {
  const words = allWords();
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank++) {
    sum += 1 / (rank + 2.7);
    sums[rank] = sum;
  }
  const draw = (random: Random): string => {
    const wanted = random.next() * sum;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low] as string;
  };
  return {
    sentence: (count, random) => Array.from({ length: count }, () => draw(random)).join(' '),
    word: (rank) => words[rank] as string,
    path: (random) => `src/${words[random.whole(40, 400)]}/${words[random.whole(40, 4_000)]}.ts`,
  };
}
