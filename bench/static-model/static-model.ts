import { loadStaticModel } from '../../src/models/static-embed.ts';
import { atLeast, atMost, type Evaluation } from '../../test/harness/evaluation.ts';
import { readBeam, readLocomo, type Talk } from './sets.ts';
import { measureLoad, microsecondsPerText, sizes } from './speed.ts';
import { askAll, type Recalls } from './ways.ts';

/** Quality and cost of the built-in model, alone and combined with word search. */
export const staticModel: Evaluation = {
  name: 'static-model',
  summary: 'The built-in embedding model: recall alone and with words on LoCoMo and BEAM, load time, size.',
  async run({ data, isShort }) {
    const model = loadStaticModel('assets/static-en.bin');
    const locomo = readLocomo(data);
    const sets: Record<string, Talk[]> = {
      locomoDev: locomo.filter(({ split }) => split === 'dev'),
      locomoTest: locomo.filter(({ split }) => split === 'test'),
      beam100k: readBeam('100K', data),
      ...(isShort ? {} : { beam500k: readBeam('500K', data) }),
    };
    const figures: Record<string, number | string> = { model: model.id, ...sizes() };
    let n = 0;
    const gains: Record<string, number> = {};
    for (const [name, talks] of Object.entries(sets)) {
      const recalls: Recalls = { words: [], dense: [], both: [] };
      for (const talk of talks.slice(0, isShort ? 2 : undefined)) {
        const one = await askAll(talk, model);
        for (const way of ['words', 'dense', 'both'] as const) recalls[way].push(...one[way]);
      }
      n += recalls.words.length;
      figures[`${name} questions`] = recalls.words.length;
      for (const way of ['words', 'dense', 'both'] as const)
        figures[`${name} R@10 ${way}`] = three(mean(recalls[way]));
      gains[`${name} gain over words`] = three(mean(recalls.both) - mean(recalls.words));
    }
    const turns = locomo.flatMap(({ texts }) => texts);
    const load = measureLoad(isShort ? 5 : 15);
    const perTurn = await microsecondsPerText(model, turns);
    return {
      n,
      figures: { ...figures, ...gains, ...load, 'microseconds per turn': perTurn },
      bars: {
        modelMb: atMost(figures.modelMb as number, 10),
        loadCpuMs: atMost(load.loadCpuMs, 60),
        startRatio: atMost(load.startRatio, 2.5),
        ...Object.fromEntries(
          Object.entries(gains).map(([name, gain]) => [name, atLeast(gain, isShort ? 0 : 0.01)]),
        ),
        'microseconds per turn': atMost(perTurn, 100),
      },
    };
  },
};

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const three = (value: number): number => Math.round(value * 1_000) / 1_000;
