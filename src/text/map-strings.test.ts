import { expect, it } from 'vitest';
import { mapStrings } from './fence.ts';

const upper = (text: string) => text.toUpperCase();

it('changes strings and keys at every depth', () => {
  expect(mapStrings({ a: ['b', { c: 1, d: null }] }, upper)).toEqual({ A: ['B', { C: 1, D: null }] });
});

it('keeps objects with a toJSON method, but not data with a toJSON key', () => {
  const date = new Date(0);
  expect(mapStrings({ date }, upper)).toEqual({ DATE: date });
  expect(mapStrings({ toJSON: 'a', b: 'c' }, upper)).toEqual({ TOJSON: 'A', B: 'C' });
});
