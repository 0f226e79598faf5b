import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import type { QualifiedName } from './symbols/names.ts';
import type { Occurrences } from './symbols/occurrences.ts';
import type { FileSymbols } from './symbols/symbol-reader.ts';
import type { LineTokens } from './symbols/tokens.ts';

export interface ParseRequest {
  root: string;
  path: string;
  /** Text to parse instead of the current file. */
  text?: string;
  deadline: number;
  /** If set, only symbols of this name are returned. */
  only?: QualifiedName;
  /** If set, occurrences of this word are returned, too. */
  uses?: string;
  /** If true, the tokens of each line are returned, too. */
  withTokens?: boolean;
}

export type ParsedFile =
  | (FileSymbols & {
      kind: 'text';
      lineCount: number;
      occurrences?: Occurrences;
      tokens?: LineTokens[];
    })
  | { kind: 'binary' | 'large' | 'absent' | 'late' };

/** A thread that has not answered so long after the deadline is stuck in the parser and is terminated. */
const graceMs = 1_000;
const idleMs = 10_000;

/** Parses in a worker thread, which ends when idle, because only then a parser's memory is released. */
export class ParseThread {
  private readonly parts: { program: string; grammars: string; clock: Clock };
  private worker: Worker | undefined;
  private readonly waiting = new Map<
    number,
    { resolve(file: ParsedFile): void; reject(error: Error): void }
  >();
  private count = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(program: string, grammars: string, clock: Clock) {
    this.parts = { program, grammars, clock };
  }

  async parse(request: ParseRequest): Promise<ParsedFile> {
    clearTimeout(this.idle);
    this.worker ??= this.start();
    this.worker.ref();
    const id = ++this.count;
    const answered = new Promise<ParsedFile>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.worker.postMessage({ id, request });
    const timer = setTimeout(() => this.giveUp(), request.deadline - this.parts.clock.now() + graceMs);
    try {
      return await answered;
    } finally {
      clearTimeout(timer);
    }
  }

  private start(): Worker {
    const { program, grammars } = this.parts;
    const worker = new Worker(program, { workerData: { grammars } });
    worker.on('message', ({ id, file }: { id: number; file: ParsedFile }) => this.settle(id, file));
    worker.on('error', (error) => {
      const waiting = [...this.waiting.values()];
      this.close();
      for (const { reject } of waiting) reject(error as Error);
    });
    return worker;
  }

  private settle(id: number, file: ParsedFile): void {
    this.waiting.get(id)?.resolve(file);
    this.waiting.delete(id);
    if (this.waiting.size > 0) return;
    this.idle = setTimeout(() => this.close(), idleMs);
    this.idle.unref();
    // Only a pending request keeps the process alive.
    this.worker?.unref();
  }

  private giveUp(): void {
    const waiting = [...this.waiting.values()];
    this.close();
    for (const { resolve } of waiting) resolve({ kind: 'late' });
  }

  close(): void {
    clearTimeout(this.idle);
    this.waiting.clear();
    void this.worker?.terminate();
    this.worker = undefined;
  }
}
