import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLimits } from './limits.ts';

const options = { perSecond: 10, burst: 10, atOnce: 1, waiting: 2 };
const limits = () => createLimits(options, { now: () => 0 });
const overloaded = { code: 'OVERLOADED', retryable: true };

describe('[team-limits] A request', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is refused after waiting five seconds, and its place in the queue goes to the next request', async () => {
    const { inTurn, load } = limits();
    let finish = (): void => {};
    const first = inTurn(() => new Promise<void>((resolve) => (finish = resolve)));
    const refused = expect(inTurn(async () => 'too late')).rejects.toMatchObject(overloaded);
    await vi.advanceTimersByTimeAsync(5_000);
    await refused;
    const next = inTurn(async () => 'in time');
    expect(load()).toEqual({ running: 1, waiting: 1 });
    finish();
    await first;
    expect(await next).toBe('in time');
    expect(load()).toEqual({ running: 0, waiting: 0 });
  });
});
