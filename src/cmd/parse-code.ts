/** Worker thread that parses source files. It receives a path and answers with the symbols that the file defines. */

import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { createFileParser } from '../code/parse-file.ts';
import type { ParseRequest } from '../code/parse-thread.ts';

const { grammars } = workerData as { grammars: string };
const parse = createFileParser(grammars, systemClock);
// Requests run one after another, because there is only one parser.
let queue: Promise<unknown> = Promise.resolve();
parentPort?.on('message', ({ id, request }: { id: number; request: ParseRequest }) => {
  queue = queue.then(async () => parentPort?.postMessage({ id, file: await parse(request) }));
});
