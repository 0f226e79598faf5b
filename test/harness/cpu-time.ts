import { spawnSync } from 'node:child_process';
import { cpuMsSince } from '../support/cpu-time.ts';

export interface TimedRun {
  /** CPU time of the program and of those that it waited for. Unlike elapsed time, it does not count waiting for a CPU. */
  cpuMs: number;
  ms: number;
  status: number | null;
  stdout: string;
}

/** Node does not tell the CPU time of a program that has ended; bash writes it to descriptor 3, which is closed for it. */
const script = 'TIMEFORMAT="%3U %3S"; { time "$@" 2>&4 3>&- 4>&-; } 4>&2 2>&3 3>&-';

/** Runs a Node program to its end. */
export function timeProgram(
  args: string[],
  { cwd, env, input = '' }: { cwd: string; env: Record<string, string>; input?: string },
): TimedRun {
  const started = performance.now();
  const { status, stdout, output } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], {
    cwd,
    env,
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const ms = performance.now() - started;
  const [user, system] = (output[3] ?? '').trim().split(' ').map(Number);
  return { cpuMs: ((user ?? Number.NaN) + (system ?? Number.NaN)) * 1_000, ms, status, stdout };
}

/** CPU time of work in this process, in milliseconds. */
export function cpuMsOf(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  return cpuMsSince(started);
}
