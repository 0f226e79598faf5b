import type { GoalWords } from '../code/words/goal-words.ts';
import { countIn, entryOf, keyIn, WordCounter, type WordKey } from '../code/words/word-keys.ts';
import { readHistory } from '../git/history.ts';
import { headOf } from '../git/repository.ts';
import { b, k1, rarityOf, termScore } from '../text/bm25.ts';
import type { PackWeights } from './weights.ts';

export interface PastChange {
  id: string;
  title: string;
  words: Uint32Array;
  wordCount: number;
  files: string[];
}

/** Commits that change very many files say little about any of them. */
const maxFiles = 60;
const maxMessageLength = 4_000;

export function toPastChange(
  change: { id: string; message: string; files: string[] },
  counter: WordCounter,
): PastChange | undefined {
  if (change.files.length === 0 || change.files.length > maxFiles) return undefined;
  const counts = new Map<WordKey, number>();
  counter.count(change.message.slice(0, maxMessageLength), counts);
  return {
    id: change.id,
    title: (change.message.split('\n', 1)[0] as string).trim(),
    words: Uint32Array.from(counts, ([key, count]) => entryOf(key, count)),
    wordCount: [...counts.values()].reduce((sum, count) => sum + count, 0),
    files: change.files,
  };
}

/** Older commits say little about the current code. */
const maxPastChanges = 3_000;

/** Returns the commits that lead to HEAD, newest first; undefined if there is no history. */
export type PastWork = () => Promise<readonly PastChange[] | undefined>;

/** Reads again if HEAD has moved. Git is so fast at this that a cache on disk is not worth it. */
export function createPastWork(root: string): PastWork {
  let known: { head: string; changes: readonly PastChange[] } | undefined;
  return async () => {
    const head = headOf(root);
    if (head === undefined) return undefined;
    if (known?.head !== head) known = { head, changes: await readChanges(root) };
    return known.changes;
  };
}

async function readChanges(root: string): Promise<PastChange[]> {
  const counter = new WordCounter();
  const changes: PastChange[] = [];
  for await (const { hash, message, files } of readHistory(root, { known: [], maxCount: maxPastChanges })) {
    const change = toPastChange({ id: hash, message, files }, counter);
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

/** Scores by path, from past commits compared with a goal. Each map has its own scale. */
export interface PastSignals {
  signals: Record<'similar' | 'messages' | 'changeCount' | 'recentChanges', Map<string, number>>;
  /** For each word of the goal, from 0 to 1: how rare it is in past commit messages. */
  distinctiveness: number[];
  best: PastChange[];
}

/** With fewer commits than this, their messages do not show how common a word is. */
const minCommitsForRarity = 30;
const maxSimilarShown = 3;

/** Scores files by past commits, which are given newest first. Files that do not exist are ignored. */
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
  const rarity = Array.from(inMessages, (count) => rarityOf(count, changes.length));
  const highest = Math.max(...rarity, 1e-9);
  const distinctiveness = rarity.map((value) =>
    changes.length > minCommitsForRarity ? (value / highest) ** weights.commonness : 1,
  );
  const wordWeights = rarity.map(
    (value, at) => value * (goal.weights[at] as number) * (distinctiveness[at] as number),
  );
  const scores = similarChanges(changes, found, rarity, weights);
  const existing = (files: string[]): string[] => files.filter(exists);
  return {
    signals: {
      similar: similarFiles(scores, existing, weights),
      messages: messageScores(changes, found, wordWeights, existing, weights),
      ...changeFrequency(changes, existing, weights),
    },
    distinctiveness,
    best: scores.slice(0, maxSimilarShown).map(({ change }) => change),
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
  /** Age of the change, as the number of commits after it. */
  age: number;
  score: number;
}

function similarChanges(
  changes: readonly PastChange[],
  found: WordHit[][],
  rarity: number[],
  { similar }: PackWeights,
): ScoredChange[] {
  const average = changes.reduce((sum, { wordCount }) => sum + wordCount, 0) / Math.max(1, changes.length);
  return changes
    .map((change, age) => {
      const score = (found[age] as WordHit[]).reduce(
        (sum, { place, count }) =>
          sum + termScore(rarity[place] as number, count, change.wordCount / average, { k1, b }),
        0,
      );
      return { change, age, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.age - b.age)
    .slice(0, similar.maxCommits);
}

function similarFiles(
  scores: ScoredChange[],
  existing: (files: string[]) => string[],
  { similar }: PackWeights,
): Map<string, number> {
  const files = new Map<string, number>();
  for (const { change, age, score } of scores) {
    const weight =
      (score ** similar.power * Math.exp(-age / similar.ageCommits)) / change.files.length ** similar.perFile;
    for (const path of existing(change.files)) add(files, path, weight);
  }
  return files;
}

/** BM25 over the messages of all commits that changed a file. A message counts less if it has many files. */
function messageScores(
  changes: readonly PastChange[],
  found: WordHit[][],
  wordWeights: number[],
  existing: (files: string[]) => string[],
  { messages: parameters }: PackWeights,
): Map<string, number> {
  const lengths = new Map<string, number>();
  const counts = new Map<string, Map<number, number>>();
  changes.forEach((change, at) => {
    const share = 1 / Math.sqrt(change.files.length);
    for (const path of existing(change.files)) {
      add(lengths, path, change.wordCount * share);
      const own = counts.get(path) ?? new Map<number, number>();
      for (const { place, count } of found[at] as WordHit[])
        own.set(place, (own.get(place) ?? 0) + count * share);
      counts.set(path, own);
    }
  });
  const total = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  const average = total / Math.max(1, lengths.size);
  const scores = new Map<string, number>();
  for (const [path, own] of counts) {
    const length = (lengths.get(path) as number) / average;
    for (const [place, count] of own)
      add(scores, path, termScore(wordWeights[place] as number, count, length, parameters));
  }
  return scores;
}

function changeFrequency(
  changes: readonly PastChange[],
  existing: (files: string[]) => string[],
  { recentCommits }: PackWeights,
): Pick<PastSignals['signals'], 'changeCount' | 'recentChanges'> {
  const changeCount = new Map<string, number>();
  const recentChanges = new Map<string, number>();
  changes.forEach(({ files }, age) => {
    for (const path of existing(files)) {
      add(changeCount, path, 1);
      add(recentChanges, path, Math.exp(-age / recentCommits));
    }
  });
  return { changeCount: logarithms(changeCount), recentChanges: logarithms(recentChanges) };
}

const logarithms = (counts: Map<string, number>): Map<string, number> =>
  new Map([...counts].map(([path, count]) => [path, Math.log(1 + count)]));

function add(sums: Map<string, number>, path: string, value: number): void {
  sums.set(path, (sums.get(path) ?? 0) + value);
}
