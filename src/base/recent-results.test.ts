import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createRecentResults } from './recent-results.ts';

test('keeps entries in use, drops the rest, and never exceeds twice its generation size', () => {
  const recent = createRecentResults<number>(3);
  for (let at = 0; at < 100; at++) {
    recent.compute(`${at}`, () => at);
    if (at === 0) continue;
    expect(recent.get('0')).toBe(0);
  }
  const kept = Array.from({ length: 100 }, (_, at) => recent.get(`${at}`)).filter((one) => one !== undefined);
  expect(kept.length).toBeLessThanOrEqual(6);
  expect(kept).toContain(99);
});

test('does not keep a text alive through words sliced from it', () => {
  const recent = createRecentResults<string>(100_000);
  const before = usedHeap();
  for (let at = 0; at < 300; at++) {
    const text = `${at}`.padEnd(100_000, 'x').concat(`aVeryLongIdentifier${at}`);
    for (const word of text.match(/aVery\w+/g) ?? []) recent.compute(word, (own) => own.slice(1, 15));
  }
  expect(recent.get('aVeryLongIdentifier7')).toBe('VeryLongIdenti');
  expect(usedHeap() - before).toBeLessThan(10_000_000);
});

test('finds keys with any characters', () => {
  const recent = createRecentResults<number>(10);
  const keys = [
    'обслуживание-очереди',
    'naïveté-and-façades',
    'a lone half \ud83d of a sign',
    'plainAsciiIdentifier',
  ];
  for (const [at, key] of keys.entries()) recent.compute(key, () => at);
  expect(keys.map((key) => recent.get(key))).toEqual([0, 1, 2, 3]);
});

function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
