import { loadavg } from 'node:os';
import { asTiming, atLeast, atMost, type Bar, exactly, quantile, round } from '../../harness/evaluation.ts';
import type { InstalledPackage } from '../../harness/package.ts';
import { sleep } from '../../harness/program.ts';
import type { CitusCluster } from '../../harness/team/citus.ts';
import type { TeamDatabase } from '../../harness/team/database.ts';
import { serveTeam } from '../../harness/team/serve.ts';
import { recovery } from '../team-faults/crowd.ts';
import { type Sample, startClients, tenantOfRef } from './clients.ts';
import { type Extent, largeTenant } from './extent.ts';
import type { Samples, Tenant } from './fill.ts';

export interface Faults {
  requests: number;
  loads: number[];
  figures: Record<string, number | string>;
  bars: Record<string, Bar>;
}

interface Stage {
  installed: InstalledPackage;
  citus: CitusCluster;
  team: TeamDatabase;
  tenants: Tenant[];
  extent: Extent;
  samples: Samples;
}

interface Placed extends Tenant {
  shard: string;
  worker: number;
}

/** A time in which something was wrong or under way. `worker` is the one that was killed. */
interface Disturbance {
  from: number;
  to: number;
  worker?: number;
}

const clientsPerWorker = 2;
const tenantsPerClient = 5;

/**
 * Clients of all workers write and search. Meanwhile a worker is killed and started again in each period; in one period
 * a tenant is moved to another worker, in another the largest is isolated. Citus moves nothing while a node is down, so
 * this happens between two kills.
 */
export async function causeFaults(stage: Stage): Promise<Faults> {
  const { installed, citus, team, extent, samples } = stage;
  const placed = await placesOf(stage);
  const large = placed[largeTenant] as Placed;
  const moved = placed.find(({ shard }) => shard !== large.shard) as Placed;
  const ordinary = placed.filter(({ shard }) => shard !== large.shard && shard !== moved.shard);
  const server = await serveTeam(installed, team.url, '--connections', '8', '--rate', '999999');
  const numbers = Array.from({ length: citus.workers }, (_, at) => at + 1);
  const clients = startClients(
    server.url,
    [
      ...numbers.flatMap((worker) => {
        const own = ordinary.filter((tenant) => tenant.worker === worker);
        return Array.from({ length: clientsPerWorker }, (_, at) => ({
          worker,
          tenants: own.slice(at * tenantsPerClient, (at + 1) * tenantsPerClient),
        }));
      }),
      // Their worker changes, so they belong to no worker's figures.
      { worker: 0, tenants: [large] },
      { worker: 0, tenants: [moved] },
    ],
    samples.questions,
  );
  const kills: Disturbance[] = [];
  const moves: Disturbance[] = [];
  const started: number[] = [];
  const recovered: number[] = [];
  const loads: number[] = [];
  const figures: Record<string, number | string> = {};
  try {
    for (let kill = 0; kill < extent.kills; kill++) {
      const began = performance.now();
      const worker = (kill % citus.workers) + 1;
      await sleep(extent.everySeconds * 200);
      const from = performance.now();
      await citus.kill(worker);
      await sleep(extent.downSeconds * 1_000);
      const tenant = ordinary.find((one) => one.worker === worker) as Placed;
      const answering = recovery({ url: server.url, project: tenant.project, token: tenant.token }, 60_000);
      const starting = performance.now();
      await untilUp(citus, worker);
      started.push(performance.now() - starting);
      recovered.push(await answering);
      kills.push({ from, to: performance.now(), worker });
      loads.push(loadavg()[0] ?? 0);
      if (kill === Math.floor(extent.kills / 4)) {
        figures['seconds to move a shard'] = await timed(moves, () => moveShard(stage, moved));
      } else if (kill === Math.floor(extent.kills / 2))
        figures['seconds to isolate a tenant'] = await timed(moves, () => isolate(team, large));
      await sleep(Math.max(0, extent.everySeconds * 1_000 - (performance.now() - began)));
    }
    await clients.end();
    const after = await placesOf(stage);
    const alone = after.filter(({ shard }) => shard === after[largeTenant]?.shard).length;
    const rows = await judge(team, clients.acknowledged, placed);
    const { figures: times, others, othersFailed } = timesOf(clients.samples, kills, moves);
    const odd = clients.samples.filter(({ status }) => status !== 200 && status !== 503).length;
    return {
      requests: clients.samples.length,
      loads,
      figures: {
        acknowledged: clients.acknowledged.size,
        'answers by status': tally(clients.samples),
        ...figures,
        ...times,
        'seconds of these until Postgres has started': inSeconds(started),
        'seconds until a returned worker answers': inSeconds(recovered),
      },
      bars: {
        kills: atLeast(kills.length, extent.kills),
        'tenant moved': exactly(Number(after[moved.number]?.worker !== moved.worker), 1),
        'tenants on the shard of the isolated one': exactly(alone, 1),
        'acknowledged and lost': exactly(rows.lost, 0),
        'kept twice or in parts': exactly(rows.doubled, 0),
        'told not exactly once': exactly(rows.notToldOnce, 0),
        'foreign rows': exactly(rows.foreign + clients.foreign(), 0),
        'answers but 200 and 503': exactly(odd, 0),
        'come back later, but not when': exactly(clients.withoutRetryAfter(), 0),
        'refused on workers that run': exactly(othersFailed, 0),
        'p99 on other workers against undisturbed': asTiming(atMost(others, 2)),
        'seconds until a returned worker answers': asTiming(
          atMost(round(Math.max(...recovered) / 1_000), 10),
        ),
      },
    };
  } finally {
    await clients.end();
    await server.close();
  }
}

const inSeconds = (times: number[]): string => times.map((ms) => round(ms / 1_000)).join(' ');

/** Processes of the killed server may still be ending; Postgres refuses to start until they are gone. */
async function untilUp(citus: CitusCluster, worker: number): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await citus.up(worker);
    } catch (error) {
      if (attempt === 5) throw error;
      await sleep(500);
    }
}

async function timed(list: Disturbance[], work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  const to = performance.now();
  list.push({ from, to });
  return round((to - from) / 1_000);
}

async function placesOf({ team, tenants, citus }: Stage): Promise<Placed[]> {
  const rows = await team.owner.query<{ org: string; shard: string; port: number }>(
    `select p.org, s.shardid::text as shard, s.nodeport as port from unnest($1::uuid[]) as p (org)
     join citus_shards s on s.shardid = get_shard_id_for_distribution_column('backstory.project', p.org)`,
    [tenants.map(({ org }) => org)],
  );
  const placeOf = new Map(rows.map((row) => [row.org, row]));
  return tenants.map((tenant) => {
    const { shard, port } = placeOf.get(tenant.org) as (typeof rows)[number];
    return { ...tenant, shard, worker: port - citus.portOf(0) };
  });
}

const moveShard = ({ team, citus }: Stage, { shard, worker }: Placed): Promise<unknown> =>
  team.owner.query(`select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3)`, [
    shard,
    citus.portOf(worker),
    citus.portOf((worker % citus.workers) + 1),
  ]);

const isolate = ({ owner }: TeamDatabase, { org }: Placed): Promise<unknown> =>
  owner.query(
    `select isolate_tenant_to_new_shard('backstory.project', $1::uuid, 'CASCADE', 'block_writes')`,
    [org],
  );

/** Compares the rows with what was acknowledged. Every text is one chunk with one vector and one event. */
async function judge({ owner }: TeamDatabase, acknowledged: Set<string>, tenants: Placed[]) {
  const rows = await owner.query<{
    org: string;
    ref: string;
    memories: number;
    chunks: number;
    vectors: number;
  }>(
    `select m.org, m.source_ref as ref, count(distinct m.id)::int as memories, count(c.seq)::int as chunks,
       count(v.chunk)::int as vectors
     from backstory.memory m
     left join backstory.chunk c on c.org = m.org and c.project = m.project and c.source_id = m.id
       and c.generation = m.generation
     left join backstory.vector v on v.org = c.org and v.project = c.project and v.chunk = c.seq
     where m.source = 'job' and m.source_ref like 'load-%' group by m.org, m.source_ref`,
  );
  const events = await owner.query<{ ref: string; count: number }>(
    `select org, payload->>'sourceRef' as ref, count(*)::int as count from backstory.outbox
     where kind = 'memory:indexed' group by org, 2`,
  );
  const told = new Map(events.map(({ ref, count }) => [ref, count]));
  const kept = new Set(rows.map(({ ref }) => ref));
  return {
    lost: [...acknowledged].filter((ref) => !kept.has(ref)).length,
    doubled: rows.filter(({ memories, chunks, vectors }) => memories !== 1 || chunks !== 1 || vectors !== 1)
      .length,
    notToldOnce: rows.filter(({ ref }) => told.get(ref) !== 1).length,
    foreign: rows.filter(({ org, ref }) => tenants[tenantOfRef(ref)]?.org !== org).length,
  };
}

function timesOf(samples: Sample[], kills: Disturbance[], moves: Disturbance[]) {
  const during = (list: Disturbance[]) => (sample: Sample) =>
    list.find(({ from, to }) => sample.at + sample.ms >= from && sample.at <= to);
  const duringKill = during(kills);
  const duringMove = during(moves);
  const ordinary = samples.filter(({ worker }) => worker !== 0);
  const undisturbed = ordinary.filter((one) => !duringKill(one) && !duringMove(one));
  const others = ordinary.filter((one) => {
    const kill = duringKill(one);
    return kill !== undefined && kill.worker !== one.worker;
  });
  const moving = ordinary.filter((one) => duringMove(one));
  // A refusal is quicker than an answer.
  const p99 = (some: Sample[]) =>
    quantile(
      some.flatMap(({ ms, status }) => (status === 200 ? [ms] : [])),
      0.99,
    );
  return {
    figures: {
      'p99 ms, undisturbed': round(p99(undisturbed)),
      'p99 ms, other workers while one is down': round(p99(others)),
      'p99 ms, other tenants while one moves': round(p99(moving)),
      'requests, undisturbed': undisturbed.length,
      'requests, other workers while one is down': others.length,
    },
    others: round(p99(others) / p99(undisturbed)),
    othersFailed: others.filter(({ status }) => status !== 200).length,
  };
}

function tally(samples: Sample[]): string {
  const counts: Record<number, number> = {};
  for (const { status } of samples) counts[status] = (counts[status] ?? 0) + 1;
  return JSON.stringify(counts);
}
