import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { createFileParser } from '../code/parse-file.ts';
import type { ParseRequest } from '../code/parse-thread.ts';

/** The thread that parses source files: one path in, what the file defines out. */
const { grammars } = workerData as { grammars: string };
const parse = createFileParser(grammars, systemClock);
// One after the other: there is one parser.
let queue: Promise<unknown> = Promise.resolve();
parentPort?.on('message', ({ id, request }: { id: number; request: ParseRequest }) => {
  queue = queue.then(async () => parentPort?.postMessage({ id, file: await parse(request) }));
});
