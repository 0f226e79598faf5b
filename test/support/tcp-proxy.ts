import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** A TCP proxy between two programs that can cut, slow down and silence connections. */
export interface TcpProxy {
  port: number;
  /** Sets how the connection behaves from now on. */
  become(path: Path): void;
  /** Resets all open connections and returns their number. */
  cut(): number;
  connections(): number;
  /** Number of connections that were cut, slowed down or silenced. A test with none proves nothing. */
  faults(): number;
  close(): Promise<void>;
}

export type Path =
  | { kind: 'good' }
  /**
   * Bytes are accepted and dropped without an error. Connections that are open at that time stay dead at both ends,
   * even after the proxy works again for others.
   */
  | { kind: 'silent' }
  | { kind: 'slow'; latencyMs(): number }
  /** Forwards a few bytes at a time. */
  | { kind: 'dribbling'; bytes: number; everyMs: number }
  /** Resets the connection after this many bytes of a request or a response, usually in the middle of one. */
  | { kind: 'cutting'; towards: 'server' | 'client'; afterBytes(): number };

interface Pair {
  client: Socket;
  server: Socket;
  isDead: boolean;
}

export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let path: Path = { kind: 'good' };
  let faults = 0;
  const pairs = new Set<Pair>();
  const reset = (pair: Pair) => {
    faults += 1;
    pairs.delete(pair);
    pair.client.resetAndDestroy();
    pair.server.resetAndDestroy();
  };
  const silence = (pair: Pair) => {
    if (!pair.isDead) faults += 1;
    pair.isDead = true;
  };

  const pass = (pair: Pair, from: Socket, to: Socket, towards: 'server' | 'client') => {
    let before = Promise.resolve();
    let left: number | undefined;
    const forward = async (said: Buffer): Promise<void> => {
      let bytes = said;
      if (pair.isDead || to.destroyed) return;
      const now = path;
      if (now.kind === 'slow') {
        faults += 1;
        await sleep(now.latencyMs());
      }
      if (now.kind === 'dribbling') {
        faults += 1;
        while (bytes.length > now.bytes && path === now && !pair.isDead) {
          to.write(bytes.subarray(0, now.bytes));
          bytes = bytes.subarray(now.bytes);
          await sleep(now.everyMs);
        }
      }
      if (now.kind === 'cutting' && now.towards === towards) {
        left ??= now.afterBytes();
        if (bytes.length >= left) {
          to.write(bytes.subarray(0, left));
          // Wait until the written bytes are sent, before the reset overtakes them.
          await sleep(1);
          reset(pair);
          return;
        }
        left -= bytes.length;
      }
      if (!pair.isDead && !to.destroyed && bytes.length > 0) to.write(bytes);
    };
    from.on('data', (bytes) => {
      if (path.kind === 'silent') silence(pair);
      before = before.then(() => forward(bytes));
    });
    from.on('end', () => {
      if (path.kind === 'silent') silence(pair);
      before = before.then(() => {
        if (!pair.isDead) to.end();
      });
    });
    from.on('error', () => {
      if (!pair.isDead) to.destroy();
    });
    from.on('close', () => {
      if (pair.isDead || path.kind === 'silent') return;
      void before.then(() => to.destroy());
      pairs.delete(pair);
    });
  };

  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = dial({ ...target, allowHalfOpen: true });
    const pair: Pair = { client, server, isDead: false };
    pairs.add(pair);
    for (const socket of [client, server]) socket.setNoDelay(true);
    if (path.kind === 'silent') silence(pair);
    pass(pair, client, server, 'server');
    pass(pair, server, client, 'client');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    become(next) {
      path = next;
      // Connections that are open while the proxy is silent stay dead forever, even if idle now.
      if (next.kind === 'silent') for (const pair of pairs) silence(pair);
    },
    cut() {
      const open = [...pairs].filter(({ isDead }) => !isDead);
      for (const pair of open) reset(pair);
      return open.length;
    },
    connections: () => [...pairs].filter(({ isDead }) => !isDead).length,
    faults: () => faults,
    async close() {
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await closed;
    },
  };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
