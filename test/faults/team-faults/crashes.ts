import { showProgress } from '../../harness/evaluation.ts';
import { sleep } from '../../harness/program.ts';
import type { Cluster } from '../../harness/team/cluster.ts';
import { recovery } from './crowd.ts';
import { serversOwn } from './kills.ts';
import { playScene, type SceneOutcome, type Stage } from './scene.ts';

/**
 * Crashes Postgres as a whole and waits until it is back. Alternately a backend dies, after which Postgres ends all
 * others and recovers, or Postgres is stopped immediately.
 */
export const crashes = (stage: Stage, cluster: Cluster): Promise<SceneOutcome> =>
  playScene(stage, 'crashes', async (client) => {
    const wanted = stage.isShort ? 2 : 20;
    let recoveredMs = 0;
    for (let crash = 0; crash < wanted; crash++) {
      await sleep(stage.random.whole(200, 800));
      if (crash % 2 === 0) await killBackend(stage);
      else {
        await cluster.stopAtOnce();
        await sleep(stage.random.whole(0, 1_500));
        await cluster.start();
        await checkpointer(stage.team);
      }
      recoveredMs = Math.max(recoveredMs, await recovery(client));
      showProgress(crash + 1, wanted);
    }
    return { faults: wanted, recoveredMs };
  });

async function killBackend({ team }: Stage): Promise<void> {
  const before = await checkpointer(team);
  const victim = async () => (await team.owner.query<{ pid: number }>(`${serversOwn} limit 1`))[0]?.pid;
  let pid = await victim();
  for (; pid === undefined; pid = await victim()) await sleep(10);
  process.kill(pid, 'SIGKILL');
  // Postgres needs a moment to notice the crash. Until then the old checkpointer process still answers.
  while ((await checkpointer(team)) === before) await sleep(10);
}

/** Process id of the checkpointer, which is replaced by every recovery. Retries until Postgres answers. */
async function checkpointer({ owner }: Stage['team']): Promise<number | undefined> {
  for (;;) {
    try {
      const [row] = await owner.query<{ pid: number }>(
        "select pid from pg_stat_activity where backend_type = 'checkpointer'",
      );
      return row?.pid;
    } catch {
      await sleep(10);
    }
  }
}
