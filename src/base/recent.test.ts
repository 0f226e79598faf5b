import { expect, test } from 'vitest';
import { createRecent } from './recent.ts';

test('keeps what is met again and lets go of the rest, without ever growing beyond twice its size', () => {
  const recent = createRecent<number>(3);
  for (let at = 0; at < 100; at++) {
    recent.set(`${at}`, at);
    if (at === 0) continue;
    expect(recent.get('0')).toBe(0);
  }
  const kept = Array.from({ length: 100 }, (_, at) => recent.get(`${at}`)).filter((one) => one !== undefined);
  expect(kept.length).toBeLessThanOrEqual(6);
  expect(kept).toContain(99);
});
