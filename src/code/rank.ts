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
 * Definitions and whole words first; tests, generated and vendored files last. Hits stay grouped by file, files
 * in the order of their best hit, lines in the order of the file.
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
  const score =
    base + (isDefinition ? definitionScore : 0) + (words.whole.test(hit.text) ? wholeWordScore : 0);
  return { ...hit, isDefinition, score };
}

/** Tests for one word, made once: compiling them for every line would take longer than the search. */
export interface WordTests {
  word: string;
  folded: string;
  whole: RegExp;
  defines(line: string): boolean;
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

/** The word a search is about, if it is about one: an identifier, or the longest one of a pattern. */
export function wordOf(text: string, mode: 'literal' | 'regex'): string | undefined {
  const plain = mode === 'regex' ? text.replace(/\\[a-zA-Z]|\[[^\]]*\]|\(\?[a-z:<!=]+/g, ' ') : text;
  const words = plain.match(/[A-Za-z_$][\w$]{2,}/g) ?? [];
  return words.filter((word) => /^\w+$/.test(word)).sort((a, b) => b.length - a.length)[0];
}

const keyword =
  '(?:async\\s+|export\\s+|default\\s+|public\\s+|private\\s+|protected\\s+|static\\s+|abstract\\s+|final\\s+|pub(?:\\([^)]*\\))?\\s+|unsafe\\s+|const\\s+|inline\\s+|extern\\s+)*(?:function\\*?|def|class|struct|enum|union|interface|trait|type|typedef|fn|func|fun|module|mod|namespace|package|macro_rules!|const|let|var|val|impl|sub|proc|define|defmodule|defp?|record|object|protocol|extension)';

/** `defines` says whether a line defines the word, as far as one line can tell. */
export function createWordTests(word: string): WordTests {
  const name = `${word}(?!\\w)`;
  const macro = new RegExp(`^\\s*#\\s*define\\s+${name}`);
  const declared = new RegExp(
    `^\\s*${keyword}\\s+(?:\\([^)]*\\)\\s*)?(?:[\\w<>,:*&\\s]*[\\s*&:.])?${name}\\s*(?:[({<:=\\[]|$|\\w)`,
  );
  const variable = /^\s*(?:export\s+)?(?:const|let|var|val)\b/;
  const variableItself = new RegExp(`^\\s*(?:\\w+\\s+)*${name}`);
  // A function of C and its kin begins at the margin and ends without a semicolon.
  const atMargin = new RegExp(`^[A-Za-z_][\\w\\s*&:<>,]*[\\s*&:]${name}\\s*\\([^;]*$`);
  const statement = /^(?:return|else|if|while|for|goto)\b/;
  return {
    word,
    folded: word.toLowerCase(),
    whole: new RegExp(`(?<!\\w)${name}`),
    defines(line) {
      // A minified line holds everything and defines nothing that anybody looks for.
      if (line.length > longestDefinition) return false;
      if (macro.test(line)) return true;
      if (declared.test(line)) return !variable.test(line) || variableItself.test(line);
      return atMargin.test(line) && !statement.test(line);
    },
  };
}

const longestDefinition = 300;
