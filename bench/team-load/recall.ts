import type { Embedder } from '../../src/models/embed.ts';
import { rankingWeights } from '../../src/recall/weights.ts';
import { vectorBytes } from '../../src/team/postgres/vector-bytes.ts';
import type { FoundMemories, TeamStore, TokenHash } from '../../src/team/store/team-store.ts';
import type { TeamDatabase } from '../../test/harness/team/database.ts';
import type { FilledProject, FilledTeam } from './fill.ts';

const top = 10;

/**
 * Measures how many of the ten nearest memories the search by vectors returns, compared with an exact scan without an
 * index.
 */
export async function measureRecall(
  { owner }: TeamDatabase,
  store: TeamStore,
  embedder: Embedder,
  { org, person }: FilledTeam,
  projects: FilledProject[],
): Promise<{ recall: number; empty: number; asked: number }> {
  let found = 0;
  let wanted = 0;
  let empty = 0;
  let asked = 0;
  for (const { id, questions } of projects) {
    const vectors = await embedder.embed(questions);
    for (const vector of vectors) {
      if (vector.every((number) => number === 0)) continue;
      asked += 1;
      const exact = await owner.transaction(async (query) => {
        await query(
          `select set_config('enable_indexscan', 'off', true), set_config('enable_indexonlyscan', 'off', true)`,
        );
        return query<{ id: string; nearness: number }>(
          `select c.source_id as id, max(-(v.vec <#> $3::vector::halfvec)) as nearness from backstory.vector v
           join backstory.chunk c on c.org = v.org and c.project = v.project and c.seq = v.chunk
           where v.org = $1 and v.project = $2 group by 1 order by 2 desc limit $4`,
          [org, id, vectorBytes(vector), top],
        );
      });
      const { found: hits } = await askNearest(store, person.hash, id, embedder, vector);
      if (hits.length === 0) empty += 1;
      const least = exact.at(-1)?.nearness ?? 0;
      wanted += exact.length;
      // If several memories are equally near, any of them is correct.
      found += hits.filter(({ nearness }) => nearness >= least - 1e-6).length;
    }
  }
  return { recall: found / wanted, empty, asked };
}

/** Searches by meaning only. */
const askNearest = (
  store: TeamStore,
  token: TokenHash,
  project: string,
  embedder: Embedder,
  vector: Float32Array,
): Promise<FoundMemories> =>
  store.search(token, project, {
    terms: [],
    meaning: { model: embedder.id, vector },
    targets: [],
    limit: top,
    weights: { meaning: rankingWeights.meaning, contrast: 0, minNearness: -1, graph: 0 },
  });
