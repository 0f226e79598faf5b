import { describe, expect, it } from 'vitest';
import { wordsOfFile } from '../code/words/file-words.ts';
import { goalWords } from '../code/words/goal-words.ts';
import { WordMatcher } from '../code/words/match-words.ts';
import { WordCounter } from '../code/words/word-keys.ts';
import { matchPastChanges, type PastChange, toPastChange } from './past-changes.ts';
import { type Evidence, rankFiles } from './rank-files.ts';
import { packWeights } from './weights.ts';

const counter = new WordCounter();
const files: Record<string, string> = {
  'src/auth/router.ts': 'export function routeServiceAccount() {\n  throw new Error("auth panic");\n}\n',
  'src/billing/invoice.ts': 'export class Invoice {\n  total = 0;\n}\n',
  'src/net/retry.ts': 'export const backoff = 3;\n',
  'test/auth/router.test.ts': 'it("auth panic", () => routeServiceAccount());\n'.repeat(5),
  'docs/auth.md': 'The auth panic of service accounts. '.repeat(20),
};
const change = (message: string, ...paths: string[]): PastChange =>
  toPastChange({ id: message, message, files: paths }, counter) as PastChange;

function evidenceFor(goalText: string, more: Partial<Evidence> = {}, changes: PastChange[] = []): Evidence {
  const goal = goalWords(goalText);
  const matcher = new WordMatcher(goal);
  for (const [path, text] of Object.entries(files))
    matcher.add(path, wordsOfFile(Buffer.from(text), new WordCounter()));
  const past = matchPastChanges(goal, changes, (path) => path in files, packWeights);
  return {
    goal,
    matches: matcher.matches,
    statistics: matcher.statistics,
    past,
    changed: new Set(),
    intent: 'bugfix',
    ...more,
  };
}
const pathsFor = (evidence: Evidence): string[] =>
  rankFiles(evidence, packWeights).files.map(({ path }) => path);

describe('rankFiles', () => {
  it('ranks sources before tests and documents with the same words', () => {
    expect(pathsFor(evidenceFor('auth panic for service accounts'))[0]).toBe('src/auth/router.ts');
  });

  it('[pack-past] lists a file that shares no word with the goal if a similar past commit changed it', () => {
    const goal = 'the exponential waiting doubles forever';
    expect(pathsFor(evidenceFor(goal))).toEqual([]);
    const changes = [
      change('Stop the exponential waiting after a minute', 'src/net/retry.ts'),
      change('Round totals', 'src/billing/invoice.ts'),
    ];
    const [first] = rankFiles(evidenceFor(goal, {}, changes), packWeights).files;
    expect(first).toMatchObject({
      path: 'src/net/retry.ts',
      reasons: expect.arrayContaining(['similar_change']),
    });
  });

  it('never lists a deleted file', () => {
    const changes = [change('Stop the exponential waiting', 'src/net/gone.ts')];
    expect(pathsFor(evidenceFor('exponential waiting', {}, changes))).toEqual([]);
  });

  it('[pack-review] starts a review with the changed files, tests included', () => {
    const changed = new Set(['test/auth/router.test.ts', 'src/billing/invoice.ts']);
    expect(
      pathsFor(evidenceFor('auth panic', { changed, intent: 'review' }))
        .slice(0, 2)
        .sort(),
    ).toEqual([...changed].sort());
    expect(pathsFor(evidenceFor('auth panic', { changed }))[0]).toBe('src/auth/router.ts');
  });

  it('uses recent use to order matching files, but not to add files', () => {
    const frecency = new Map([
      ['src/net/retry.ts', 5],
      ['src/billing/invoice.ts', 4],
    ]);
    const { files: ranked } = rankFiles(evidenceFor('auth panic in total', { frecency }), packWeights);
    expect(ranked.find(({ path }) => path === 'src/billing/invoice.ts')?.reasons).toContain('recently_used');
    expect(ranked.map(({ path }) => path)).not.toContain('src/net/retry.ts');
  });

  it('gives the same order for the same evidence, in whatever order the files come', () => {
    const evidence = evidenceFor('auth panic for service accounts invoice');
    expect(pathsFor({ ...evidence, matches: [...evidence.matches].reverse() })).toEqual(pathsFor(evidence));
  });
});
