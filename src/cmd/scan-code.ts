import { parentPort } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { createScanner, type ScanRequest } from '../code/scan-pool.ts';

/** A thread of code search: batches of files in, the lines that match out. */
const scan = createScanner(systemClock);
parentPort?.on('message', ({ id, request }: { id: number; request: ScanRequest }) => {
  parentPort?.postMessage({ id, reply: scan(request) });
});
