import { showProgress } from '../../harness/evaluation.ts';
import { sleep } from '../../harness/program.ts';
import type { TeamDatabase } from '../../harness/team/database.ts';
import { recovery } from './crowd.ts';
import { playScene, type SceneOutcome, type Stage } from './scene.ts';

const everyMs = 15;

/** Postgres terminates connections one after another while they are in use. */
export const kills = (stage: Stage): Promise<SceneOutcome> =>
  playScene(stage, 'kills', async (client) => {
    const wanted = stage.isShort ? 60 : 600;
    let faults = 0;
    while (faults < wanted) {
      faults += await killOne(stage.team);
      showProgress(faults, wanted);
      await sleep(stage.random.whole(1, 2 * everyMs));
    }
    return { faults, recoveredMs: await recovery(client) };
  });

/** Terminates one connection of a server, preferably a busy one. */
export async function killOne({ owner }: TeamDatabase): Promise<number> {
  const killed = await owner.query<{ killed: boolean }>(
    `select pg_terminate_backend(pid) as killed from (${serversOwn} limit 1) one`,
  );
  return killed.filter((row) => row.killed).length;
}

/** Connections of servers to this database, busy ones first. */
export const serversOwn = `select pid from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name = 'backstory'
    and query not like '%pg_stat_activity%' order by (state = 'idle'), random()`;
