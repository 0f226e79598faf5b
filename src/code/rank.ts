import type { LineHit } from './search-file.ts';
import type { FileHits } from './search-lines.ts';

export interface RankedHit extends LineHit {
  isDefinition: boolean;
  score: number;
}

export interface RankedFile {
  path: string;
  hits: RankedHit[];
}

const definitionScore = 8;
const wholeWordScore = 3;
const stemScore = 2;
const tierScore = [4, 2, 1, 0];

/**
 * Ranks definitions and whole words first; tests, generated and vendored files last. Hits stay grouped by
 * file: files in the order of their best hit, lines in file order.
 */
export function rankHits(files: FileHits[], words: WordTests | undefined): RankedFile[] {
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

function rankHit(hit: LineHit, base: number, words: WordTests | undefined): RankedHit {
  if (words === undefined || !hit.text.includes(words.word))
    return { ...hit, isDefinition: false, score: base };
  const isDefinition = words.defines(hit.text);
  const score = base + (isDefinition ? definitionScore : 0) + (words.isWhole(hit.text) ? wholeWordScore : 0);
  return { ...hit, isDefinition, score };
}

/** Tests for one word, compiled once: compiling them for every line would take longer than the search. */
export interface WordTests {
  word: string;
  folded: string;
  isWhole(line: string): boolean;
  defines(line: string): boolean;
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

/** Returns the identifier that a search is about, if any: the longest one in the pattern. */
export function wordOf(text: string, mode: 'literal' | 'regex'): string | undefined {
  const plain = mode === 'regex' ? text.replace(/\\[a-zA-Z]|\[[^\]]*\]|\(\?[a-z:<!=]+/g, ' ') : text;
  const words = plain.match(/[A-Za-z_$][\w$]{2,}/g) ?? [];
  return words.filter((word) => /^\w+$/.test(word)).sort((a, b) => b.length - a.length)[0];
}

const keyword =
  '(?:async\\s+|export\\s+|default\\s+|public\\s+|private\\s+|protected\\s+|static\\s+|abstract\\s+|final\\s+|pub(?:\\([^)]*\\))?\\s+|unsafe\\s+|const\\s+|inline\\s+|extern\\s+)*(?:function\\*?|def|class|struct|enum|union|interface|trait|type|typedef|fn|func|fun|module|mod|namespace|package|macro_rules!|const|let|var|val|impl|sub|proc|define|defmodule|defp?|record|object|protocol|extension)';

/**
 * Cheap checks that are the same for every word. They rule out most lines before the exact expressions below are
 * used.
 */
const mayDeclare = new RegExp(`^\\s*${keyword}\\s`);
const mayDefineMacro = /^\s*#\s*define\s/;
const mayStandAtMargin = /^[A-Za-z_][^;]*\([^;]*$/;
const variable = /^\s*(?:export\s+)?(?:const|let|var|val)\b/;
const statement = /^(?:return|else|if|while|for|goto)\b/;

/**
 * `defines` says whether a line seems to define the word. Compiling its expressions takes longer than
 * searching a small tree, so each is compiled when first needed.
 */
export function createWordTests(word: string): WordTests {
  const name = `${word}(?!\\w)`;
  const macro = lazy(() => new RegExp(`^\\s*#\\s*define\\s+${name}`));
  const declared = lazy(
    () =>
      new RegExp(
        `^\\s*${keyword}\\s+(?:\\([^)]*\\)\\s*)?(?:[\\w<>,:*&\\s]*[\\s*&:.])?${name}\\s*(?:[({<:=\\[]|$|\\w)`,
      ),
  );
  const variableItself = lazy(() => new RegExp(`^\\s*(?:\\w+\\s+)*${name}`));
  // A function in C-like languages starts in the first column and has no semicolon.
  const atMargin = lazy(() => new RegExp(`^[A-Za-z_][\\w\\s*&:<>,]*[\\s*&:]${name}\\s*\\([^;]*$`));
  return {
    word,
    folded: word.toLowerCase(),
    isWhole: (line) => isWholeIn(line, word),
    defines(line) {
      // Skip minified lines, which define nothing of interest.
      if (line.length > maxDefinitionLength) return false;
      if (mayDefineMacro.test(line) && macro().test(line)) return true;
      if (mayDeclare.test(line) && declared().test(line))
        return !variable.test(line) || variableItself().test(line);
      return mayStandAtMargin.test(line) && !statement.test(line) && atMargin().test(line);
    },
  };
}

function lazy(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function isWholeIn(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    if (!isWordAt(line, at - 1) && !isWordAt(line, at + word.length)) return true;
  }
  return false;
}

const isWordAt = (line: string, at: number): boolean => /\w/.test(line[at] ?? ' ');

const maxDefinitionLength = 300;
