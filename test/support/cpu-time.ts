import { readFileSync } from 'node:fs';
import type { Clock } from '../../src/base/clock.ts';

/** CPU time of this process since `started`, in milliseconds. Unlike elapsed time it does not grow when the machine is busy. */
export const cpuMsSince = (started: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
};

/** Counts the CPU time of this process, for code with a deadline that must not pass because the machine is busy. */
export const cpuClock: Clock = { now: () => cpuMsSince({ user: 0, system: 0 }) };

/**
 * Returns how long this thread waited for anything but a core since the call. Elsewhere than on Linux, which counts
 * it, it is the elapsed time.
 */
export function waitedMsSince(): () => number {
  const countedMs = (): number => {
    if (process.platform !== 'linux') return 0;
    const [running = 0, runnable = 0] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number);
    return (running + runnable) / 1_000_000;
  };
  const started = performance.now() - countedMs();
  return () => performance.now() - countedMs() - started;
}
