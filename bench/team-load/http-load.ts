import { connect, type Socket } from 'node:net';

export interface Loaded {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  requests: number;
  failed: number;
  empty: number;
}

/**
 * Sends requests over persistent connections, one after another on each. It uses bare sockets, because the client runs
 * on the same two cores as the server and should cost almost nothing.
 */
export async function loadHttp(
  url: string,
  requests: Buffer[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Loaded> {
  const { hostname, port } = new URL(url);
  const times: number[] = [];
  let failed = 0;
  let empty = 0;
  let next = 0;
  const until = performance.now() + seconds * 1_000;
  const lane = async () => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    const read = reader(socket);
    while (performance.now() < until) {
      const began = performance.now();
      socket.write(requests[next++ % requests.length] as Buffer);
      const { status, bytes, body } = await read();
      times.push(performance.now() - began);
      if (status !== 200) failed += 1;
      else if (bytes < 40 && body.includes('[]')) empty += 1;
    }
    socket.destroy();
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, lane));
  const took = (performance.now() - began) / 1_000;
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return {
    perSecond: times.length / took,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    requests: times.length,
    failed,
    empty,
  };
}

/** Reads one response at a time, with a content length or chunked. */
function reader(socket: Socket): () => Promise<{ status: number; bytes: number; body: string }> {
  let held = Buffer.alloc(0);
  let wake: (() => void) | undefined;
  socket.on('data', (data) => {
    held = held.length === 0 ? data : Buffer.concat([held, data]);
    wake?.();
  });
  return async () => {
    for (;;) {
      const end = held.indexOf('\r\n\r\n');
      if (end !== -1) {
        const head = held.toString('latin1', 0, end);
        const length = /content-length: (\d+)/i.exec(head)?.[1];
        const last = length === undefined ? held.indexOf('0\r\n\r\n', end) : -1;
        const whole = length === undefined ? (last === -1 ? -1 : last + 5) : end + 4 + Number(length);
        if (whole !== -1 && held.length >= whole) {
          const body = held.toString('utf8', end + 4, Math.min(whole, end + 200));
          held = held.subarray(whole);
          return { status: Number(head.slice(9, 12)), bytes: whole - end - 4, body };
        }
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
}

export const getRequest = (path: string, token: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nhost: team.test\r\nauthorization: Bearer ${token}\r\n\r\n`);
