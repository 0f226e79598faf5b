import { expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import { isNarration, kindScore } from './weights.ts';

const note = { source: 'note', kind: 'rule', origin: 'user' } as const;
const agent = { origin: 'assistant', trust: 1 } as const;

it('ranks what users settled before what agents said, and both before what was done', () => {
  /** Best first; those of a row count the same. */
  const rows: Partial<Chunk>[][] = [
    [{}, { ...note, trust: 2 }, { ...agent, kind: 'fact' }, { ...agent, kind: 'prompt' }, { kind: 'answer' }],
    [
      { ...agent, kind: 'answer' },
      { ...agent, kind: 'tool' },
    ],
    [{ ...note, trust: 1 }],
    [{ text: 'Which one? ' }, { ...agent, kind: 'prompt', text: 'Which one?' }],
    [{ ...agent, kind: 'commit' }],
    [{ ...note, kind: 'summary' }, { kind: 'summary' }],
    [{ ...note, trust: 3, concepts: ['superseded'] }],
    [{ kind: 'command' }, { kind: 'edit' }, { ...agent, kind: 'edit' }],
  ];
  const scores = rows.map((row) => new Set(row.map((chunk) => kindScore(aChunk(chunk)))));
  expect(scores.map(({ size }) => size)).toEqual(rows.map(() => 1));
  const order = scores.flatMap((own) => [...own]);
  expect(order).toEqual(order.toSorted((a, b) => b - a));
  expect(new Set(order).size).toBe(rows.length);
});

it.each([
  ['Let me look at the queue.', 'answer', true],
  ['ok, now I will run the tests', 'answer', true],
  ['These are the results:', 'answer', true],
  ['Let me look at the queue.', 'prompt', false],
  ['The queue is full.', 'answer', false],
  [`Let me ${'x'.repeat(242)}`, 'answer', true],
  [`Let me ${'x'.repeat(243)}`, 'answer', false],
] as const)('knows an announcement of the next step: %j as %s', (text, kind, expected) => {
  expect(isNarration({ text, kind })).toBe(expected);
});
