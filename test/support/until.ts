import { setTimeout } from 'node:timers/promises';

/** The limit of every wait in these tests. Only a hang reaches it, however busy the machine is. */
export const hangMs = 600_000;

const intervalMs = 20;

/** Waits for what another process, connection or page makes true. */
export async function until(
  isSo: () => unknown,
  description: string | (() => string) = `${isSo}`,
): Promise<void> {
  const started = performance.now();
  while (!(await isSo())) {
    if (performance.now() - started > hangMs) throw never(description);
    await setTimeout(intervalMs);
  }
}

/** The same for tests that run other programs and wait without returning to the event loop. */
export function untilSync(isSo: () => boolean, description: string | (() => string) = `${isSo}`): void {
  const started = performance.now();
  while (!isSo()) {
    if (performance.now() - started > hangMs) throw never(description);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, intervalMs);
  }
}

const never = (description: string | (() => string)): Error =>
  new Error(`waited for ever: ${typeof description === 'string' ? description : description()}`);
