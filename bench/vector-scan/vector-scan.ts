import { loadStaticModel } from '../../src/models/static-embed.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { atLeast, atMost, type Evaluation, median, quantile, round } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { type Engine, openOurs, openSqliteVec } from './engines.ts';
import { exactBest, sampleTexts } from './samples.ts';

const best = 10;

/** Compares Backstory's vector segments and scan with sqlite-vec on the same vectors in one run. */
export const vectorScan: Evaluation = {
  name: 'vector-scan',
  summary: 'Vectors in the index: CPU per query, size and recall compared with sqlite-vec.',
  async run({ isShort, seed }) {
    const count = isShort ? 20_000 : 100_000;
    const queries = isShort ? 20 : 50;
    const random = createRandom(seed);
    const model = loadStaticModel('assets/static-en.bin');
    const vectors = await model.embed(sampleTexts(count, random));
    const queryVectors = await model.embed(sampleTexts(queries, random));
    const exact = queryVectors.map((query) => exactBest(vectors, query, best));
    const folder = temporaryFolder('vector-scan');
    const engines: [string, () => Engine][] = [
      ['ours', () => openOurs(folder, model)],
      ['sqliteVecFloat', () => openSqliteVec(folder, model.dims, 'float')],
      ['sqliteVecInt8', () => openSqliteVec(folder, model.dims, 'int8')],
    ];
    const measured = new Map<string, Measured>();
    for (const [name, open] of engines) measured.set(name, measure(open, vectors, queryVectors, exact));
    const [ours, float, int8] = engines.map(([name]) => measured.get(name) as Measured) as [
      Measured,
      Measured,
      Measured,
    ];
    const figures: Record<string, number> = { vectors: count, dims: model.dims };
    for (const [name, figure] of measured)
      for (const [key, value] of Object.entries(figure)) figures[`${name} ${key}`] = value;
    return {
      n: queries,
      figures,
      bars: {
        'recall at 10': atLeast(ours.recallAt10, 0.98),
        'CPU per query, ours to float sqlite-vec': atMost(
          round(ours.cpuMsPerQuery / float.cpuMsPerQuery),
          0.6,
        ),
        // With few vectors, opening costs more than scanning.
        ...(isShort
          ? {}
          : {
              'CPU of the first query, ours to float sqlite-vec': atMost(
                round(ours.firstQueryCpuMs / float.firstQueryCpuMs),
                1,
              ),
            }),
        'CPU per query, ours to int8 sqlite-vec': atMost(round(ours.cpuMsPerQuery / int8.cpuMsPerQuery), 0.6),
        'size, ours to float sqlite-vec': atMost(round(ours.sizeMb / float.sizeMb), 0.35),
      },
    };
  },
};

interface Measured {
  buildCpuMs: number;
  sizeMb: number;
  /** CPU time of a query on a connection that was just opened. */
  firstQueryCpuMs: number;
  cpuMsPerQuery: number;
  p95WallMs: number;
  recallAt10: number;
}

function measure(
  open: () => Engine,
  vectors: Float32Array[],
  asked: Float32Array[],
  exact: Set<number>[],
): Measured {
  const engine = open();
  const buildCpuMs = cpuMs(() => engine.fill(vectors));
  // Search once without measuring: the first query compiles code and reads the file.
  engine.search(asked[0] as Float32Array, best);
  const times: number[] = [];
  const wall: number[] = [];
  let found = 0;
  asked.forEach((query, at) => {
    let rows: number[] = [];
    const begun = performance.now();
    times.push(
      cpuMs(() => {
        rows = engine.search(query, best);
      }),
    );
    wall.push(performance.now() - begun);
    found += rows.filter((row) => exact[at]?.has(row)).length;
  });
  const sizeMb = round(engine.bytes() / 1024 / 1024);
  engine.close();
  const first = asked.slice(0, 10).map((query) => {
    const reopened = open();
    const time = cpuMs(() => reopened.search(query, best));
    reopened.close();
    return time;
  });
  return {
    buildCpuMs: Math.round(buildCpuMs),
    sizeMb,
    firstQueryCpuMs: round(median(first)),
    cpuMsPerQuery: round(median(times)),
    p95WallMs: round(quantile(wall, 0.95)),
    recallAt10: Math.round((found / (asked.length * best)) * 1_000) / 1_000,
  };
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
