import { expect, test } from 'vitest';
import { parseQuestion } from '../../recall/question.ts';
import { poolOf } from './search.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const pool = (text: string): number => poolOf(parseQuestion(text, now), 10);

test('brings many candidates where a name, a time or a number may lift one from far down', () => {
  expect(pool('what did Caroline say about the cache')).toBe(80);
  expect(pool('when was the cache thrown away')).toBe(80);
  expect(pool('how many retries do we allow')).toBe(80);
  expect(pool('what broke in May 2024')).toBe(80);
});

test('brings few where only the words decide, also at the beginning of a sentence', () => {
  expect(pool('retry backoff of the queue worker')).toBe(30);
  expect(pool('How do we run the tests?')).toBe(30);
});
