import { sleep } from '../../harness/program.ts';
import type { Random } from '../../harness/random.ts';
import type { Path, TcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import { recovery } from './crowd.ts';
import { playScene, type SceneOutcome, type Stage } from './scene.ts';

export interface PathFault {
  name: string;
  /** How long it lasts at least. It lasts on until it has hit as many connections. */
  lastsMs: number;
  hits: number;
  begin(path: TcpProxy): void;
}

/** Returns all faults of a network connection. Each lasts for a while. */
export function pathFaults(random: Random, isShort: boolean): PathFault[] {
  const become = (next: Path) => (path: TcpProxy) => path.become(next);
  const cutting = (towards: 'server' | 'client', most: number): Path => ({
    kind: 'cutting',
    towards,
    afterBytes: () => random.whole(1, most),
  });
  const hits = isShort ? 10 : 40;
  const once: PathFault[] = [
    { name: 'reset', lastsMs: 200, hits: 0, begin: (path) => void path.cut() },
    { name: 'cut in questions', lastsMs: 1_500, hits: hits / 2, begin: become(cutting('server', 3_000)) },
    { name: 'cut in answers', lastsMs: 1_500, hits: hits / 2, begin: become(cutting('client', 3_000)) },
    // Silences that are shorter and longer than any timeout.
    { name: 'silent for a moment', lastsMs: 1_000, hits: 1, begin: become({ kind: 'silent' }) },
    {
      name: 'slow',
      lastsMs: isShort ? 2_000 : 6_000,
      hits,
      begin: become({ kind: 'slow', latencyMs: () => random.whole(200, 2_000) }),
    },
    {
      name: 'dribbling',
      lastsMs: 2_000,
      hits: 10,
      begin: become({ kind: 'dribbling', bytes: 16, everyMs: 3 }),
    },
  ];
  if (isShort) return once;
  const long: PathFault = { name: 'silent', lastsMs: 8_000, hits: 1, begin: become({ kind: 'silent' }) };
  return Array.from({ length: 2 }, () => [...once, long]).flat();
}

/** Cuts, slows down and silences the connection between the server and Postgres. */
export const databasePath = (stage: Stage): Promise<SceneOutcome> =>
  playScene(stage, 'path to Postgres', async (client) => {
    const before = stage.path.faults();
    let recoveredMs = 0;
    for (const fault of pathFaults(stage.random, stage.isShort)) {
      await until(() => stage.path.connections() > 0, 'the server does not connect to Postgres');
      const first = stage.path.faults();
      fault.begin(stage.path);
      await sleep(fault.lastsMs);
      await until(() => stage.path.faults() - first >= fault.hits, `${fault.name} hits nothing`);
      stage.path.become({ kind: 'good' });
      const ms = await recovery(client);
      process.stderr.write(`  ${fault.name}: recovered after ${Math.round(ms)} ms\n`);
      recoveredMs = Math.max(recoveredMs, ms);
    }
    return { faults: stage.path.faults() - before, recoveredMs };
  });
