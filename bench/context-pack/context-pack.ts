import { atLeast, type Evaluation, type Outcome } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { inThousandths } from '../retrieval/metrics.ts';
import { casesOf } from './cases.ts';
import { readCommits } from './git-objects.ts';
import { HistoricCheckout, type Way, ways } from './historic-checkout.ts';
import { type Found, foundIn, intervalOf, meanOf } from './measures.ts';
import { gitDirOf, isHeldOut, manifest } from './repositories.ts';

/** Number of commits to read: enough that even the oldest of the sixty tasks has a history before it. */
const readDepth = 6_000;
const shortRepositories = 2;
const wayNames = Object.keys(ways) as Way[];

export const contextPackEvaluation: Evaluation = {
  name: 'context-pack',
  summary: 'Real commits as tasks: does a pack name the files that were changed? Needs --histories DIR.',
  async run({ histories, isShort, allowSkip, seed }) {
    if (histories === undefined && allowSkip)
      return { n: 0, figures: { skipped: 'no --histories' }, bars: {} };
    if (histories === undefined) throw new Error('give --histories DIR');
    const chosen = isShort ? manifest.slice(0, shortRepositories) : manifest;
    const found = Object.fromEntries(wayNames.map((way) => [way, [] as Found[]])) as Record<Way, Found[]>;
    for (const { name, head } of chosen) {
      const gitDir = gitDirOf(histories, name);
      if (gitDir === undefined) throw new Error(`no history of ${name} under ${histories}`);
      const commits = readCommits(gitDir, head, readDepth);
      const checkout = new HistoricCheckout(gitDir, commits);
      for (const { goal, parent, gold, isClean } of casesOf(commits)) {
        const evidence = await checkout.evidenceFor(goal, parent);
        for (const way of wayNames)
          found[way].push(foundIn(ways[way](evidence), gold, { group: name, isClean }));
      }
    }
    return summarise(found, seed, isShort);
  },
};

function summarise(found: Record<Way, Found[]>, seed: number, isShort: boolean): Outcome {
  const figures: Outcome['figures'] = {};
  const random = createRandom(seed);
  for (const side of ['development', 'held out'] as const) {
    const ofSide = ({ group }: Found): boolean => isHeldOut(group) === (side === 'held out');
    for (const way of wayNames) {
      const own = found[way].filter(ofSide);
      for (const measure of ['hit1', 'hit4', 'hit10', 'recall10', 'reciprocal'] as const)
        figures[`${side} ${way} ${measure}`] = inThousandths(meanOf(own, measure));
      const clean = own.filter(({ isClean }) => isClean);
      figures[`${side} ${way} hit4, no file named`] = inThousandths(meanOf(clean, 'hit4'));
      figures[`${side} ${way} recall10, no file named`] = inThousandths(meanOf(clean, 'recall10'));
    }
    const ours = found.ours.filter(ofSide);
    figures[`${side} tasks`] = ours.length;
    figures[`${side} tasks, no file named`] = ours.filter(({ isClean }) => isClean).length;
    figures[`${side} ours hit4 interval`] = intervalOf(ours, 'hit4', random);
    figures[`${side} ours recall10 interval`] = intervalOf(ours, 'recall10', random);
  }
  for (const [name, own] of Map.groupBy(found.ours, ({ group }) => group))
    figures[`${isHeldOut(name) ? 'held out' : 'development'} ${name} hit4, recall10`] =
      `${meanOf(own, 'hit4').toFixed(3)}, ${meanOf(own, 'recall10').toFixed(3)}`;
  const held = found.ours.filter(({ group }) => isHeldOut(group));
  return {
    n: found.ours.length,
    figures,
    // A short run is too small to compare with the bars (limits for figures). It only shows that everything runs.
    bars: isShort
      ? { 'ours hit4': atLeast(inThousandths(meanOf(found.ours, 'hit4')), 0.75) }
      : {
          'held out hit4': atLeast(inThousandths(meanOf(held, 'hit4')), 0.86),
          'held out recall10': atLeast(inThousandths(meanOf(held, 'recall10')), 0.89),
        },
  };
}
