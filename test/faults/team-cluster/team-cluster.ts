import { loadavg } from 'node:os';
import { getRequest, loadHttp } from '../../../bench/team-load/http-load.ts';
import type { Embedder } from '../../../src/models/embed.ts';
import { loadStaticModel } from '../../../src/models/static-embed.ts';
import { checkCluster } from '../../../src/team/postgres/check-cluster.ts';
import {
  asTiming,
  atLeast,
  atMost,
  type Evaluation,
  exactly,
  median,
  type Outcome,
  round,
} from '../../harness/evaluation.ts';
import { type InstalledPackage, installPackage } from '../../harness/package.ts';
import { startCitus, whyNoCitus } from '../../harness/team/citus.ts';
import { startCluster } from '../../harness/team/cluster.ts';
import { type TeamDatabase, withTeamDatabase } from '../../harness/team/database.ts';
import { type ServedTeam, serveTeam } from '../../harness/team/serve.ts';
import { cpuMsOf, postmasterOf } from './cpu.ts';
import { type Extent, largeTenant } from './extent.ts';
import { causeFaults, type Faults } from './faults.ts';
import { fillTenants, makeTenants, type Samples, storeSamples, type Tenant } from './fill.ts';

const full: Extent = {
  few: 200,
  many: 2_000,
  samples: 1_000,
  largeCopies: 20,
  asked: 40,
  seconds: 6,
  kills: 4,
  everySeconds: 60,
  downSeconds: 12,
};
const short: Extent = {
  few: 20,
  many: 80,
  samples: 150,
  largeCopies: 5,
  asked: 10,
  seconds: 3,
  kills: 3,
  everySeconds: 15,
  downSeconds: 4,
};
const workers = 4;
const shards = 32;
const connections = 4;
/**
 * The installed team server on a Citus cluster: its cost against one Postgres with the same tenants, whether the cost
 * grows with their number, and what clients notice when workers are killed and tenants are moved.
 */
export const teamCluster: Evaluation = {
  name: 'team-cluster',
  summary: 'Many organisations on Citus: cost against one Postgres, killed workers, moved tenants.',
  async run({ isShort }) {
    const why = whyNoCitus();
    if (why !== undefined) return { n: 0, figures: { skipped: why }, bars: {} };
    const extent = isShort ? short : full;
    const embedder = await loadStaticModel('assets/static-en.bin');
    const installed = installPackage();
    const tenants = makeTenants(extent.many, (number) => (number === largeTenant ? extent.largeCopies : 1));
    // As much buffer memory as the four workers have together.
    const single = await startCluster('512MB');
    const citus = await startCitus(workers);
    process.env.BACKSTORY_TEST_POSTGRES = single.url;
    return withTeamDatabase('cluster_single', async (one) => {
      process.env.BACKSTORY_TEST_POSTGRES = citus.url;
      return withTeamDatabase(
        'cluster',
        async (many) => {
          const cost = await measureCost(installed, one, many, embedder, tenants, extent);
          const faults = await causeFaults({ installed, citus, team: many, tenants, extent, ...cost });
          return report(extent, many, tenants, cost, faults);
        },
        shards,
      );
    });
  },
};

interface Cost {
  samples: Samples;
  fillSeconds: number;
  single: Measured;
  few: Measured;
  many: Measured;
  /** Ratios of the same round. */
  againstSingle: number;
  loads: number[];
}

/** Medians of rounds. */
interface Measured {
  cpuMs: number;
  perSecond: number;
  p99Ms: number;
  failed: number;
}

/** Fills both databases with a few tenants, compares them, fills the cluster and measures it again. */
async function measureCost(
  installed: InstalledPackage,
  one: TeamDatabase,
  many: TeamDatabase,
  embedder: Embedder,
  tenants: Tenant[],
  extent: Extent,
): Promise<Cost> {
  const samples = await storeSamples(one, embedder, extent.samples);
  await storeSamples(many, embedder, extent.samples);
  const few = tenants.slice(0, extent.few);
  await fillTenants(one, embedder, few);
  await fillTenants(many, embedder, few);
  // Otherwise autovacuum would use the CPU that is measured.
  for (const { owner } of [one, many]) await owner.query('vacuum (analyze)');
  const asked = few.filter(({ number }) => number !== largeTenant).slice(0, extent.asked);
  const requests = samples.questions.map((question, at) => {
    const { project, token } = asked[at % asked.length] as Tenant;
    return getRequest(
      `/api/projects/${project}/memory/search?limit=10&q=${encodeURIComponent(question)}`,
      token,
    );
  });
  const onSingle = await openTarget(installed, one, [one.url]);
  const onMany = await openTarget(installed, many, await nodesOf(many));
  const rounds: { single: Measured; few: Measured }[] = [];
  for (let at = 0; at < 3; at++)
    rounds.push({
      single: await measureLoad(onSingle, requests, extent.seconds),
      few: await measureLoad(onMany, requests, extent.seconds),
    });
  await onSingle.server.close();
  const loads = [loadavg()[0] ?? 0];
  const began = performance.now();
  await fillTenants(many, embedder, tenants.slice(extent.few));
  const fillSeconds = (performance.now() - began) / 1_000;
  await many.owner.query('vacuum (analyze)');
  // Without a checkpoint, a killed worker would replay the filling.
  await many.owner.query(`select run_command_on_all_nodes('checkpoint')`);
  const later: Measured[] = [];
  for (let at = 0; at < 3; at++) later.push(await measureLoad(onMany, requests, extent.seconds));
  loads.push(loadavg()[0] ?? 0);
  await onMany.server.close();
  return {
    samples,
    fillSeconds,
    single: middle(rounds.map((measured) => measured.single)),
    few: middle(rounds.map((measured) => measured.few)),
    many: middle(later),
    againstSingle: median(rounds.map((measured) => measured.few.cpuMs / measured.single.cpuMs)),
    loads,
  };
}

interface Target {
  server: ServedTeam;
  postmasters: number[];
}

async function openTarget(installed: InstalledPackage, team: TeamDatabase, nodes: string[]): Promise<Target> {
  const server = await serveTeam(
    installed,
    team.url,
    ...['--connections', String(connections), '--rate', '999999'],
  );
  return { server, postmasters: await Promise.all(nodes.map(postmasterOf)) };
}

async function nodesOf({ owner, url }: TeamDatabase): Promise<string[]> {
  const nodes = await owner.query<{ port: number }>('select nodeport as port from pg_dist_node');
  return nodes.map(({ port }) => {
    const node = new URL(url);
    node.port = String(port);
    return node.href;
  });
}

async function measureLoad(
  { server, postmasters }: Target,
  requests: Buffer[],
  seconds: number,
): Promise<Measured> {
  // Opens the connections and reads the pages, after the other database had the machine.
  await loadHttp(server.url, requests, { connections, seconds: seconds / 3 });
  const before = cpuMsOf(postmasters);
  const loaded = await loadHttp(server.url, requests, { connections, seconds });
  return {
    cpuMs: (cpuMsOf(postmasters) - before) / loaded.requests,
    perSecond: loaded.perSecond,
    p99Ms: loaded.p99Ms,
    failed: loaded.failed + loaded.empty,
  };
}

const middle = (measured: Measured[]): Measured => ({
  cpuMs: median(measured.map(({ cpuMs }) => cpuMs)),
  perSecond: median(measured.map(({ perSecond }) => perSecond)),
  p99Ms: median(measured.map(({ p99Ms }) => p99Ms)),
  failed: measured.reduce((sum, { failed }) => sum + failed, 0),
});

async function report(
  extent: Extent,
  { owner }: TeamDatabase,
  tenants: Tenant[],
  { single, few, many, againstSingle, fillSeconds, loads }: Cost,
  faults: Faults,
): Promise<Outcome> {
  const [size] = await owner.query<{ mb: number }>(
    `select round(sum(shard_size) / 1e6)::float8 as mb from citus_shards where table_name::text like 'backstory.%'`,
  );
  const checks = (await checkCluster(owner)).filter(({ ok }) => !ok);
  const memories = tenants.reduce((sum, { copies }) => sum + copies * extent.samples, 0);
  const added = memories - (extent.few + extent.largeCopies - 1) * extent.samples;
  return {
    n: faults.requests,
    figures: {
      organisations: tenants.length,
      memories,
      workers,
      'cluster MB': size?.mb ?? 0,
      'filled per second': round(added / fillSeconds),
      'load average while measured': [...loads, ...faults.loads].map(round).join(' '),
      'CPU ms per search, one Postgres': round(single.cpuMs),
      [`CPU ms per search, cluster, ${extent.few} organisations`]: round(few.cpuMs),
      [`CPU ms per search, cluster, ${extent.many} organisations`]: round(many.cpuMs),
      'searches per second, one Postgres': round(single.perSecond),
      'searches per second, cluster': round(many.perSecond),
      'p99 ms, one Postgres': round(single.p99Ms),
      'p99 ms, cluster': round(many.p99Ms),
      ...faults.figures,
    },
    bars: {
      organisations: atLeast(tenants.length, extent.many),
      'CPU per search against one Postgres': asTiming(atMost(round(againstSingle), 1.5)),
      'CPU per search, many organisations against few': asTiming(atMost(round(many.cpuMs / few.cpuMs), 1.1)),
      'failed or empty searches': exactly(single.failed + few.failed + many.failed, 0),
      ...faults.bars,
      'failed checks of the doctor': exactly(checks.length, 0),
    },
  };
}
