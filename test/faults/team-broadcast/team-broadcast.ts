import { type Evaluation, exactly } from '../../harness/evaluation.ts';
import { installPackage } from '../../harness/package.ts';
import { addPerson, type Person, type TeamDatabase, withTeamDatabase } from '../../harness/team/database.ts';
import { serveTeam } from '../../harness/team/serve.ts';
import { type Subscriber, subscribe } from './subscriber.ts';

interface Room {
  project: string;
  people: [Person, Person];
}

interface Placed {
  room: Room;
  person: Person;
  subscriber: Subscriber;
}

const roomCount = 10;
const patienceMs = 60_000;

/**
 * Two server processes on one Postgres with hundreds of subscribers. While memories are written through both, one
 * process is shut down and restarted and the other is killed. Each subscriber reconnects with its last event id and
 * must receive every event of its project exactly once and in order, and none of another project or of another person's
 * private memories.
 */
export const teamBroadcast: Evaluation = {
  name: 'team-broadcast',
  summary:
    'Two team servers and 500 subscribers, with a restart and a kill: every event once, none of other projects.',
  async run({ isShort }) {
    const installed = installPackage();
    const listeners = isShort ? 100 : 500;
    const batches = isShort ? 40 : 150;
    return withTeamDatabase('broadcast', async (team) => {
      const rooms = await makeRooms(team);
      const serve = (...more: string[]) =>
        serveTeam(installed, team.url, '--rate', '2000', '--connections', '10', ...more);
      const servers = [await serve(), await serve()];
      const urls = servers.map(({ url }) => url);
      const ports = urls.map((url) => new URL(url).port);
      const placed = Array.from({ length: listeners }, (_, at): Placed => {
        const room = rooms[at % rooms.length] as Room;
        const person = room.people[at % 3 === 0 ? 1 : 0];
        return { room, person, subscriber: subscribe(urls, room.project, person.token, at) };
      });
      try {
        await until(() => placed.every(({ subscriber }) => subscriber.isConnected()));
        let failedWrites = 0;
        const restarts: Promise<void>[] = [];
        const restart = async (at: 0 | 1, end: () => unknown): Promise<void> => {
          await end();
          servers[at] = await serve('--port', ports[at] ?? '');
        };
        for (let batch = 0; batch < batches; batch++) {
          // From here on one server restarts, and writes continue through the other.
          if (batch === Math.floor(batches / 3)) restarts.push(restart(0, () => servers[0]?.close()));
          if (batch === Math.floor((2 * batches) / 3)) {
            await Promise.all(restarts);
            restarts.push(restart(1, () => process.kill(servers[1]?.pid ?? 0, 'SIGKILL')));
          }
          failedWrites += await write(urls, rooms, batch);
        }
        await Promise.all(restarts);
        const announced = await announcedEvents(team);
        const expected = (one: Placed): string[] =>
          announced
            .filter(
              ({ project, reader }) =>
                project === one.room.project && (reader === null || reader === one.person.id),
            )
            .map(({ id }) => id);
        await until(() => placed.every((one) => one.subscriber.received.length >= expected(one).length));
        const sums = { missed: 0, doubled: 0, foreign: 0, disordered: 0, cuts: 0 };
        for (const one of placed) {
          const [wanted, heard] = [expected(one), one.subscriber.received];
          const ids = heard.map(({ id }) => id);
          const distinct = new Set(ids);
          sums.missed += wanted.filter((id) => !distinct.has(id)).length;
          sums.doubled += ids.length - distinct.size;
          sums.foreign += heard.filter(
            ({ id, project }) => project !== one.room.project || !wanted.includes(id),
          ).length;
          sums.disordered += ids.join() === wanted.join() ? 0 : 1;
          sums.cuts += one.subscriber.cuts;
        }
        return {
          n: listeners,
          figures: {
            listeners,
            projects: rooms.length,
            events: announced.length,
            'events heard': placed.reduce((sum, { subscriber }) => sum + subscriber.received.length, 0),
            'times cut off and back': sums.cuts,
            'writes to try again': failedWrites,
          },
          bars: {
            missed: exactly(sums.missed, 0),
            doubled: exactly(sums.doubled, 0),
            foreign: exactly(sums.foreign, 0),
            'out of order': exactly(sums.disordered, 0),
            'listeners never cut off': exactly(
              placed.filter(({ subscriber }) => subscriber.cuts === 0).length,
              0,
            ),
          },
        };
      } finally {
        for (const { subscriber } of placed) subscriber.stop();
        for (const server of servers) await server.close();
      }
    });
  },
};

/** Half of the projects belong to another tenant. */
async function makeRooms({ operation }: TeamDatabase): Promise<Room[]> {
  const rooms: Room[] = [];
  const orgs = [await operation.createOrg('one'), await operation.createOrg('two')];
  for (let at = 0; at < roomCount; at++) {
    const org = orgs[at % 2] as string;
    const project = await operation.createProject(org, `project ${at}`);
    const person = (name: string) => addPerson(operation, org, `${name} ${at}`, { [project]: 'member' });
    rooms.push({ project, people: [await person('ann'), await person('bob')] });
  }
  return rooms;
}

/** Writes one memory to every project; every third is private. */
async function write(urls: string[], rooms: Room[], batch: number): Promise<number> {
  let failed = 0;
  for (const [at, { project, people }] of rooms.entries()) {
    const isPrivate = (batch + at) % 3 === 0;
    // A retry saves the same memory, so it is safe whether or not the first request arrived.
    const send = () =>
      fetch(`${urls[(batch + failed) % urls.length]}/api/projects/${project}/memory`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${people[batch % 2]?.token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          text: `Fact ${batch} of project ${at}.`,
          sourceRef: `fact-${batch}`,
          visibility: isPrivate ? 'private' : 'team',
        }),
      }).then(
        ({ status }) => status === 201,
        () => false,
      );
    while (!(await send())) {
      failed += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return failed;
}

/** The events in the database, in the order in which they must be received. */
const announcedEvents = ({ owner }: TeamDatabase) =>
  owner.query<{ id: string; project: string; reader: string | null }>(
    `select xact::text || '-' || seq as id, project, reader from backstory.outbox
     where kind = 'memory:indexed' order by xact, seq`,
  );

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!holds() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 100));
}
