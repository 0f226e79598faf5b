import { describe, expect, it } from 'vitest';
import { datesIn } from './dates-in-text.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const fitOf = (question: string, day: string): number | undefined =>
  datesIn(question, now)?.(Date.parse(`${day}T09:00:00Z`));

describe('datesIn', () => {
  it.each([
    ['what broke in October 2026', '2026-10-03', 1],
    ['what broke in October 2026', '2025-10-03', 0],
    ['what broke in october', '2025-10-03', 1],
    ['the decision of 3 Oct', '2026-10-03', 2],
    ['the decision of October 3rd', '2026-10-04', 1],
    ['notes from 2026-10-03', '2026-10-03', 2],
    ['notes from 2026-10', '2026-10-28', 1],
    ['what did we do yesterday', '2026-11-14', 2],
    ['what did we do yesterday', '2026-11-15', 0],
    ['what did we do last week', '2026-11-05', 1],
    ['the fix from 3 weeks ago', '2026-10-24', 1],
    ['the fix from 3 weeks ago', '2026-11-14', 0],
  ])('scores, for the question "%s", the day %s as %d', (question, day, wanted) => {
    expect(fitOf(question, day)).toBe(wanted);
  });

  it.each(['why may this fail', 'the march of progress', 'decide about retries', 'error 2024', ''])(
    'finds no date in "%s"',
    (question) => {
      expect(datesIn(question, now)).toBeUndefined();
    },
  );

  it('scores an invalid time as no match', () => {
    expect(datesIn('2026-10-03 yesterday October', now)?.(Number.MAX_VALUE)).toBe(0);
  });
});
