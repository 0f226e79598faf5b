import type { Clock } from '../base/clock.ts';

const sliceMs = 25;

/** Called between steps, yields to other work now and then, so that a hundred thousand files do not block the process. */
export function createSlice(clock: Clock): () => Promise<void> | undefined {
  let end = clock.now() + sliceMs;
  const rest = async (): Promise<void> => {
    await new Promise(setImmediate);
    end = clock.now() + sliceMs;
  };
  return () => (clock.now() < end ? undefined : rest());
}
