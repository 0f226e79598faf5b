import type { InstalledPackage } from '../../harness/package.ts';
import { sleep } from '../../harness/program.ts';
import type { Random } from '../../harness/random.ts';
import type { Cluster } from '../../harness/team/cluster.ts';
import { addPerson, type TeamDatabase } from '../../harness/team/database.ts';
import type { ServedTeam } from '../../harness/team/serve.ts';
import type { TcpProxy } from '../../support/tcp-proxy.ts';
import { type Subscriber, subscribe } from '../team-broadcast/subscriber.ts';
import { type Crowd, gather, oddAnswers, type Seat, tally } from './crowd.ts';
import { judge, type Verdict } from './verdict.ts';

/** What every scene has to break things with. */
export interface Stage {
  installed: InstalledPackage;
  team: TeamDatabase;
  org: string;
  /** One process for all of the scenes; it must not end. */
  server: ServedTeam;
  /** Between the server and Postgres. */
  path: TcpProxy;
  /** Where Postgres is, through `path` and without it. */
  pathUrl: string;
  directUrl: string;
  /** Undefined when there is none that may be crashed. */
  cluster: Cluster | undefined;
  random: Random;
  isShort: boolean;
}

export interface SceneOutcome {
  faults: number;
  verdict: Verdict;
  odd: number;
  withoutRetryAfter: number;
  acknowledged: number;
  said: string;
  /** The longest there was. */
  recoveredMs: number;
}

const crowdSize = 6;

/** A project with a crowd and a listener in it; `breakThings` says how many faults there were and how long they hurt. */
export async function playScene(
  stage: Stage,
  name: string,
  breakThings: (seat: Seat) => Promise<{ faults: number; recoveredMs: number }>,
  crowdUrl = stage.server.url,
): Promise<SceneOutcome> {
  const { team, server } = stage;
  const seat = await takeSeat(stage, name);
  const listener: Subscriber = subscribe([crowdUrl], seat.project, seat.token, 0, 20_000);
  await untilIn(listener);
  const crowd: Crowd = gather({ ...seat, url: crowdUrl }, name, crowdSize);
  try {
    const { faults, recoveredMs } = await breakThings(seat);
    await crowd.end();
    const verdict = await judge(team, seat.project, crowd.acknowledged, listener);
    return {
      faults,
      verdict,
      // Whoever asks over a path that is cut gets no answer, which is nobody's fault.
      odd: oddAnswers(crowd, ...(crowdUrl === server.url ? [] : [0])),
      withoutRetryAfter: crowd.withoutRetryAfter(),
      acknowledged: crowd.acknowledged.size,
      said: tally(crowd),
      recoveredMs,
    };
  } finally {
    listener.stop();
    await crowd.end();
  }
}

/** What was before is not told to who comes without a last id. */
export async function untilIn(listener: Subscriber): Promise<void> {
  while (!listener.isIn()) await sleep(20);
}

export async function takeSeat({ team, org, server }: Stage, name: string): Promise<Seat> {
  const project = await team.operation.createProject(org, name);
  const { token } = await addPerson(team.operation, org, name, { [project]: 'owner' });
  return { url: server.url, project, token };
}
