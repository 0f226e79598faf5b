import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { sleep } from '../../harness/program.ts';
import { addPerson } from '../../harness/team/database.ts';
import { isForPerson, startAsPerson } from '../../support/person.ts';
import { openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { type Laptop, openLaptop } from '../team-sync/laptop.ts';
import { type Client, recovery } from './crowd.ts';
import { pathFaults } from './paths.ts';
import { playScene, type SceneOutcome, type Stage } from './scene.ts';

export interface ClientPathOutcome extends SceneOutcome {
  /** Number of notes that the server or one of the two laptops lacks or has twice. */
  notConverged: number;
  /** Syncs that started during a fault. */
  exchanges: number;
}

/**
 * Cuts, slows down and silences the connection between clients and the server, for a crowd of clients and for two
 * laptops.
 */
export async function clientPath(stage: Stage): Promise<ClientPathOutcome> {
  const { team, org } = stage;
  const many = stage.isShort ? 60 : 300;
  const { hostname, port } = new URL(stage.server.url);
  const path = await openTcpProxy({ host: hostname, port: Number(port) });
  const url = `http://127.0.0.1:${path.port}`;
  try {
    const project = await team.operation.createProject(org, 'laptops');
    const [ann, bob] = [openLaptop(stage.installed, 'ann'), openLaptop(stage.installed, 'bob')];
    const run = (laptop: Laptop, words: string[], input?: string) =>
      runOn(laptop, join(stage.installed.folder, 'dist', 'main.js'), words, input);
    for (const laptop of [ann, bob]) {
      const { token } = await addPerson(team.operation, org, laptop.sandbox.env.USER ?? '', {
        [project]: 'member',
      });
      await run(laptop, ['team', 'join', url, '--token-stdin', '--project', 'laptops'], token);
    }
    await ann.writeSharedNotes(many);
    let isOver = false;
    let exchanges = 0;
    const exchanging = [ann, bob].map(async (laptop) => {
      for (; !isOver; exchanges++) await run(laptop, ['team', 'push']).catch(() => {});
    });
    const played = await playScene(stage, 'path to clients', (client) => breakPath(stage, path, client), url);
    isOver = true;
    await Promise.all(exchanging);
    // The connection works again, so one sync each must be enough.
    for (const laptop of [ann, bob]) await run(laptop, ['team', 'push']);
    const [there] = await team.owner.query<{ all: number; texts: number }>(
      'select count(*)::int as all, count(distinct text)::int as texts from backstory.memory where project = $1',
      [project],
    );
    const counts = [there?.all ?? 0, there?.texts ?? 0, ann.notes(), bob.notes()];
    return {
      ...played,
      exchanges,
      notConverged: counts.reduce((sum, count) => sum + Math.abs(count - many), 0),
    };
  } finally {
    await path.close();
  }
}

async function breakPath(stage: Stage, path: TcpProxy, { project, token }: Client) {
  const client = { url: `http://127.0.0.1:${path.port}`, project, token };
  let recoveredMs = 0;
  for (const fault of pathFaults(stage.random, stage.isShort)) {
    await sleep(300);
    fault.begin(path);
    await sleep(fault.lastsMs);
    path.become({ kind: 'good' });
    recoveredMs = Math.max(recoveredMs, await recovery(client));
  }
  return { faults: path.faults(), recoveredMs };
}

/** Runs a command as the laptop's user, without blocking this process, which runs the proxy. */
async function runOn({ sandbox }: Laptop, main: string, words: string[], input = ''): Promise<void> {
  const ended = isForPerson(words)
    ? await startAsPerson([main, ...words], {
        cwd: sandbox.repo,
        env: sandbox.env,
        ...(input === '' ? {} : { piped: input }),
      })
    : await runPiped(sandbox, [main, ...words], input);
  if (ended.status !== 0) throw new Error(`${words.join(' ')}: ${ended.stderr}`);
}

const runPiped = (
  { repo, env }: Laptop['sandbox'],
  words: string[],
  input: string,
): Promise<{ status: number | null; stderr: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, words, { cwd: repo, env, stdio: ['pipe', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (piece) => {
      stderr += piece;
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('close', (status) => resolve({ status, stderr }));
  });
