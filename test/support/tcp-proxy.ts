import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** A path between two programs that can be cut, slowed and made silent. */
export interface TcpProxy {
  port: number;
  /** How the path is from now on. */
  become(path: Path): void;
  /** Ends every connection there is, without a goodbye; says how many. */
  cut(): number;
  connections(): number;
  /** How often a connection was cut, slowed or silenced: a test in which nothing went wrong shows nothing. */
  faults(): number;
  close(): Promise<void>;
}

export type Path =
  | { kind: 'good' }
  /**
   * Bytes are taken and go nowhere, and nobody is told. Whatever was open then stays so, dead at both ends, when the
   * path is good again for others.
   */
  | { kind: 'silent' }
  | { kind: 'slow'; latencyMs(): number }
  /** A few bytes at a time. */
  | { kind: 'dribbling'; bytes: number; everyMs: number }
  /** Reset after so many bytes of a question or of an answer: in the middle of either, for most numbers. */
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
          // What was written is on its way before the reset overtakes it.
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
      // What is open while the path is silent never hears of its other end again, even if it says nothing now.
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
