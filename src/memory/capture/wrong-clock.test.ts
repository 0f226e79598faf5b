import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { quickLimits, withIndex } from '../../recall/with-index.ts';
import { eventsFromFuture } from '../verify.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

describe('a clock that was wrong', () => {
  it('[future-times] does not leave events that stay the newest for years', async () => {
    memory.clock.set(Date.parse('2030-01-05T12:00:00Z'));
    memory.prompt('Captured in 2030.', { prompt_id: 'turn-1' });
    await memory.drain();
    const today = Date.parse('2026-11-20T12:00:00Z');
    memory.clock.set(today);
    await memory.drain();
    memory.clock.set(today + 60_000);
    memory.prompt('Captured today.', { prompt_id: 'turn-2' });
    await memory.drain();
    const chunks = await withIndex(
      memory.open(),
      quickLimits,
      async (index) => (await index?.list({}, 10)) ?? [],
    );
    expect(chunks.map(({ text }) => text)).toEqual(['Captured today.', 'Captured in 2030.']);
    expect(Math.max(...chunks.map(({ at }) => at))).toBeLessThan(today + 24 * 60 * 60 * 1000);
    expect(eventsFromFuture(memory.open())).toEqual({ '2030-01.jsonl': 1 });
  });
});
