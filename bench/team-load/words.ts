import { readFileSync } from 'node:fs';

/** Whole words of the model's vocabulary, so that every text has a vector. */
export const words: string[] = readFileSync('assets/static-en.bin', 'latin1')
  .slice(0, 400_000)
  .split('\n')
  .filter((line) => /^[a-z]{4,12}$/.test(line));
