import { sleep } from '../../harness/program.ts';
import { hangMs } from '../../support/until.ts';
import { type Answer, askOnce } from './ask.ts';

/** The server, project and token of a client. */
export interface Client {
  url: string;
  project: string;
  token: string;
}

/** Clients that write and search during faults, and the responses they got. */
export interface Crowd {
  /** Memories that the server has acknowledged. */
  acknowledged: Set<string>;
  /** Number of responses by status; 0 for none. */
  statusCounts: Map<number, number>;
  /** Number of 429 and 503 responses without Retry-After. */
  withoutRetryAfter(): number;
  end(): Promise<void>;
}

const pauseMs = 50;

/**
 * Starts a crowd of clients. Each retries each memory until the server acknowledges it, as a laptop does, and searches
 * in between.
 */
export function gather(client: Client, name: string, size: number): Crowd {
  const acknowledged = new Set<string>();
  const statusCounts = new Map<number, number>();
  let withoutRetryAfter = 0;
  let isOver = false;
  const record = ({ status, retryAfter }: Answer): number => {
    statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1);
    if ((status === 429 || status === 503) && retryAfter === undefined) withoutRetryAfter += 1;
    return status;
  };
  const work = async (lane: number): Promise<void> => {
    for (let number = 0; !isOver; number++) {
      const sourceRef = `${name}-${lane}-${number}`;
      while (!isOver) {
        if (record(await write(client, sourceRef)) === 200) {
          acknowledged.add(sourceRef);
          break;
        }
        await sleep(pauseMs);
      }
      if (!isOver) record(await search(client));
    }
  };
  const working = Array.from({ length: size }, (_, lane) => work(lane));
  return {
    acknowledged,
    statusCounts,
    withoutRetryAfter: () => withoutRetryAfter,
    async end() {
      isOver = true;
      await Promise.all(working);
    },
  };
}

export const write = ({ url, project, token }: Client, sourceRef: string): Promise<Answer> =>
  askOnce({
    url,
    token,
    path: `/api/projects/${project}/memory/batch`,
    body: { memories: [{ source: 'job', sourceRef, text: `Job ${sourceRef} mended the queue.` }] },
  });

export const search = ({ url, project, token }: Client): Promise<Answer> =>
  askOnce({ url, token, path: `/api/projects/${project}/memory/search?q=mended+queue` });

/**
 * Measures the time until the server is ready, finds memories and stores them. Each request is retried until it works.
 */
export async function recovery(client: Client, patienceMs = hangMs): Promise<number> {
  const began = performance.now();
  const probe = `probe-${Math.random()}`;
  const steps = [
    () => askOnce({ url: client.url, path: '/ready' }),
    () => search(client),
    () => write(client, probe),
  ];
  for (const step of steps)
    while ((await step()).status !== 200) {
      if (performance.now() - began > patienceMs) return Number.POSITIVE_INFINITY;
      await sleep(20);
    }
  return performance.now() - began;
}

/** Number of responses that are neither successful nor a request to retry later. */
export const unexpectedResponses = ({ statusCounts }: Crowd, ...alsoFine: number[]): number =>
  [...statusCounts]
    .filter(([status]) => ![200, 201, 429, 503, ...alsoFine].includes(status))
    .reduce((sum, [, count]) => sum + count, 0);

export const tally = ({ statusCounts }: Crowd): string =>
  JSON.stringify(Object.fromEntries([...statusCounts].sort()));
