import { isProgram } from '../../src/code/languages.ts';
import { ByteWords } from '../../src/code/words/byte-words.ts';
import { type FileWords, hasMeaningfulWords, wordsOfFile } from '../../src/code/words/file-words.ts';
import { goalWords } from '../../src/code/words/goal-words.ts';
import { WordMatcher } from '../../src/code/words/match-words.ts';
import { WordCounter } from '../../src/code/words/word-keys.ts';
import { matchPastChanges, type PastChange, toPastChange } from '../../src/pack/past-changes.ts';
import { maxPastChanges } from '../../src/pack/past-work.ts';
import { type Evidence, rankFiles } from '../../src/pack/rank-files.ts';
import { type PackWeights, packWeights } from '../../src/pack/weights.ts';
import { ancestorsOf, type PastCommit, readBlobs, treeOf } from './git-objects.ts';

/**
 * A repository as it was at one of its commits. The product's own functions rank its files, with the words of the files
 * at that time and the changes before it. The commit of the task and later ones are never read.
 */
export class HistoricCheckout {
  private readonly gitDir: string;
  private readonly words = new Map<string, FileWords>();
  private readonly changes = new Map<string, PastChange | undefined>();
  private readonly counter = new WordCounter();
  private readonly bytes = new ByteWords();

  constructor(gitDir: string, commits: readonly PastCommit[]) {
    this.gitDir = gitDir;
    for (const { hash, message, isMerge, changes } of commits) {
      const files = changes.map(({ path }) => path);
      const change = isMerge ? undefined : toPastChange({ id: hash, message, files }, this.counter);
      this.changes.set(hash, change);
    }
  }

  async evidenceFor(goalText: string, commit: string): Promise<Evidence> {
    const goal = goalWords(goalText);
    const tree = treeOf(this.gitDir, commit);
    const unread = new Set(
      tree
        .filter(({ path, blob, size }) => hasMeaningfulWords(path, size) && !this.words.has(blob))
        .map(({ blob }) => blob),
    );
    await readBlobs(this.gitDir, [...unread], (blob, bytes) => {
      const words = bytes.includes(0) ? new Uint32Array(0) : wordsOfFile(bytes, this.bytes);
      this.words.set(blob, words);
    });
    const matcher = new WordMatcher(goal);
    for (const { path, blob } of tree) matcher.add(path, this.words.get(blob) ?? new Uint32Array(0));
    const past = ancestorsOf(this.gitDir, commit, maxPastChanges).flatMap(
      (hash) => this.changes.get(hash) ?? [],
    );
    const exists = (path: string): boolean => matcher.paths.has(path);
    return {
      goal,
      matches: matcher.matches,
      statistics: matcher.statistics,
      past: matchPastChanges(goal, past, exists, packWeights),
      changed: new Set(),
      intent: 'bugfix',
    };
  }
}

const deepest = 10;
const pathsOf = (evidence: Evidence, weights: PackWeights): string[] =>
  rankFiles(evidence, weights)
    .files.slice(0, deepest)
    .map(({ path }) => path);

const onlySignals = (...names: (keyof PackWeights['signals'])[]): PackWeights['signals'] =>
  Object.fromEntries(
    Object.entries(packWeights.signals).map(([name, weight]) => [
      name,
      names.includes(name as keyof PackWeights['signals']) ? weight : 0,
    ]),
  ) as PackWeights['signals'];

const withoutPast = (evidence: Evidence): Evidence => ({
  ...evidence,
  past: {
    similar: new Map(),
    messages: new Map(),
    changeCount: new Map(),
    recentChanges: new Map(),
    distinctiveness: evidence.goal.keys.map(() => 1),
    best: [],
  },
});

/** Ways to rank the same files for the same goal. The first is the way of the product. */
export const ways = {
  ours: (evidence: Evidence): string[] => pathsOf(evidence, packWeights),
  withoutPast: (evidence: Evidence): string[] => pathsOf(withoutPast(evidence), packWeights),
  bm25: (evidence: Evidence): string[] =>
    pathsOf(
      { ...withoutPast(evidence), matches: evidence.matches.filter(({ path }) => isProgram(path)) },
      { ...packWeights, signals: onlySignals('file'), demotion: [1, 1, 1, 1] },
    ),
};
export type Way = keyof typeof ways;
