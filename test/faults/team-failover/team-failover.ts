import {
  asTiming,
  atLeast,
  atMost,
  type Evaluation,
  exactly,
  round,
  showProgress,
} from '../../harness/evaluation.ts';
import { installPackage } from '../../harness/package.ts';
import { sleep } from '../../harness/program.ts';
import { createRandom } from '../../harness/random.ts';
import { withTeamDatabase } from '../../harness/team/database.ts';
import {
  type HighAvailability,
  leaseSeconds,
  startHighAvailability,
  whyNoPatroni,
} from '../../harness/team/patroni.ts';
import { serveTeam } from '../../harness/team/serve.ts';
import { type Client, recovery } from '../team-faults/crowd.ts';
import { playScene } from '../team-faults/scene.ts';
import { isClean } from '../team-faults/verdict.ts';

const account = 'team_server';
const recoveredWithinMs = 15_000;

/**
 * The installed team server behind pgbouncer, on a primary and a synchronous replica that Patroni runs. The primary is
 * killed under load: every other time Postgres alone, and otherwise with its Patroni, as when the machine is gone.
 */
export const teamFailover: Evaluation = {
  name: 'team-failover',
  summary:
    'A team server while Patroni fails over: no acknowledged write is lost, and it answers again soon.',
  async run({ isShort, seed }) {
    const why = whyNoPatroni();
    if (why !== undefined) throw new Error(why);
    const installed = installPackage();
    const random = createRandom(seed);
    const servers = await startHighAvailability();
    process.env.BACKSTORY_TEST_POSTGRES = servers.ownerUrl;
    return withTeamDatabase('failover', async (team) => {
      await team.owner.query(`create role ${account} login in role backstory_app`);
      for (const setting of accountSettings) await team.owner.query(`alter role ${account} set ${setting}`);
      const address = new URL(servers.addressFor(account));
      address.pathname = new URL(team.url).pathname;
      const server = await serveTeam(installed, address.href, '--rate', '100000', '--connections', '8');
      const org = await team.operation.createOrg('failover');
      const kills = isShort ? 2 : 20;
      const times: { whole: boolean; ms: number }[] = [];
      try {
        const scene = await playScene({ team, org, server }, 'failover', async (client) => {
          for (let kill = 0; kill < kills; kill++) {
            await sleep(random.whole(500, 2_000));
            const whole = kill % 2 === 1;
            times.push({ whole, ms: await failover(servers, client, whole) });
            showProgress(kill + 1, kills);
          }
          return { faults: kills, recoveredMs: Math.max(...times.map(({ ms }) => ms)) };
        });
        const longest = (whole: boolean) =>
          Math.max(...times.filter((time) => time.whole === whole).map(({ ms }) => ms));
        const { verdict } = scene;
        return {
          n: kills,
          figures: {
            acknowledged: scene.acknowledged,
            kept: verdict.kept,
            ...(isClean(verdict) ? {} : { wrong: JSON.stringify(verdict) }),
            'answers by status': scene.said,
            'seconds until it answers again': times.map(({ ms }) => round(ms / 1_000)).join(' '),
            'Postgres killed: longest ms': round(longest(false)),
            'Postgres and Patroni killed: longest ms': round(longest(true)),
          },
          bars: {
            kills: atLeast(scene.faults, kills),
            'acknowledged and lost': exactly(verdict.lost, 0),
            'kept twice or in parts': exactly(verdict.inconsistent, 0),
            'counts off': exactly(verdict.miscounted, 0),
            'told not exactly once': exactly(verdict.notAnnouncedOnce, 0),
            'not heard once and in order': exactly(verdict.notReceivedOnce, 0),
            'answers but 200, 429 and 503': exactly(scene.odd, 0),
            'come back later, but not when': exactly(scene.withoutRetryAfter, 0),
            'Postgres killed: answers within ms': asTiming(atMost(round(longest(false)), recoveredWithinMs)),
            // The replica cannot take over before the lease of a primary that has vanished expires.
            'Postgres and Patroni killed: answers within ms': asTiming(
              atMost(round(longest(true)), leaseSeconds * 1_000 + recoveredWithinMs),
            ),
          },
        };
      } finally {
        await server.close();
      }
    });
  },
};

const accountSettings = [
  "role = 'backstory_app'",
  "statement_timeout = '3.5s'",
  "idle_in_transaction_session_timeout = '4s'",
];

/** Kills the primary, measures until reads and writes work again, and waits until there is a replica again. */
async function failover(servers: HighAvailability, client: Client, whole: boolean): Promise<number> {
  await servers.killPrimary(whole);
  const ms = await recovery(client, 60_000);
  await servers.heal();
  return ms;
}
