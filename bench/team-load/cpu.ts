import { readdirSync, readFileSync } from 'node:fs';

/** What the scheduler says a process has computed, all its threads together, in milliseconds. */
function cpuMsOf(pid: string): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
      .reduce((sum, one) => sum + one, 0);
  } catch {
    // It has ended.
    return 0;
  }
}

export interface CpuWatch {
  /** Since the watch began. */
  serverMs(): number;
  postgresMs(): number;
}

/**
 * How much the server and the backends of one database compute. On a machine that others use too this says more than
 * a clock: one process that waits for its turn beside twenty looks slow, however little it does.
 */
export function watchCpu(server: number, database: string): CpuWatch {
  const name = new URL(database).pathname.slice(1);
  const before = new Map(backendsOf(name).map((pid) => [pid, cpuMsOf(pid)]));
  const serverBefore = cpuMsOf(String(server));
  return {
    serverMs: () => cpuMsOf(String(server)) - serverBefore,
    // Those that came since count whole: a pool opens its connections when they are asked for.
    postgresMs: () => backendsOf(name).reduce((sum, pid) => sum + cpuMsOf(pid) - (before.get(pid) ?? 0), 0),
  };
}

const backendsOf = (database: string): string[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        const said = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return said.startsWith('postgres:') && said.includes(` ${database} `);
      } catch {
        return false;
      }
    });
