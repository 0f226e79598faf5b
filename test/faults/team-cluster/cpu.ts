import { readdirSync, readFileSync } from 'node:fs';
import { connect } from '../../../src/team/postgres/connect.ts';

const msPerTick = 10;

/** Fields of /proc/PID/stat after the name, which may contain spaces. The first is the state. */
function statOf(pid: number | string): number[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    // The process has ended.
    return undefined;
  }
}

/** The first process of a Postgres server. */
export async function postmasterOf(url: string): Promise<number> {
  const database = connect(url, () => {}, 1);
  try {
    const [row] = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
    return statOf(row?.pid ?? 0)?.[1] ?? Number.NaN;
  } finally {
    await database.close();
  }
}

/** CPU time of whole Postgres servers: their first processes, all that run now, and those that have ended. */
export function cpuMsOf(postmasters: number[]): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  let ticks = 0;
  for (const pid of all) {
    const [, parent, ...rest] = statOf(pid) ?? [];
    // utime, stime, and for the first process those of its ended children: cutime, cstime.
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = rest.slice(9, 13);
    if (postmasters.includes(Number(pid))) ticks += user + system + endedUser + endedSystem;
    else if (parent !== undefined && postmasters.includes(parent)) ticks += user + system;
  }
  return ticks * msPerTick;
}
