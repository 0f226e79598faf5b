import { type RankingWeights, rankingWeights } from '../../src/recall/weights.ts';
import { type Evaluation, showProgress } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { inThousandths, mean, pairedInterval } from '../retrieval/metrics.ts';
import { type AnswerSource, importSet } from './import-set.ts';
import { type RealQuestion, type RealSet, readRealSets } from './read-sets.ts';

/** Rank of the first hit with the answer, starting at 1, for each search method; 0 if there is none. */
interface Answered {
  project: string;
  manner: string;
  places: Record<string, number>;
  match: string;
  /**
   * Whether a message that says what held before comes first. Undefined if the question has no such message.
   */
  isOverturnedFirst?: boolean;
}

/** The product without one of its ranking signals. */
const ablations: [name: string, without: Partial<RankingWeights>][] = [
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

const depth = 10;

/**
 * Real coding sessions that their authors published, with questions written by people who had not read the code. The
 * ranking was fitted to the development half. Figures are per project, because projects differ more than rankings do;
 * `all` is the mean of the projects.
 */
export const recallReal: Evaluation = {
  name: 'recall-real',
  summary: 'recall on real coding sessions: is the answer among the first 1, 3 or 5 hits',
  async run({ data, seed, isShort }) {
    const sets = data === undefined ? undefined : readRealSets(data);
    if (sets === undefined) {
      const skipped = 'no real sessions; name their folder with --data DIR';
      return { n: 0, figures: { skipped }, bars: {} };
    }
    const answered: Answered[] = [];
    const absent: string[] = [];
    for (const [at, set] of sets.entries()) {
      showProgress(at, sets.length);
      const asked = await askSet(set, !isShort);
      answered.push(...asked.answered);
      absent.push(...asked.absent);
    }
    showProgress(sets.length, sets.length);
    printWays(answered, seed);
    return {
      n: answered.length,
      figures: {
        'all.n': answered.length,
        ...Object.fromEntries(
          (['hit1', 'hit3', 'hit5', 'fts5.hit3'] as const).map((name) => [
            `all.${name}`,
            inThousandths(
              mean(
                [...Map.groupBy(answered, ({ project }) => project)].map(
                  ([project, own]) => figuresOf(project, own)[`${project}.${name}`] ?? 0,
                ),
              ),
            ),
          ]),
        ),
        ...Object.assign(
          {},
          ...[...Map.groupBy(answered, ({ project }) => project)].map(([name, own]) => figuresOf(name, own)),
        ),
        ...Object.fromEntries(
          [...Map.groupBy(answered, ({ manner }) => manner)].map(([manner, own]) => [
            `${manner}.hit3`,
            `${inThousandths(mean(hitsAt(own, 'ours', 3)))} of ${own.length}`,
          ]),
        ),
        overturnedFirstHit: shareOf(answered.flatMap(({ isOverturnedFirst }) => isOverturnedFirst ?? [])),
        absentCalledGood: shareOf(absent.map((match) => match === 'good')),
        answeredCalledGood: shareOf(answered.map(({ match }) => match === 'good')),
      },
      bars: {},
    };
  },
};

async function askSet(set: RealSet, withAblations: boolean) {
  const imported = await importSet(set);
  const answered: Answered[] = [];
  const absent: string[] = [];
  for (const { text, gold, manner, overturned } of set.questions) {
    const placeIn = (found: AnswerSource[]) => found.findIndex((source) => holdsAnswer(source, gold)) + 1;
    const { found, match } = await imported.recall(text, depth, rankingWeights);
    if (!(gold instanceof RegExp) && gold.length === 0) {
      absent.push(match);
      continue;
    }
    const places: Answered['places'] = {
      ours: placeIn(found),
      'fts5-or': placeIn(imported.fts5(text, depth)),
    };
    for (const [name, without] of withAblations ? ablations : []) {
      const ablated = await imported.recall(text, depth, { ...rankingWeights, ...without });
      places[name] = placeIn(ablated.found);
    }
    const isFormerFirst = (list: AnswerSource[]): boolean => {
      const [former, current] = [overturned, gold].map((wanted) =>
        list.findIndex((source) => holdsAnswer(source, wanted)),
      ) as [number, number];
      return former >= 0 && (current === -1 || former < current);
    };
    answered.push({
      project: set.name,
      manner,
      places,
      match,
      ...(overturned.length === 0 || manner !== 'reversal'
        ? {}
        : { isOverturnedFirst: isFormerFirst(found) }),
    });
  }
  return { answered, absent };
}

const shareOf = (values: boolean[]): string => `${values.filter(Boolean).length} of ${values.length}`;

const holdsAnswer = ({ messages, text }: AnswerSource, gold: RealQuestion['gold']): boolean =>
  gold instanceof RegExp ? gold.test(text) : messages.some((id) => gold.includes(id));

const hitsAt = (answered: Answered[], way: string, k: number): number[] =>
  answered.map(({ places }) => Number((places[way] ?? 0) > 0 && (places[way] ?? 0) <= k));

function figuresOf(name: string, answered: Answered[]): Record<string, number> {
  const at = (way: string, k: number) => inThousandths(mean(hitsAt(answered, way, k)));
  return {
    [`${name}.n`]: answered.length,
    [`${name}.hit1`]: at('ours', 1),
    [`${name}.hit3`]: at('ours', 3),
    [`${name}.hit5`]: at('ours', 5),
    [`${name}.fts5.hit3`]: at('fts5-or', 3),
  };
}

const signed = (value: number): string => (value < 0 ? '' : '+') + value.toFixed(3);

function printWays(answered: Answered[], seed: number): void {
  const random = createRandom(seed);
  const ours = hitsAt(answered, 'ours', 3);
  console.log(`${'way'.padEnd(16)}hit@1 hit@3 hit@5  hit@3 against ours [95 %]`);
  for (const way of Object.keys(answered[0]?.places ?? {})) {
    const hits = [1, 3, 5].map((k) => mean(hitsAt(answered, way, k)).toFixed(3));
    const theirs = hitsAt(answered, way, 3);
    const [low, high] = pairedInterval(theirs, ours, random);
    const against =
      way === 'ours' ? '' : `  ${signed(mean(theirs) - mean(ours))} [${signed(low)}, ${signed(high)}]`;
    console.log(`${way.padEnd(16)}${hits.join('  ')}${against}`);
  }
  console.log('');
}
