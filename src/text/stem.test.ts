import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stem } from './stem.ts';

describe('stem', () => {
  it.each([
    ['retries', 'retry'],
    ['retried', 'retry'],
    ['retrying', 'retry'],
    ['queues', 'queue'],
    ['caching', 'cache'],
    ['cached', 'cache'],
    ['classes', 'class'],
    ['boxes', 'box'],
    ['matches', 'match'],
    ['stopped', 'stop'],
    ['running', 'run'],
    ['writes', 'writing'],
    ['indexes', 'index'],
    ['errors', 'error'],
    ['education', 'educating'],
    ['adoption', 'adopted'],
    ['volunteering', 'volunteers'],
    ['очереди', 'очередь'],
    ['решили', 'решить'],
    ['ошибками', 'ошибка'],
  ])('gives %s and %s the same stem', (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });

  it.each(['bus', 'sing', 'red', 'class', 'utf8', 'fünfzig', 'ios', '__proto__', 'constructor', 'рис'])(
    'leaves %s unchanged',
    (word) => {
      expect(stem(word)).toBe(word);
    },
  );

  it('never returns an empty or longer word', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aeioylstndрешить'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(letters, (word) => {
        expect(stem(word).length).toBeGreaterThan(0);
        expect(stem(word).length).toBeLessThanOrEqual(word.length + 1);
      }),
      { numRuns: 500 },
    );
  });
});
