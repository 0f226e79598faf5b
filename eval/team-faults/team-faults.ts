import { atLeast, atMost, type Evaluation, exactly, round, showProgress } from '../harness.ts';
import { sleep } from '../program.ts';
import { createRandom } from '../random.ts';
import { openTeamApp, type TeamApp } from '../team/app.ts';
import { addPerson, type TeamDatabase, withTeamDatabase } from '../team/database.ts';

const writers = 6;
const everyMs = 15;
const restMs = 5_000;

/**
 * Connections are killed under those who write and search. What was acknowledged must be there once, whatever else was
 * lost; nothing but "come back later" may be said; and afterwards everything works again.
 */
export const teamFaults: Evaluation = {
  name: 'team-faults',
  summary: 'Connections killed under a team server at work: nothing acknowledged is lost or doubled.',
  run: ({ isShort, seed }) =>
    withTeamDatabase('faults', async (team) => {
      const wanted = isShort ? 60 : 600;
      const app = await openTeamApp(team.openStore(writers + 2));
      const org = await team.operation.createOrg('faults');
      const project = await team.operation.createProject(org, 'faults');
      const person = await addPerson(team.operation, org, 'person', { [project]: 'owner' });
      const work = { app, project, authorization: `Bearer ${person.token}`, isOver: false };
      const acknowledged = new Set<string>();
      const said = new Map<number, number>();
      const random = createRandom(seed);
      const writing = Array.from({ length: writers }, (_, lane) => write(work, lane, acknowledged, said));
      let kills = 0;
      while (kills < wanted) {
        kills += await killOne(team);
        showProgress(kills, wanted);
        await sleep(random.whole(1, 2 * everyMs));
      }
      work.isOver = true;
      await Promise.all(writing);
      const recoveredMs = await recovery(work);
      const present = await team.owner.query<{ ref: string; n: number; chunks: number }>(
        `select m.source_ref as ref, count(*)::int as n,
           (select count(*)::int from backstory.chunk c where c.org = m.org and c.source_id = m.id) as chunks
         from backstory.memory m where m.project = $1 group by m.org, m.id, m.source_ref`,
        [project],
      );
      const byRef = new Map(present.map((row) => [row.ref, row]));
      const [counts] = await team.owner.query<{ off: number }>(
        `select (p.chunks - (select count(*) from backstory.chunk c where c.project = p.id))::int as off
         from backstory.project p where p.id = $1`,
        [project],
      );
      return {
        n: kills,
        figures: {
          acknowledged: acknowledged.size,
          'answers by status': JSON.stringify(Object.fromEntries([...said].sort())),
          ...Object.fromEntries(app.failures.slice(0, 5).map((text, at) => [`failure ${at + 1}`, text])),
        },
        bars: {
          kills: atLeast(kills, wanted),
          'acknowledged and lost': exactly([...acknowledged].filter((ref) => !byRef.has(ref)).length, 0),
          'kept twice or in parts': exactly(
            present.filter(({ n, chunks }) => n !== 1 || chunks !== 1).length,
            0,
          ),
          'counts off by': exactly(counts?.off ?? Number.NaN, 0),
          'answers but 200 and 503': exactly(
            [...said]
              .filter(([status]) => status !== 200 && status !== 503)
              .reduce((sum, [, n]) => sum + n, 0),
            0,
          ),
          'recovered within ms': atMost(round(recoveredMs), restMs),
        },
      };
    }),
};

interface Work {
  app: TeamApp;
  project: string;
  authorization: string;
  isOver: boolean;
}

/** Tries each memory until it is acknowledged, as a device does, and searches in between. */
async function write(
  work: Work,
  lane: number,
  acknowledged: Set<string>,
  said: Map<number, number>,
): Promise<void> {
  const count = (status: number) => said.set(status, (said.get(status) ?? 0) + 1);
  for (let number = 0; !work.isOver; number++) {
    const sourceRef = `${lane}-${number}`;
    for (let isKept = false; !isKept && !work.isOver; ) {
      const { status } = await work.app.ask({
        method: 'POST',
        path: `/api/projects/${work.project}/memory/batch`,
        body: { memories: [{ source: 'job', sourceRef, text: `Job ${sourceRef} mended the queue.` }] },
        authorization: work.authorization,
      });
      count(status);
      isKept = status === 200;
      if (isKept) acknowledged.add(sourceRef);
    }
    count((await search(work)).status);
  }
}

const search = ({ app, project, authorization }: Work) =>
  app.ask({ method: 'GET', path: `/api/projects/${project}/memory/search?q=mended+queue`, authorization });

/** One of those that the server uses; most often in the middle of something. */
async function killOne({ owner }: TeamDatabase): Promise<number> {
  const killed = await owner.query<{ killed: boolean }>(
    `select pg_terminate_backend(pid) as killed from (select pid from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name = 'backstory'
         and query not like '%pg_terminate_backend%' order by (state = 'idle'), random() limit 1) one`,
  );
  return killed.filter((row) => row.killed).length;
}

async function recovery(work: Work): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < 2 * restMs) {
    if ((await search(work)).status === 200) return performance.now() - began;
    await sleep(20);
  }
  return Number.POSITIVE_INFINITY;
}
