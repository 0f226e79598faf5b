import type { Embedder } from '../../models/embed.ts';
import { queryTerms } from '../../text/words.ts';
import { subjectOf, type ThemeFinder, type ThemeNote } from './themes.ts';

/**
 * Access tokens, design tokens and a model's tokens share a word and no matter. Notes of one theme are alike even
 * without the word that names it, more than notes of a project are alike anyway; where no model can tell, they
 * must share two words.
 */
export interface ThemeSense {
  holdsTogether(members: ThemeNote[], names: string[]): Promise<boolean>;
  /** Whether a note means the same by the name as those that have it already. */
  fits(one: ThemeNote, members: ThemeNote[], names: string[]): Promise<boolean>;
}

/** How much more alike than any two notes: three may be so by chance, more hardly. */
const ofThree = 0.09;
const ofMore = 0.02;

export function createThemeSense(all: ThemeNote[], embedder: Embedder | undefined): ThemeSense {
  const restsOf = async (members: ThemeNote[], names: string[]): Promise<Float32Array[] | undefined> => {
    const rests = await embedder?.embed(members.map((one) => without(one, names)));
    const blank = rests?.filter((vector) => vector.every((number) => number === 0)).length ?? 0;
    return blank * 2 > members.length ? undefined : rests;
  };
  /** How alike these are to notes that are none of them. */
  const background = (rests: Float32Array[], members: ThemeNote[]): number =>
    mean(
      all
        .filter((one) => !members.includes(one))
        .flatMap(({ vector }) => (vector === undefined ? [] : rests.map((rest) => dot(rest, vector)))),
    );
  return {
    async holdsTogether(members, names) {
      const rests = await restsOf(members, names);
      if (rests === undefined) return names.length > 1;
      const likeness = mean(
        rests.flatMap((rest, at) => rests.slice(at + 1).map((other) => dot(rest, other))),
      );
      return likeness - background(rests, members) >= (members.length > 3 ? ofMore : ofThree);
    },
    async fits(one, members, names) {
      const rests = await restsOf([one, ...members], names);
      const [own, ...others] = rests ?? [];
      if (own === undefined) return names.length > 1;
      const likeness = mean(others.map((other) => dot(own, other)));
      return likeness - background([own], [one, ...members]) >= ofMore;
    },
  };
}

const maxRounds = 8;

/** New themes that hold together. A word that does not make one leaves its notes free for another. */
export async function findThemes(
  finder: ThemeFinder,
  sense: ThemeSense,
  free: ThemeNote[],
): Promise<ThemeNote[][]> {
  const misleading = new Set<string>();
  for (let round = 0; ; round++) {
    const sound: ThemeNote[][] = [];
    const before = misleading.size;
    for (const group of finder.found(free, misleading)) {
      const names = finder.namesOf(group);
      if (await sense.holdsTogether(group, names)) sound.push(group);
      else for (const term of names.flatMap((name) => queryTerms(name).terms)) misleading.add(term);
    }
    if (misleading.size === before || round === maxRounds) return sound;
  }
}

function without({ note }: ThemeNote, names: string[]): string {
  const terms = new Set(names.flatMap((name) => queryTerms(name).terms));
  return subjectOf(note)
    .split(/\s+/)
    .filter((word) => !queryTerms(word).terms.some((term) => terms.has(term)))
    .join(' ');
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

const mean = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((total, value) => total + value, 0) / values.length;
