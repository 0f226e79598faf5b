import { largest } from '../base/largest.ts';
import { isProgram, tierOf } from '../code/path-kind.ts';
import type { GoalWords } from '../code/words/goal-words.ts';
import type { FileMatch, WordStatistics } from '../code/words/match-words.ts';
import { rarityOf, termScore } from '../text/bm25.ts';
import type { PackReason } from '../wire/answers/code.ts';
import type { PastSignals } from './past-changes.ts';
import type { PackWeights } from './weights.ts';

export interface Evidence {
  goal: GoalWords;
  matches: readonly FileMatch[];
  statistics: WordStatistics;
  past: PastSignals;
  changed: ReadonlySet<string>;
  /** Files of prompts and notes that match the goal. */
  memory?: ReadonlyMap<string, number>;
  frecency?: ReadonlyMap<string, number>;
  /** How close the meaning of a file's best chunk is to the goal. */
  meaning?: ReadonlyMap<string, number>;
  /** Files that define a name which the goal contains. */
  symbol?: ReadonlyMap<string, number>;
  intent: Intent;
}

export const intents = ['bugfix', 'review'] as const;
export type Intent = (typeof intents)[number];

export interface RankedPath {
  path: string;
  score: number;
  reasons: PackReason[];
  /** The best matching chunk: its first line and the goal's words in it. */
  chunk?: { line: number; terms: number[] };
}

type Signals = Record<keyof PackWeights['signals'], ReadonlyMap<string, number>>;

/** Ranks files for a goal. Pure: the same evidence gives the same order. */
export function rankFiles(
  evidence: Evidence,
  weights: PackWeights,
): { files: RankedPath[]; wordWeights: number[] } {
  const { matches, past, changed, intent } = evidence;
  const { best, ...byWords } = wordSignals(evidence, weights);
  const signals: Signals = {
    ...byWords,
    ...past.signals,
    mentioned: mentionedIn(evidence.goal, matches),
    changed: new Map([...changed].map((path) => [path, 1])),
    memory: evidence.memory ?? none,
    frecency: evidence.frecency ?? none,
    meaning: evidence.meaning ?? none,
    symbol: evidence.symbol ?? none,
  };
  const totals = new Map<string, number>();
  const parts = new Map<string, [keyof Signals, number][]>();
  for (const [name, scores] of Object.entries(signals) as [keyof Signals, ReadonlyMap<string, number>][]) {
    const highest = largest(scores.values());
    if (highest <= 0 || weights.signals[name] === 0) continue;
    // In a review, changed files get more weight, because the review is about them.
    const weight = weights.signals[name] * (name === 'changed' && intent === 'review' ? reviewFactor : 1);
    for (const [path, score] of scores) {
      if (score <= 0) continue;
      const part = (weight * score) / highest;
      totals.set(path, (totals.get(path) ?? 0) + part);
      const own = parts.get(path);
      if (own === undefined) parts.set(path, [[name, part]]);
      else own.push([name, part]);
    }
  }
  const priors: readonly string[] = intent === 'review' ? usage : [...usage, 'changed'];
  const isMatch = (path: string): boolean =>
    parts.get(path)?.some(([name]) => !priors.includes(name)) === true;
  const files = [...totals]
    .filter(([path]) => isMatch(path))
    .map(([path, total]) => {
      const chunk = best.get(path);
      return {
        path,
        score: total * demotionOf(path, evidence, weights),
        reasons: reasonsOf(parts.get(path) ?? [], total),
        ...(chunk === undefined ? {} : { chunk }),
      };
    });
  return {
    files: files.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)),
    wordWeights: weightsIn(evidence, evidence.statistics.inChunks, evidence.statistics.chunks),
  };
}

const none: ReadonlyMap<string, number> = new Map();
const reviewFactor = 20;
/** Signals that order matching files but never make a file match on their own. */
const usage: readonly string[] = ['changeCount', 'recentChanges', 'frecency'];

function demotionOf(path: string, { changed, intent }: Evidence, { demotion }: PackWeights): number {
  if (intent === 'review' && changed.has(path)) return 1;
  const tier = tierOf(path);
  return demotion[tier === 0 && !isProgram(path) ? 1 : tier] ?? 1;
}

const reasonOf: Record<keyof Signals, PackReason> = {
  chunk: 'content_match',
  file: 'content_match',
  definition: 'definition_match',
  name: 'path_match',
  path: 'path_match',
  similar: 'similar_change',
  messages: 'similar_change',
  changeCount: 'often_changed',
  recentChanges: 'often_changed',
  mentioned: 'mentioned',
  changed: 'changed_file',
  memory: 'memory',
  frecency: 'recently_used',
  meaning: 'similar_meaning',
  symbol: 'definition_match',
};
const minReasonShare = 0.08;

/** Reasons by their share of the score, largest first. Very small shares are left out. */
function reasonsOf(parts: [keyof Signals, number][], total: number): PackReason[] {
  const sums = new Map<PackReason, number>();
  for (const [name, part] of parts) sums.set(reasonOf[name], (sums.get(reasonOf[name]) ?? 0) + part);
  return [...sums]
    .filter(([, part]) => part >= total * minReasonShare)
    .sort((a, b) => b[1] - a[1])
    .map(([reason]) => reason);
}

/** The weight of each word of the goal: its rarity, if it occurs in `counts` of `total` documents. */
function weightsIn({ goal, past }: Evidence, counts: Float64Array, total: number): number[] {
  return goal.weights.map(
    (weight, at) => weight * (past.distinctiveness[at] ?? 1) * rarityOf(counts[at] as number, total),
  );
}

type WordSignals = Pick<Signals, 'chunk' | 'file' | 'definition' | 'name' | 'path'> & {
  best: Map<string, { line: number; terms: number[] }>;
};

function wordSignals(evidence: Evidence, weights: PackWeights): WordSignals {
  const { matches, statistics } = evidence;
  const wordWeights = {
    chunk: weightsIn(evidence, statistics.inChunks, statistics.chunks),
    file: weightsIn(evidence, statistics.inFiles, statistics.files),
    definition: weightsIn(evidence, statistics.inDefinitions, statistics.files),
    path: weightsIn(evidence, statistics.inPaths, statistics.files),
  };
  const found = {
    chunk: new Map<string, number>(),
    file: new Map<string, number>(),
    definition: new Map<string, number>(),
    name: new Map<string, number>(),
    path: new Map<string, number>(),
    best: new Map<string, { line: number; terms: number[] }>(),
  };
  const averageChunk = statistics.words / Math.max(1, statistics.chunks);
  const averageFile = statistics.words / Math.max(1, statistics.files);
  const counts = new Float64Array(wordWeights.chunk.length);
  for (const match of matches) {
    const { path, chunks, definitions, name, folders, nameWords } = match;
    let highest = 0;
    counts.fill(0);
    for (const chunk of chunks) {
      let score = 0;
      chunk.terms.forEach((term, at) => {
        const count = chunk.counts[at] as number;
        score += termScore(
          wordWeights.chunk[term] as number,
          count,
          chunk.words / averageChunk,
          weights.chunk,
        );
        counts[term] = (counts[term] as number) + count;
      });
      if (score <= highest) continue;
      highest = score;
      found.best.set(path, { line: chunk.line, terms: chunk.terms });
    }
    let whole = 0;
    counts.forEach((count, term) => {
      if (count > 0)
        whole += termScore(wordWeights.file[term] as number, count, match.words / averageFile, weights.file);
    });
    found.chunk.set(path, highest);
    found.file.set(path, whole);
    found.definition.set(path, sumOf(wordWeights.definition, definitions));
    found.name.set(path, sumOf(wordWeights.path, name) / Math.sqrt(Math.max(1, nameWords)));
    found.path.set(path, sumOf(wordWeights.path, name) + sumOf(wordWeights.path, folders));
  }
  return found;
}

const sumOf = (weights: number[], places: number[]): number =>
  places.reduce((sum, place) => sum + (weights[place] as number), 0);

function mentionedIn({ folded }: GoalWords, matches: readonly FileMatch[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { path } of matches) {
    const low = path.toLowerCase();
    const base = low.slice(low.lastIndexOf('/') + 1);
    if (!base.includes('.') || !folded.includes(base)) continue;
    found.set(path, low !== base && folded.includes(low) ? 2 : 1.5);
  }
  return found;
}
