import { Agent } from 'node:http';
import { sleep } from '../../harness/program.ts';
import { type Answer, askOnce } from '../team-faults/ask.ts';
import { write } from '../team-faults/crowd.ts';
import type { Tenant } from './fill.ts';

/** One answer, with the worker that had the tenant at the start. */
export interface Sample {
  at: number;
  ms: number;
  worker: number;
  status: number;
}

/** Clients of many tenants, which write and search at a steady rate. */
export interface Clients {
  /** References that the server has acknowledged. */
  acknowledged: Set<string>;
  samples: Sample[];
  /** Results that belong to another tenant. */
  foreign(): number;
  withoutRetryAfter(): number;
  end(): Promise<void>;
}

/** Each client starts a request every so often, whether or not others are slow. */
const periodMs = 100;
const prefix = 'load';

/** The number of the tenant that wrote this memory. */
export const tenantOfRef = (ref: string): number => Number(ref.split('-')[1]);
const markInText = new RegExp(`(?:\\btenant |\\b${prefix}-)(\\d+)`, 'g');

/** Starts one client for each list. Each retries a memory until the server acknowledges it, then searches. */
export function startClients(
  url: string,
  lists: { worker: number; tenants: Tenant[] }[],
  questions: string[],
): Clients {
  const acknowledged = new Set<string>();
  const samples: Sample[] = [];
  let foreign = 0;
  let withoutRetryAfter = 0;
  let isOver = false;
  const work = async ({ worker, tenants }: (typeof lists)[number], client: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const timed = async (ask: () => Promise<Answer>): Promise<Answer> => {
      const at = performance.now();
      const answer = await ask();
      const ms = performance.now() - at;
      samples.push({ at, ms, worker, status: answer.status });
      if (answer.status === 503 && answer.retryAfter === undefined) withoutRetryAfter += 1;
      await sleep(Math.max(0, periodMs - ms));
      return answer;
    };
    for (let turn = 0; !isOver; turn++) {
      const tenant = tenants[turn % tenants.length] as Tenant;
      const { token, project } = tenant;
      const ref = `${prefix}-${tenant.number}-${client}-${turn}`;
      while (!isOver)
        if ((await timed(() => write({ url, project, token }, ref))).status === 200) {
          acknowledged.add(ref);
          break;
        }
      const question = encodeURIComponent(questions[turn % questions.length] as string);
      const path = `/api/projects/${project}/memory/search?q=${question}`;
      const { text } = await timed(() => askOnce({ url, token, path, agent }));
      foreign += [...text.matchAll(markInText)].filter(([, of]) => Number(of) !== tenant.number).length;
    }
    agent.destroy();
  };
  const working = lists.map(work);
  return {
    acknowledged,
    samples,
    foreign: () => foreign,
    withoutRetryAfter: () => withoutRetryAfter,
    async end() {
      isOver = true;
      await Promise.all(working);
    },
  };
}
