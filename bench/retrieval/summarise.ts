import type { Random } from '../../test/harness/random.ts';
import { type Answered, type RankerName, rankers } from './ask.ts';
import { inThousandths, mean, measures, pairedInterval } from './metrics.ts';

type Figures = Record<string, number | string>;

/** Every measure of every ranking, and the lead over FTS5 with its 95 % confidence interval. */
export function summarise(prefix: string, answered: readonly Answered[], random: Random): Figures {
  const figures: Figures = { [`${prefix}.n`]: answered.length };
  for (const ranker of rankers) {
    for (const measure of measures) {
      figures[`${prefix}.${ranker}.${measure}`] = inThousandths(mean(column(answered, ranker, measure)));
    }
  }
  figures[`${prefix}.backstory.turn3`] = inThousandths(mean(answered.map(({ turn3 }) => turn3)));
  for (const measure of ['hit3', 'recall10'] as const) {
    const ours = column(answered, 'backstory', measure);
    const theirs = column(answered, 'fts5', measure);
    const [low, high] = pairedInterval(ours, theirs, random);
    figures[`${prefix}.ahead.${measure}`] = inThousandths(mean(ours) - mean(theirs));
    figures[`${prefix}.ahead.${measure}.95`] = `${inThousandths(low)} to ${inThousandths(high)}`;
  }
  return figures;
}

/** hit@3 of the product, FTS5 and grep for each group. */
export function summariseBy(
  prefix: string,
  answered: readonly Answered[],
  key: (one: Answered) => string,
): Figures {
  const names = [...new Set(answered.map(key))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const own = answered.filter((one) => key(one) === name);
      const hit3 = (ranker: RankerName) => inThousandths(mean(column(own, ranker, 'hit3'))).toFixed(3);
      const value = `${hit3('backstory')}, fts5 ${hit3('fts5')}, grep ${hit3('grep')}, n ${own.length}`;
      return [`${prefix}.${name}`, value];
    }),
  );
}

export const column = (
  answered: readonly Answered[],
  ranker: RankerName,
  measure: (typeof measures)[number],
): number[] => answered.map(({ scores }) => scores[ranker][measure]);
