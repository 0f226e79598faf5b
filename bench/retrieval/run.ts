import { type RankingWeights, rankingWeights } from '../../src/recall/weights.ts';
import { showProgress } from '../../test/harness/evaluation.ts';
import type { Random } from '../../test/harness/random.ts';
import { createFts5, createGrep } from './baselines.ts';
import type { Conversation } from './conversation.ts';
import { type Asked, allAt, askedOf, ndcgAt, recallAt } from './measure.ts';
import { inThousandths, mean, pairedInterval } from './metrics.ts';
import { toProject } from './project.ts';

/** Results by search method; `ours` is the product as shipped. */
export type Results = Map<string, Asked[]>;

const deepest = 20;

/** The product without one of its ranking signals. */
export const ablations: [name: string, without: Partial<RankingWeights>][] = [
  ['no meaning', { meaning: 0 }],
  ['no pairs', { pairs: 0 }],
  ['no passages', { passage: 0 }],
  ['no date', { date: 0 }],
  ['no kinds', { kind: 0 }],
  ['no question', { afterQuestion: 0 }],
  ['no answer link', { answerToPrompt: 0, promptToAnswer: 0, answerToNextPrompt: 0 }],
  [
    'no neighbours',
    {
      next: 0,
      previous: 0,
      nextButOne: 0,
      previousButOne: 0,
      afterQuestion: 0,
      answerToPrompt: 0,
      promptToAnswer: 0,
      answerToNextPrompt: 0,
    },
  ],
];

/**
 * What a question is about: a message that exists (`evidence`), a known subject without an answer (`nothing`), or
 * another conversation (`elsewhere`).
 */
type AskedOf = 'evidence' | 'nothing' | 'elsewhere';

const askedElsewhere = 10;

export interface Run {
  results: Results;
  /** The product's own rating of each answer, such as a good match. */
  matches: { split: string; match: string; asked: AskedOf }[];
  /** Number of candidate messages for each question. */
  candidates: number[];
}

export async function askAll(
  conversations: Conversation[],
  unanswerable: Map<string, string[]>,
  withAblations: boolean,
): Promise<Run> {
  const run: Run = { results: new Map(), matches: [], candidates: [] };
  const keep = (way: string, asked: Asked) => {
    const known = run.results.get(way);
    if (known === undefined) run.results.set(way, [asked]);
    else known.push(asked);
  };
  for (const [at, conversation] of conversations.entries()) {
    showProgress(at, conversations.length);
    const project = await toProject(conversation);
    const [fts5, grep] = [createFts5(conversation.messages), createGrep(conversation.messages)];
    const { split, group } = conversation;
    for (const { text, category, evidence, isMain } of conversation.questions) {
      const about = { category, group, isMain, split };
      run.candidates.push(conversation.messages.length);
      const ours = await project.ask(text, deepest);
      keep('ours', { ...about, ...askedOf(ours.ids, evidence) });
      keep('fts5-or', { ...about, ...askedOf(fts5(text, deepest), evidence) });
      keep('grep', { ...about, ...askedOf(grep(text, deepest), evidence) });
      run.matches.push({ split, match: ours.match, asked: 'evidence' });
      if (!withAblations || !isMain) continue;
      for (const [name, without] of ablations) {
        const { ids } = await project.ask(text, deepest, { ...rankingWeights, ...without });
        keep(name, { ...about, ...askedOf(ids, evidence) });
      }
    }
    const judge = async (text: string, asked: AskedOf) =>
      run.matches.push({ split, match: (await project.ask(text, deepest)).match, asked });
    for (const text of unanswerable.get(conversation.id) ?? []) await judge(text, 'nothing');
    const other = conversations[(at + 1) % conversations.length];
    for (const { text } of other?.questions.slice(0, askedElsewhere) ?? []) await judge(text, 'elsewhere');
  }
  showProgress(conversations.length, conversations.length);
  return run;
}

/** Prints one line per search method. */
export function printWays(
  title: string,
  results: Results,
  which: (asked: Asked) => boolean,
  random: Random,
): void {
  const base = (results.get('fts5-or') ?? []).filter(which).map((asked) => recallAt(asked, 10));
  console.log(`${title}, n ${base.length}`);
  console.log(`  ${'way'.padEnd(16)}R@1   R@5   R@10  R@20  nDCG  all@10  R@10 above FTS5-OR [95 %]`);
  for (const [way, all] of results) {
    const asked = all.filter(which);
    const tens = asked.map((one) => recallAt(one, 10));
    const figures = [1, 5, 10, 20].map((k) => mean(asked.map((one) => recallAt(one, k))));
    const ranked = [mean(asked.map((one) => ndcgAt(one, 10))), mean(asked.map((one) => allAt(one, 10)))];
    const [low, high] = pairedInterval(tens, base, random);
    const above =
      way === 'fts5-or' ? '' : `  ${signed(mean(tens) - mean(base))} [${signed(low)}, ${signed(high)}]`;
    console.log(
      `  ${way.padEnd(16)}${[...figures, ...ranked].map((value) => value.toFixed(3)).join(' ')}${above}`,
    );
  }
  console.log('');
}

export const signed = (value: number): string => (value < 0 ? '' : '+') + value.toFixed(3);

export function printCategories(results: Results, which: (asked: Asked) => boolean): void {
  const ours = (results.get('ours') ?? []).filter(which);
  const base = (results.get('fts5-or') ?? []).filter(which);
  for (const category of [...new Set(ours.map((asked) => asked.category))].sort()) {
    const tenOf = (asked: Asked[]) =>
      mean(asked.filter((one) => one.category === category).map((one) => recallAt(one, 10))).toFixed(3);
    const n = ours.filter((one) => one.category === category).length;
    console.log(
      `  ${category.padEnd(26)}n ${String(n).padStart(4)}  R@10 ${tenOf(ours)}  FTS5-OR ${tenOf(base)}`,
    );
  }
  console.log('');
}

export function figuresOf(results: Results, way: string, which: (asked: Asked) => boolean) {
  const asked = (results.get(way) ?? []).filter(which);
  const at = (k: number): number => inThousandths(mean(asked.map((one) => recallAt(one, k))));
  return {
    n: asked.length,
    r1: at(1),
    r5: at(5),
    r10: at(10),
    r20: at(20),
    ndcg10: inThousandths(mean(asked.map((one) => ndcgAt(one, 10)))),
    all10: inThousandths(mean(asked.map((one) => allAt(one, 10)))),
  };
}

/** The share of questions for which the product reports a good match. */
export const goodShare = (run: Run, split: string, asked: AskedOf): number =>
  inThousandths(
    mean(
      run.matches
        .filter((one) => one.split === split && one.asked === asked)
        .map(({ match }) => Number(match === 'good')),
    ),
  );
