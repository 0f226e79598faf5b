import type { InstalledPackage } from '../../harness/package.ts';
import { sleep } from '../../harness/program.ts';
import type { Random } from '../../harness/random.ts';
import type { Cluster } from '../../harness/team/cluster.ts';
import { addPerson, type TeamDatabase } from '../../harness/team/database.ts';
import type { ServedTeam } from '../../harness/team/serve.ts';
import type { TcpProxy } from '../../support/tcp-proxy.ts';
import { type Client, type Crowd, gather, tally, unexpectedResponses } from './crowd.ts';
import { type Subscriber, subscribe } from './subscriber.ts';
import { judge, type Verdict } from './verdict.ts';

/** The parts that every scenario uses to cause faults. */
export interface Stage {
  installed: InstalledPackage;
  team: TeamDatabase;
  org: string;
  /** One server process for all scenarios; it must not exit. */
  server: ServedTeam;
  /** The proxy between the server and Postgres. */
  path: TcpProxy;
  /** Address of Postgres through the proxy `path`. The other address is direct. */
  pathUrl: string;
  directUrl: string;
  /** Undefined if there is no Postgres that may be crashed. */
  cluster: Cluster | undefined;
  random: Random;
  isShort: boolean;
}

/** What a scenario needs besides the means to cause its faults. */
export type SceneParts = Pick<Stage, 'team' | 'org' | 'server'>;

export interface SceneOutcome {
  faults: number;
  verdict: Verdict;
  odd: number;
  withoutRetryAfter: number;
  acknowledged: number;
  said: string;
  /** The longest recovery. */
  recoveredMs: number;
}

const crowdSize = 6;

/**
 * Plays a scenario: a project with a crowd of clients and a subscriber to live events. `breakThings` causes the faults
 * and returns their number and the recovery times.
 */
export async function playScene(
  stage: SceneParts,
  name: string,
  breakThings: (client: Client) => Promise<{ faults: number; recoveredMs: number }>,
  crowdUrl = stage.server.url,
): Promise<SceneOutcome> {
  const { team, server } = stage;
  const client = await createClient(stage, name);
  const listener: Subscriber = subscribe([crowdUrl], client.project, client.token, 0, 20_000);
  await untilConnected(listener);
  const crowd: Crowd = gather({ ...client, url: crowdUrl }, name, crowdSize);
  try {
    const { faults, recoveredMs } = await breakThings(client);
    await crowd.end();
    const verdict = await judge(team, client.project, crowd.acknowledged, listener);
    return {
      faults,
      verdict,
      // A client whose connection is cut gets no response, which is not a failure of the server.
      odd: unexpectedResponses(crowd, ...(crowdUrl === server.url ? [] : [0])),
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

/** A subscriber without a last event id gets no earlier events, so wait until it is connected. */
export async function untilConnected(listener: Subscriber): Promise<void> {
  while (!listener.isConnected()) await sleep(20);
}

export async function createClient({ team, org, server }: SceneParts, name: string): Promise<Client> {
  const project = await team.operation.createProject(org, name);
  const { token } = await addPerson(team.operation, org, name, { [project]: 'owner' });
  return { url: server.url, project, token };
}
