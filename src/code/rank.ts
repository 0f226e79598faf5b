import type { LineHit } from './search-file.ts';
import type { FileHits } from './search-lines.ts';
import { definedName } from './words/defined-name.ts';

export type RankedFile = ReturnType<typeof rankHits>[number];

const definitionScore = 8;
const wholeWordScore = 3;
const stemScore = 2;
const tierScore = [4, 2, 1, 0];

/**
 * Ranks definitions and whole words first; tests, generated and vendored files last. Hits stay grouped by
 * file: files in the order of their best hit, lines in file order.
 */
export function rankHits(files: FileHits[], words: WordTests | undefined) {
  const ranked = files.map(({ path, tier, hits }) => {
    const isNamedSo = words !== undefined && stemOf(path).includes(words.folded);
    const base = (tierScore[tier] ?? 0) + (isNamedSo ? stemScore : 0);
    return { path, hits: hits.map((hit) => rankHit(hit, base, words)) };
  });
  const best = new Map(ranked.map(({ path, hits }) => [path, Math.max(...hits.map(({ score }) => score))]));
  return ranked.sort(
    (a, b) =>
      (best.get(b.path) as number) - (best.get(a.path) as number) ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
  );
}

function rankHit(hit: LineHit, base: number, words: WordTests | undefined) {
  if (words === undefined || !hit.text.includes(words.word))
    return { ...hit, isDefinition: false, score: base };
  const isDefinition = words.defines(hit.text);
  const score = base + (isDefinition ? definitionScore : 0) + (words.isWhole(hit.text) ? wholeWordScore : 0);
  return { ...hit, isDefinition, score };
}

export type WordTests = ReturnType<typeof createWordTests>;

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

/** Returns the identifier that a search is about, if any: the longest one in the pattern. */
export function wordOf(text: string, mode: 'literal' | 'regex'): string | undefined {
  const plain = mode === 'regex' ? text.replace(/\\[a-zA-Z]|\[[^\]]*\]|\(\?[a-z:<!=]+/g, ' ') : text;
  const words = plain.match(/[A-Za-z_$][\w$]{2,}/g) ?? [];
  return words.filter((word) => /^\w+$/.test(word)).sort((a, b) => b.length - a.length)[0];
}

export const createWordTests = (word: string) => ({
  word,
  folded: word.toLowerCase(),
  isWhole: (line: string) => isWholeIn(line, word),
  defines: (line: string) => definedName(line) === word,
});

function isWholeIn(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    if (!isWordAt(line, at - 1) && !isWordAt(line, at + word.length)) return true;
  }
  return false;
}

const isWordAt = (line: string, at: number): boolean => /\w/.test(line[at] ?? ' ');
