import { atLeast, atMost, type Evaluation, exactly, type Outcome, round } from '../../harness/evaluation.ts';
import { installPackage } from '../../harness/package.ts';
import { createRandom } from '../../harness/random.ts';
import { startCluster, whyNoCluster } from '../../harness/team/cluster.ts';
import { withTeamDatabase } from '../../harness/team/database.ts';
import { serveTeam } from '../../harness/team/serve.ts';
import { openTcpProxy } from '../../support/tcp-proxy.ts';
import { crashes } from './crashes.ts';
import { kills } from './kills.ts';
import { overload } from './overload.ts';
import { databasePath } from './paths.ts';
import type { SceneOutcome, Stage } from './scene.ts';
import { isClean, sumOf } from './verdict.ts';

const restMs = 5_000;
const mostMegabytes = 512;
const connections = 8;

/**
 * Runs the installed team server as a separate process during faults: connections are killed, Postgres crashes,
 * connections are cut, slowed and silenced, and the load exceeds its capacity. Acknowledged writes must be stored
 * exactly once, every error must ask to retry later, and everything must work again afterwards.
 */
export const teamFaults: Evaluation = {
  name: 'team-faults',
  summary:
    'A team server with kills, crashes, broken connections and overload: no acknowledged write is lost or duplicated.',
  file: import.meta.filename,
  measures: [
    'src/team/http',
    'src/team/memories',
    'src/team/postgres',
    'src/team/store',
    'src/team/sync',
    'src/team/people/token.ts',
    'src/cmd/team.ts',
    'src/cmd/team-serve.ts',
    'src/api',
    'sql',
  ],
  async run({ isShort, seed }) {
    const why = whyNoCluster();
    if (why !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(why);
    const installed = installPackage();
    const cluster = why === undefined ? await startCluster() : undefined;
    // Has its own application name, so that kills hit only the server's connections and never those of the checks.
    const postgres = cluster?.url ?? process.env.BACKSTORY_TEST_POSTGRES ?? '';
    if (postgres !== '') process.env.BACKSTORY_TEST_POSTGRES = `${postgres}?application_name=evaluation`;
    return withTeamDatabase('faults', async (team) => {
      const { port, hostname } = new URL(team.url);
      const path = await openTcpProxy({ host: hostname, port: Number(port) });
      const directUrl = new URL(team.url);
      directUrl.search = '';
      const pathUrl = new URL(directUrl);
      pathUrl.host = `127.0.0.1:${path.port}`;
      const server = await serveTeam(
        installed,
        pathUrl.href,
        '--rate',
        '100000',
        '--connections',
        `${connections}`,
      );
      const org = await team.operation.createOrg('faults');
      const stage: Stage = {
        ...{ installed, team, org, server, path, cluster, isShort },
        directUrl: directUrl.href,
        pathUrl: pathUrl.href,
        random: createRandom(seed),
      };
      try {
        return await play(stage, why);
      } finally {
        await server.close();
        await path.close();
      }
    });
  },
};

async function play(stage: Stage, why: string | undefined): Promise<Outcome> {
  const { isShort, cluster, server } = stage;
  const scenes: Record<string, SceneOutcome> = {};
  const timed = async <T>(name: string, scene: Promise<T>): Promise<T> => {
    const began = performance.now();
    const outcome = await scene;
    process.stderr.write(`${name}: ${Math.round((performance.now() - began) / 1_000)} s\n`);
    return outcome;
  };
  scenes.kills = await timed('kills', kills(stage));
  if (cluster !== undefined) scenes.crashes = await timed('crashes', crashes(stage, cluster));
  scenes['path to Postgres'] = await timed('path to Postgres', databasePath(stage));
  const heavy = await timed('overload', overload(stage));
  const all = Object.values(scenes);
  const verdict = sumOf([...all.map((scene) => scene.verdict), heavy.verdict]);
  const recoveredMs = Math.max(heavy.recoveredMs, ...all.map((scene) => scene.recoveredMs));
  const megabytes = (bytes: number) => Math.round(bytes / 1_048_576);
  const wantedKills = isShort ? 60 : 600;
  const wantedCrashes = isShort ? 2 : 20;
  return {
    n: all.reduce((sum, { faults }) => sum + faults, 0),
    figures: {
      ...(why === undefined ? {} : { 'no crashes': `skipped: ${why}` }),
      acknowledged: all.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
      kept: verdict.kept,
      ...Object.fromEntries(
        Object.entries(scenes).flatMap(([name, { said, recoveredMs: ms, faults, verdict: of }]) => [
          ...(isClean(of) ? [] : [[`${name}: wrong`, JSON.stringify(of)]]),
          [`${name}: faults`, faults],
          [`${name}: answers by status`, said],
          [`${name}: longest recovery ms`, round(ms)],
        ]),
      ),
      'carried per second': round(heavy.carriedPerSecond),
      'overload: answers by status': JSON.stringify(Object.fromEntries([...heavy.said].sort())),
      'overload: recovery ms': round(heavy.recoveredMs),
      'resident MB before, at most': `${megabytes(heavy.restingBytes)}, ${megabytes(heavy.mostBytes)}`,
    },
    bars: {
      kills: atLeast(scenes.kills.faults, wantedKills),
      ...(scenes.crashes === undefined ? {} : { crashes: atLeast(scenes.crashes.faults, wantedCrashes) }),
      'faults of the path to Postgres': atLeast(scenes['path to Postgres'].faults, isShort ? 25 : 150),
      'acknowledged and lost': exactly(verdict.lost, 0),
      'kept twice or in parts': exactly(verdict.inconsistent, 0),
      'counts off': exactly(verdict.miscounted, 0),
      'told not exactly once': exactly(verdict.notAnnouncedOnce, 0),
      'not heard once and in order': exactly(verdict.notReceivedOnce, 0),
      'answers but 200, 429 and 503': exactly(heavy.odd + all.reduce((sum, { odd }) => sum + odd, 0), 0),
      'come back later, but not when': exactly(
        heavy.withoutRetryAfter + all.reduce((sum, scene) => sum + scene.withoutRetryAfter, 0),
        0,
      ),
      'server processes that ended': exactly(isAlive(server.pid) ? 0 : 1, 0),
      'recovered at last': exactly(Number(Number.isFinite(recoveredMs)), 1),
      // How soon depends on how busy the machine is, so only a full run, on a quiet machine, judges it.
      ...(isShort ? {} : { 'recovered within ms': atMost(round(recoveredMs), restMs) }),
      'asked at once, in times of its connections': atLeast(heavy.askedTimes, 5),
      // An overload that refuses nobody proves nothing.
      'refused for now by the overload': atLeast(heavy.refused, 1),
      'unanswered right after overload': exactly(heavy.unansweredAfter, 0),
      'held up by those who do not read': exactly(heavy.runningAfter, 0),
      'resident MB at most': atMost(megabytes(heavy.mostBytes), mostMegabytes),
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
