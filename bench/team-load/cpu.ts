import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process and all its threads, in milliseconds. */
function cpuMsOf(pid: string): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
      .reduce((sum, one) => sum + one, 0);
  } catch {
    // The process has ended.
    return 0;
  }
}

export interface CpuWatch {
  /** Since the start of the measurement. */
  serverMs(): number;
  postgresMs(): number;
}

/**
 * CPU time of the server and of the backends of one database. On a shared machine this is more reliable than elapsed
 * time.
 */
export function watchCpu(server: number, database: string): CpuWatch {
  const name = new URL(database).pathname.slice(1);
  const before = new Map(backendsOf(name).map((pid) => [pid, cpuMsOf(pid)]));
  const serverBefore = cpuMsOf(String(server));
  return {
    serverMs: () => cpuMsOf(String(server)) - serverBefore,
    // Backends that started later count completely, because a pool opens connections on demand.
    postgresMs: () => backendsOf(name).reduce((sum, pid) => sum + cpuMsOf(pid) - (before.get(pid) ?? 0), 0),
  };
}

const backendsOf = (database: string): string[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return commandLine.startsWith('postgres:') && commandLine.includes(` ${database} `);
      } catch {
        return false;
      }
    });
