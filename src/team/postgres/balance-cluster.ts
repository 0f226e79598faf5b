import { hasCitus } from './citus.ts';
import type { Database } from './connect.ts';
import { acrossTenants } from './org-transaction.ts';

interface PlacedOrg {
  org: string;
  slices: number;
  shard: string;
}

/**
 * Gives the largest organisation that outweighs its neighbours a shard of its own, then lets Citus move shards between
 * workers until these have about the same size. Moving copies rows by logical replication, and writes wait only at the
 * end. Isolating blocks writes of that shard while its rows are copied: under load, Citus 15 never finished it without.
 * Returns undefined on a single Postgres.
 */
export async function balanceCluster(database: Database, minSlices: number) {
  if (!(await hasCitus(database.query))) return undefined;
  const large = largestToIsolate(await placedOrgs(database), minSlices);
  // One organisation in each run, so that a run ends within hours.
  if (large !== undefined)
    await database.query(
      `select isolate_tenant_to_new_shard('backstory.project', $1::uuid, 'CASCADE', 'block_writes')`,
      [large.org],
    );
  return {
    isolated: large === undefined ? [] : [{ org: large.org, slices: large.slices }],
    moved: await moveShards(database),
  };
}

async function placedOrgs(database: Database): Promise<PlacedOrg[]> {
  const orgs = await acrossTenants<{ org: string; slices: number }>(
    database,
    'select org, sum(chunks)::float8 as slices from backstory.project group by org',
  );
  const shards = await database.query<{ shard: string }>(
    `select get_shard_id_for_distribution_column('backstory.project', p.org)::text as shard
     from unnest($1::uuid[]) with ordinality as p (org, place) order by p.place`,
    [orgs.map(({ org }) => org)],
  );
  return orgs.map((one, at) => ({ ...one, shard: shards[at]?.shard ?? '' }));
}

/** The largest organisation that has more slices than all others on its shard together, and at least so many. */
function largestToIsolate(orgs: PlacedOrg[], minSlices: number): PlacedOrg | undefined {
  const neighboursOf = Map.groupBy(orgs, ({ shard }) => shard);
  return orgs
    .filter((one) => {
      const neighbours = (neighboursOf.get(one.shard) ?? []).filter(({ org }) => org !== one.org);
      const theirs = neighbours.reduce((sum, { slices }) => sum + slices, 0);
      return neighbours.length > 0 && one.slices >= minSlices && one.slices > theirs;
    })
    .toSorted((a, b) => b.slices - a.slices)[0];
}

/** Moves shards as Citus proposes by their size on disk, and waits until it is done. Returns how many. */
async function moveShards(database: Database): Promise<number> {
  const proposed = await database.query(
    `select from get_rebalance_table_shards_plan('backstory.project', rebalance_strategy => 'by_disk_size')`,
  );
  if (proposed.length === 0) return 0;
  await database.query(`select citus_rebalance_start(rebalance_strategy => 'by_disk_size')`);
  await database.query('select citus_rebalance_wait()');
  return proposed.length;
}
