import type { GoalWords } from '../code/words/goal-words.ts';
import { countIn, entryOf, keyIn, type WordCounter, type WordKey } from '../code/words/word-keys.ts';
import type { PackWeights } from './weights.ts';

/** A change somebody made before: what was said about it, as words, and the files it touched. */
export interface PastChange {
  id: string;
  title: string;
  words: Uint32Array;
  wordCount: number;
  files: string[];
}

/** A change of very many files says nothing about any of them. */
const maxFiles = 60;
const maxMessage = 4_000;

export function toPastChange(
  change: { id: string; message: string; files: string[] },
  counter: WordCounter,
): PastChange | undefined {
  if (change.files.length === 0 || change.files.length > maxFiles) return undefined;
  const counts = new Map<WordKey, number>();
  counter.count(change.message.slice(0, maxMessage), counts);
  let wordCount = 0;
  for (const count of counts.values()) wordCount += count;
  return {
    id: change.id,
    title: (change.message.split('\n', 1)[0] as string).trim(),
    words: Uint32Array.from(counts, ([key, count]) => entryOf(key, count)),
    wordCount,
    files: change.files,
  };
}

/** What past changes say about a goal. Scores are by path, each in its own measure. */
export interface PastSignals {
  similar: Map<string, number>;
  told: Map<string, number>;
  often: Map<string, number>;
  lately: Map<string, number>;
  /** For each word of the goal, from 0 to 1: how telling it is among the words of past messages. */
  telling: number[];
  /** The past changes most like the goal, best first. */
  best: PastChange[];
}

/** Fewer past changes than this say nothing about how common a word is. */
const enoughMessages = 30;
const shownSimilar = 3;

/** `changes` newest first; only files for which `exists` count. */
export function matchPastChanges(
  goal: GoalWords,
  changes: readonly PastChange[],
  exists: (path: string) => boolean,
  weights: PackWeights,
): PastSignals {
  const places = new Map(goal.keys.map((key, at) => [key, at]));
  const found = changes.map(({ words }) => placesIn(words, places));
  const inMessages = new Float64Array(goal.keys.length);
  for (const hits of found)
    for (const { place } of hits) inMessages[place] = (inMessages[place] as number) + 1;
  const rarity = Array.from(inMessages, (count) =>
    Math.log(1 + (changes.length - count + 0.5) / (count + 0.5)),
  );
  const highest = Math.max(...rarity, 1e-9);
  const telling = rarity.map((value) =>
    changes.length > enoughMessages ? (value / highest) ** weights.commonness : 1,
  );
  const worth = rarity.map((value, at) => value * (goal.weights[at] as number) * (telling[at] as number));
  const { scores, best } = similarChanges(changes, found, rarity, weights);
  const kept = (files: string[]): string[] => files.filter(exists);
  return {
    similar: similarFiles(scores, kept, weights),
    told: toldOf(changes, found, worth, kept, weights),
    ...touches(changes, kept, weights),
    telling,
    best,
  };
}

interface WordHit {
  place: number;
  count: number;
}

function placesIn(words: Uint32Array, places: Map<WordKey, number>): WordHit[] {
  const hits: WordHit[] = [];
  for (const entry of words) {
    const place = places.get(keyIn(entry));
    if (place !== undefined) hits.push({ place, count: countIn(entry) });
  }
  return hits;
}

interface ScoredChange {
  change: PastChange;
  /** How many changes ago. */
  age: number;
  score: number;
}

const saturation = 1.2;
const lengthShare = 0.4;

function similarChanges(
  changes: readonly PastChange[],
  found: WordHit[][],
  rarity: number[],
  { similar }: PackWeights,
): { scores: ScoredChange[]; best: PastChange[] } {
  const average = changes.reduce((sum, { wordCount }) => sum + wordCount, 0) / Math.max(1, changes.length);
  const scores = changes
    .map((change, age) => {
      const norm = saturation * (1 - lengthShare + (lengthShare * change.wordCount) / average);
      const score = (found[age] as WordHit[]).reduce(
        (sum, { place, count }) =>
          sum + ((rarity[place] as number) * count * (saturation + 1)) / (count + norm),
        0,
      );
      return { change, age, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.age - b.age)
    .slice(0, similar.most);
  return { scores, best: scores.slice(0, shownSimilar).map(({ change }) => change) };
}

function similarFiles(
  scores: ScoredChange[],
  kept: (files: string[]) => string[],
  { similar }: PackWeights,
): Map<string, number> {
  const files = new Map<string, number>();
  for (const { change, age, score } of scores) {
    const weight =
      (score ** similar.power * Math.exp(-age / similar.ageCommits)) / change.files.length ** similar.perFile;
    for (const path of kept(change.files)) add(files, path, weight);
  }
  return files;
}

/** BM25 over everything that was ever said about a file, shared out among the files of each change. */
function toldOf(
  changes: readonly PastChange[],
  found: WordHit[][],
  worth: number[],
  kept: (files: string[]) => string[],
  { told: { k1, b } }: PackWeights,
): Map<string, number> {
  const lengths = new Map<string, number>();
  const counts = new Map<string, Map<number, number>>();
  changes.forEach((change, at) => {
    const share = 1 / Math.sqrt(change.files.length);
    for (const path of kept(change.files)) {
      add(lengths, path, change.wordCount * share);
      const own = counts.get(path) ?? new Map<number, number>();
      for (const { place, count } of found[at] as WordHit[])
        own.set(place, (own.get(place) ?? 0) + count * share);
      counts.set(path, own);
    }
  });
  let total = 0;
  for (const length of lengths.values()) total += length;
  const average = total / Math.max(1, lengths.size);
  const scores = new Map<string, number>();
  for (const [path, own] of counts) {
    const norm = k1 * (1 - b + (b * (lengths.get(path) as number)) / average);
    for (const [place, count] of own)
      add(scores, path, ((worth[place] as number) * count * (k1 + 1)) / (count + norm));
  }
  return scores;
}

function touches(
  changes: readonly PastChange[],
  kept: (files: string[]) => string[],
  { latelyCommits }: PackWeights,
): Pick<PastSignals, 'often' | 'lately'> {
  const often = new Map<string, number>();
  const lately = new Map<string, number>();
  changes.forEach(({ files }, age) => {
    for (const path of kept(files)) {
      add(often, path, 1);
      add(lately, path, Math.exp(-age / latelyCommits));
    }
  });
  return { often: logged(often), lately: logged(lately) };
}

const logged = (counts: Map<string, number>): Map<string, number> =>
  new Map([...counts].map(([path, count]) => [path, Math.log(1 + count)]));

function add(sums: Map<string, number>, path: string, value: number): void {
  sums.set(path, (sums.get(path) ?? 0) + value);
}
