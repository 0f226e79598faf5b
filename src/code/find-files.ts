import { unicodeForms } from '../base/unicode-forms.ts';
import type { Checkout } from './checkout.ts';
import { hasBit } from './index/posting-list.ts';
import { createPathFilter, isGlob } from './path-filter.ts';
import { tierOf } from './path-kind.ts';
import { type CodeView, filesOf } from './view.ts';

export interface FoundFile {
  path: string;
  reason: 'path_match' | 'fuzzy_path_match';
}

export interface FileSearch {
  /** Words that the path contains, or a glob. */
  query: string;
  limit: number;
  offset: number;
  /** How often and how recently files were used. Among equal matches, files in use come first. */
  frecency?: Map<string, number>;
}

export function findFiles(checkout: Checkout, { query, limit, offset, frecency }: FileSearch) {
  const accepts = isGlob(query) ? createPathFilter(query) : undefined;
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return checkout.use(async (view, state) => {
    const exact = accepts === undefined ? pathsWithWords(view, words) : allPaths(view).filter(accepts);
    const isFuzzy = exact.length === 0 && accepts === undefined && words.length > 0;
    const found = isFuzzy ? allPaths(view).filter((path) => isSubsequence(words.join(''), path)) : exact;
    const ranked = found
      .map((path) => ({ path, score: scoreOf(path, words) + familiarity(frecency?.get(path) ?? 0) }))
      .sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
    return {
      files: ranked
        .slice(offset, offset + limit)
        .map(({ path }): FoundFile => ({ path, reason: isFuzzy ? 'fuzzy_path_match' : 'path_match' })),
      total: ranked.length,
      nextOffset: ranked.length > offset + limit ? offset + limit : undefined,
      state,
    };
  });
}

/** Searches for the longest word, then filters by the others. */
export function pathsWithWords(view: CodeView, words: string[]): string[] {
  const [longest = '', ...others] = [...words].sort((a, b) => b.length - a.length);
  if (longest === '') return allPaths(view);
  const forms = unicodeForms(longest);
  const has = (word: string, path: string): boolean =>
    unicodeForms(word).some((form) => path.toLowerCase().includes(form));
  const indexed = view.parts.flatMap(({ segment, dead }) =>
    [...new Set(forms.flatMap((form) => segment.filesWithPath(form)))]
      .filter((file) => !hasBit(dead, file))
      .map((file) => segment.pathOf(file)),
  );
  return [...indexed, ...view.live.filter((path) => has(longest, path))].filter((path) =>
    others.every((word) => has(word, path)),
  );
}

const allPaths = (view: CodeView): string[] => [
  ...view.parts.flatMap((part) => Array.from(filesOf(part), ({ path }) => path)),
  ...view.live,
];

/** Fuzzy match: the letters in order, with anything in between. */
function isSubsequence(letters: string, path: string): boolean {
  const folded = path.toLowerCase();
  let at = -1;
  for (const letter of letters) {
    at = folded.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}

function scoreOf(path: string, words: string[]): number {
  const base = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const stem = base.replace(/\.[^.]*$/, '');
  const named = words.reduce((sum, word) => {
    if (stem === word || base === word) return sum + 8;
    if (base.startsWith(word)) return sum + 4;
    return sum + (base.includes(word) ? 3 : 0);
  }, 0);
  return named - tierOf(path);
}

/** A bonus below 1, the smallest step between two matches, so that use never outweighs a better match. */
const familiarity = (frecency: number): number => 0.9 * (1 - 2 ** (-frecency / 2));
