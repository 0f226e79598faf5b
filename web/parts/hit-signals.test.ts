import { expect, it } from 'vitest';
import { distinctSignals } from './hit-signals.ts';

const hit = (why: Record<string, number>) => ({ why });

it('says of each hit what counts most for it, and leaves out what counts most for most of the hits', () => {
  const hits = [
    hit({ passage: 5, words: 4, reason: 1 }),
    hit({ passage: 5, words: 4 }),
    hit({ words: 4, passage: 3, kind: 0 }),
    hit({ name: 9, passage: 3, words: 1 }),
  ];
  expect(distinctSignals(hits)).toEqual([[], [], [], ['has the name that you searched']]);
  expect(distinctSignals([hit({ words: 2, reason: 1 })])).toEqual([['has your words', 'gives a reason']]);
  expect(distinctSignals([hit({ words: 2 }), hit({ meaning: 2 })])).toEqual([
    ['has your words'],
    ['has a similar meaning'],
  ]);
  expect(distinctSignals([])).toEqual([]);
});
