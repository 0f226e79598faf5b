import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import { DeadlineExceeded } from './pattern/automaton.ts';
import { createFinder, type Finder, type PatternQuery } from './pattern/finder.ts';
import { type FoundLines, type SearchTask, searchFile } from './search-file.ts';

export interface ScanRequest {
  root: string;
  query: PatternQuery;
  tasks: SearchTask[];
  countOnly: boolean;
  untilMs: number;
}

/** Reply of a worker: one result per task, or fewer if the deadline passed. */
export type ScanReply = { found: FoundLines[] } | { refused: { message: string; hint: string } };

const maxThreads = 4;
const idleMs = 5_000;

/** Worker threads that read and match files. They start with the first request and end when idle. */
export class ScanPool {
  readonly size = Math.min(maxThreads, availableParallelism());
  private readonly program: string;
  private workers: Worker[] = [];
  private readonly waiting = new Map<
    number,
    { resolve(found: FoundLines[]): void; reject(error: Error): void }
  >();
  private count = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(program: string) {
    this.program = program;
  }

  search(request: ScanRequest): Promise<FoundLines[]> {
    clearTimeout(this.idle);
    while (this.workers.length < this.size) this.start();
    const id = ++this.count;
    const worker = this.workers[id % this.size] as Worker;
    worker.ref();
    worker.postMessage({ id, request });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  private start(): void {
    const worker = new Worker(this.program);
    worker.on('message', ({ id, reply }: { id: number; reply: ScanReply }) => this.settle(id, reply));
    worker.on('error', (error) => {
      const failed = new AppError('FALLBACK_FAILURE', `a search thread failed: ${messageOf(error)}`, {
        hint: 'Narrow the search by path, or index the checkout: backstory doctor --reindex code',
        retryable: true,
        cause: error,
      });
      for (const { reject } of this.waiting.values()) reject(failed);
      this.waiting.clear();
      this.close();
    });
    this.workers.push(worker);
  }

  private settle(id: number, reply: ScanReply): void {
    const pending = this.waiting.get(id);
    if ('found' in reply) pending?.resolve(reply.found);
    else pending?.reject(new AppError('INVALID_QUERY', reply.refused.message, reply.refused));
    this.waiting.delete(id);
    if (this.waiting.size > 0) return;
    this.idle = setTimeout(() => this.close(), idleMs);
    this.idle.unref();
    // Only a pending request keeps the process alive.
    for (const worker of this.workers) worker.unref();
  }

  close(): void {
    clearTimeout(this.idle);
    for (const worker of this.workers.splice(0)) void worker.terminate();
  }
}

/**
 * Handles requests in a worker thread. The compiled pattern is kept, because one search sends many requests.
 */
export function createScanner(clock: Clock): (request: ScanRequest) => ScanReply {
  let known: { key: string; finder: Finder } | undefined;
  let until = 0;
  return ({ root, query, tasks, countOnly, untilMs }) => {
    until = untilMs;
    const key = JSON.stringify(query);
    if (known?.key !== key) known = { key, finder: createFinder(query, () => clock.now() > until) };
    const { finder } = known;
    const found: FoundLines[] = [];
    try {
      for (const task of tasks) {
        if (clock.now() > until) break;
        found.push(searchFile(root, task, finder, { countOnly }));
      }
    } catch (error) {
      // Errors lose their class when they are sent to another thread.
      if (error instanceof AppError) return { refused: { message: error.message, hint: error.hint } };
      if (!(error instanceof DeadlineExceeded)) throw error;
    }
    return { found };
  };
}
