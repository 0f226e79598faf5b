import { setTimeout as pause } from 'node:timers/promises';
import type { Embedder } from '../../src/models/embed.ts';
import type { TeamStore } from '../../src/team/store/team-store.ts';
import type { TeamDatabase } from '../../test/harness/team/database.ts';
import { watchCpu } from './cpu.ts';
import { type FilledTeam, questionsOf } from './fill.ts';
import { askNearest, measureRecall } from './recall.ts';

const questionsEach = 40;
const near = 'vector_near_';

interface Cost {
  ms: number;
  cpuMs: number;
}

export interface MeasuredHnsw {
  projects: number;
  memories: number;
  buildSeconds: number;
  recall: number;
  asked: number;
  empty: number;
  /** How often the projects were searched with an index present, and how often the planner used it. */
  searches: number;
  scans: number;
  through: Cost;
  swept: Cost;
}

/**
 * Gives the largest projects an HNSW index (approximate nearest-neighbour search), as `team tend` would if they were
 * larger. Compares its results and cost with the sequential scan. The indexes are dropped afterwards.
 */
export async function measureHnsw(
  team: TeamDatabase,
  store: TeamStore,
  embedder: Embedder,
  filled: FilledTeam,
  count: number,
): Promise<MeasuredHnsw> {
  const { operation } = team;
  const least = (await operation.largeProjects(() => 1))[count - 1]?.vectors ?? 1;
  const big = (await operation.largeProjects(() => least)).slice(0, count);
  const asked = filled.projects
    .filter(({ id }) => big.some(({ project }) => project === id))
    .map((one) => ({ ...one, questions: questionsOf(one.number, one.size, questionsEach) }));
  let searches = 0;
  const askAll = async (count = questionsEach): Promise<void> => {
    for (const { id, questions } of asked)
      for (const vector of await embedder.embed(questions.slice(0, count))) {
        await askNearest(store, filled.person.hash, id, embedder, vector);
        searches += 1;
      }
  };
  const cost = async (): Promise<Cost> => {
    // Run some queries without measuring, because the first ones find nothing in the cache.
    await askAll(5);
    const cpu = watchCpu(process.pid, team.url);
    const began = performance.now();
    await askAll();
    const n = asked.length * questionsEach;
    return { ms: (performance.now() - began) / n, cpuMs: cpu.postgresMs() / n };
  };
  const swept = await cost();
  try {
    const building = performance.now();
    for (const project of big) await operation.createVectorIndex(project);
    const buildSeconds = (performance.now() - building) / 1_000;
    searches = 0;
    const through = await cost();
    const found = await measureRecall(team, store, embedder, filled, asked);
    searches += found.asked;
    return {
      projects: await indexCount(team),
      memories: big.reduce((sum, { vectors }) => sum + vectors, 0),
      buildSeconds,
      ...found,
      searches,
      scans: await settledScans(team, searches),
      through,
      swept,
    };
  } finally {
    await dropIndexes(team);
  }
}

/** Also drops indexes left behind by an interrupted run. */
export const dropIndexes = ({ operation }: TeamDatabase): Promise<number> =>
  operation.dropVectorIndexes(() => Number.POSITIVE_INFINITY);

/** How often the planner used an index with this prefix. */
export async function scansOf({ owner }: TeamDatabase, prefix: string): Promise<number> {
  const [row] = await owner.query<{ scans: number }>(
    `select coalesce(sum(idx_scan), 0)::int as scans from pg_stat_user_indexes where starts_with(indexrelname, $1)`,
    [prefix],
  );
  return row?.scans ?? 0;
}

/**
 * Waits until Postgres reports the expected number of index scans: an idle connection reports its statistics after at
 * most ten seconds.
 */
async function settledScans(team: TeamDatabase, wanted: number): Promise<number> {
  for (let second = 0; second < 11 && (await scansOf(team, near)) < wanted; second++) await pause(1_000);
  return scansOf(team, near);
}

async function indexCount({ owner }: TeamDatabase): Promise<number> {
  const [row] = await owner.query<{ count: number }>(
    `select count(*)::int as count from pg_index join pg_class on oid = indexrelid
     where starts_with(relname, $1) and indisvalid`,
    [near],
  );
  return row?.count ?? 0;
}
