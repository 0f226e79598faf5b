import { expect, test } from 'vitest';
import { parseQuestion } from '../../recall/question.ts';
import { poolOf } from './search.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const pool = (text: string): number => poolOf(parseQuestion(text, now), 10);

test('fetches more candidates when the question names a date', () => {
  expect(pool('what broke in May 2024')).toBe(80);
  expect(pool('what broke the queue worker')).toBe(30);
});
