import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Loaded } from './http-load.ts';

/** Folder of the Postgres programs if they are not on PATH. */
const root = process.env.PG17_ROOT ?? '/opt/backstory-pg17';
const program = '/usr/lib/postgresql/17/bin/pgbench';

/** Runs the same statement with pgbench and as many connections. */
export async function runPgbench(
  url: string,
  script: string,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Pick<Loaded, 'perSecond' | 'p50Ms' | 'p99Ms' | 'requests'>> {
  const isAside = existsSync(`${root}${program}`);
  const folder = mkdtempSync(join(isAside ? `${root}/tmp` : '/tmp', 'backstory-bench-'));
  const inside = isAside ? folder.slice(root.length) : folder;
  try {
    writeFileSync(join(folder, 'script.sql'), script);
    const { hostname, port, username, pathname } = new URL(url);
    const args = [
      ...['-h', hostname, '-p', port, '-U', username, '-n', '-M', 'prepared', '-j', '2'],
      ...['-c', String(connections), '-T', String(seconds), '-f', `${inside}/script.sql`],
      ...['-l', `--log-prefix=${inside}/log`, pathname.slice(1)],
    ];
    const [command, given] = isAside ? ['chroot', [root, program, ...args]] : ['pgbench', args];
    await promisify(execFile)(command, given, {
      env: { ...process.env, PGOPTIONS: '-c role=backstory_app' },
      maxBuffer: 1 << 26,
    });
    const times = readdirSync(folder)
      .filter((name) => name.startsWith('log'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
      .map((line) => Number(line.split(' ')[2]) / 1_000)
      .sort((a, b) => a - b);
    const at = (share: number) =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
    return { perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), requests: times.length };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
