/** Worker thread of code search. It receives batches of files and answers with the matching lines. */

import { parentPort } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { createScanner, type ScanRequest } from '../code/scan-pool.ts';

const scan = createScanner(systemClock);
parentPort?.on('message', ({ id, request }: { id: number; request: ScanRequest }) => {
  parentPort?.postMessage({ id, reply: scan(request) });
});
