import { sleep } from '../../harness/program.ts';
import { type ServedTeam, serveTeam } from '../../harness/team/serve.ts';
import { subscribe } from '../team-broadcast/subscriber.ts';
import { askOnce } from './ask.ts';
import { gather, recovery, tally, unexpectedResponses } from './crowd.ts';
import { openEmbedEndpoint } from './embed-endpoint.ts';
import { killOne } from './kills.ts';
import { createClient, type SceneOutcome, type Stage, untilConnected } from './scene.ts';
import { judge } from './verdict.ts';

export interface BackgroundOutcome extends SceneOutcome {
  /** Memories stored without a vector for which there is no job. */
  waitingWithoutJob: number;
  deadJobs: number;
  /** Memories stored while the model was unreachable. */
  keptWithout: number;
}

const patienceMs = 120_000;

/**
 * Two processes with a model that is reachable only at times, so that most vectors are computed by jobs. Connections
 * are killed and silenced, and one process is killed. Each memory must get its vector and be announced exactly once.
 */
export async function background(stage: Stage): Promise<BackgroundOutcome> {
  const { team, random, isShort, path } = stage;
  const model = await openEmbedEndpoint();
  const client = await createClient(stage, 'background');
  const serve = (...more: string[]) =>
    serveTeam(
      stage.installed,
      stage.pathUrl,
      ...['--rate', '5000', '--connections', '6', '--embed', 'openai:faults', '--embed-url', model.url],
      ...more,
    );
  const servers: [ServedTeam, ServedTeam] = [await serve(), await serve()];
  const urls = servers.map(({ url }) => url);
  const listener = subscribe(urls, client.project, client.token, 0, 20_000);
  await untilConnected(listener);
  const crowds = urls.map((url, at) => gather({ ...client, url }, `background-${at}`, 2));
  const count = async (what: string): Promise<number> => {
    const [row] = await team.owner.query<{ n: number }>(`select count(*)::int as n from ${what}`, [
      client.project,
    ]);
    return row?.n ?? Number.NaN;
  };
  try {
    let faults = 0;
    let keptWithout = 0;
    for (let round = 0; round < (isShort ? 2 : 12); round++) {
      model.isAway = true;
      await sleep(400);
      keptWithout += await count('backstory.memory where project = $1 and embedded_at is null');
      model.isAway = false;
      for (let kill = 0; kill < 10; kill++) {
        faults += await killOne(team);
        await sleep(random.whole(20, 120));
      }
      if (round % 3 === 2) {
        path.become({ kind: 'silent' });
        await sleep(1_000);
        path.become({ kind: 'good' });
        faults += 1;
      }
      if (round % 4 === 1) {
        const { port } = new URL(servers[1].url);
        process.kill(servers[1].pid, 'SIGKILL');
        servers[1] = await serve('--port', port);
        faults += 1;
      }
    }
    const recoveredMs = await recovery({ ...client, url: servers[0].url });
    for (const crowd of crowds) await crowd.end();
    const waiting = 'backstory.memory where project = $1 and embedded_at is null';
    const jobs = 'backstory.job where project = $1 and dead is null';
    const waitingWithoutJob = (await count(jobs)) === 0 ? await count(waiting) : 0;
    const deadJobs = await count('backstory.job where project = $1 and dead is not null');
    // Request the missing vectors explicitly, so that the delays between retries of the jobs do not count.
    const reindex = `/api/projects/${client.project}/memory/reindex`;
    await askOnce({ url: servers[0].url, token: client.token, path: reindex, body: {} });
    const end = performance.now() + patienceMs;
    while (((await count(waiting)) > 0 || (await count(jobs)) > 0) && performance.now() < end)
      await sleep(200);
    const acknowledged = crowds.flatMap((crowd) => [...crowd.acknowledged]);
    return {
      faults,
      recoveredMs,
      keptWithout,
      waitingWithoutJob,
      deadJobs,
      verdict: await judge(team, client.project, acknowledged, listener),
      // One process is killed on purpose, so clients without a response are expected.
      odd: crowds.reduce((sum, crowd) => sum + unexpectedResponses(crowd, 0), 0),
      withoutRetryAfter: crowds.reduce((sum, crowd) => sum + crowd.withoutRetryAfter(), 0),
      acknowledged: acknowledged.length,
      said: crowds.map(tally).join(' '),
    };
  } finally {
    path.become({ kind: 'good' });
    listener.stop();
    for (const crowd of crowds) await crowd.end();
    for (const server of servers) await server.close();
    model.close();
  }
}
