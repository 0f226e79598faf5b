import type { FileHits, LineHit } from './search-lines.ts';

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
export function rankHits(files: FileHits[], word: string | undefined): RankedFile[] {
  const ranked = files.map(({ path, tier, hits }) => {
    const base =
      (tierScore[tier] ?? 0) +
      (word !== undefined && stemOf(path).includes(word.toLowerCase()) ? stemScore : 0);
    return { path, hits: hits.map((hit) => rankHit(hit, base, word)) };
  });
  const best = new Map(ranked.map(({ path, hits }) => [path, Math.max(...hits.map(({ score }) => score))]));
  return ranked.sort(
    (a, b) =>
      (best.get(b.path) as number) - (best.get(a.path) as number) ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
  );
}

function rankHit(hit: LineHit, base: number, word: string | undefined): RankedHit {
  const isDefinition = word !== undefined && definesWord(hit.text, word);
  const isWhole = word !== undefined && new RegExp(`(?<!\\w)${word}(?!\\w)`).test(hit.text);
  return {
    ...hit,
    isDefinition,
    score: base + (isDefinition ? definitionScore : 0) + (isWhole ? wholeWordScore : 0),
  };
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

/** Whether a line defines a name, as far as one line can tell. */
export function definesWord(line: string, word: string): boolean {
  if (!line.includes(word)) return false;
  const name = `${word}(?!\\w)`;
  if (new RegExp(`^\\s*#\\s*define\\s+${name}`).test(line)) return true;
  if (
    new RegExp(
      `^\\s*${keyword}\\s+(?:\\([^)]*\\)\\s*)?(?:[\\w<>,:*&\\s]*[\\s*&:.])?${name}\\s*(?:[({<:=\\[]|$|\\w)`,
    ).test(line)
  )
    return !/^\s*(?:const|let|var|val)\b/.test(line) || new RegExp(`^\\s*(?:\\w+\\s+)*${name}`).test(line);
  // A function of C and its kin begins at the margin and ends without a semicolon.
  return (
    new RegExp(`^[A-Za-z_][\\w\\s*&:<>,]*[\\s*&:]${name}\\s*\\([^;]*$`).test(line) &&
    !/^(?:return|else|if|while|for|goto)\b/.test(line)
  );
}
