import { describe, expect, it } from 'vitest';
import { askedDays, asksForLastWork, daysIn } from './asked-day.ts';

// A Wednesday, at noon of the local time.
const now = new Date(2026, 10, 18, 12).getTime();
const day = (text: string) => ({ from: text, to: text });

describe('questions about days', () => {
  it.each([
    ['yesterday', day('2026-11-17')],
    ['What did we do yesterday?', day('2026-11-17')],
    ['what happened today', day('2026-11-18')],
    ['what did my agents do on Monday', day('2026-11-16')],
    ['wednesday', day('2026-11-11')],
    ['2026-11-03', day('2026-11-03')],
    ['last 7 days', { from: '2026-11-12', to: '2026-11-18' }],
    ['July 24', day('2026-07-24')],
    ['24 july', day('2026-07-24')],
    ['What did we do on Jul 24?', day('2026-07-24')],
    ['Friday, July 24', day('2026-07-24')],
    ['Dec 31', day('2025-12-31')],
    ['Jul 24, 2025', day('2025-07-24')],
    ['Jul 24 – Jul 26', { from: '2026-07-24', to: '2026-07-26' }],
    ['last week', { from: '2026-11-12', to: '2026-11-18' }],
  ])('%s names only days', (text, expected) => {
    expect(askedDays(text, now)).toEqual(expected);
  });

  it.each([
    'why did the deploy fail yesterday',
    'yesterday retries',
    '2026-13-40',
    'what did we decide',
    'July',
    'Jul 24 deploy',
    'Jul 26 – Jul 24',
    '',
  ])('"%s" asks for something else', (text) => {
    expect(askedDays(text, now)).toBeUndefined();
  });

  it('recognises a question for the last work, whenever that was', () => {
    for (const text of ['last session', 'What did we do last?', 'the last session'])
      expect(asksForLastWork(text), text).toBe(true);
    for (const text of ['last retries', 'session', 'last 7 days', ''])
      expect(asksForLastWork(text), text).toBe(false);
  });

  it('reads a range from an address only if both days are valid and in order', () => {
    const of = (text: string) => daysIn(new URLSearchParams(text));
    expect(of('from=2026-11-01&to=2026-11-03')).toEqual({ from: '2026-11-01', to: '2026-11-03' });
    expect(of('from=2026-11-03&to=2026-11-01')).toBeUndefined();
    expect(of('from=2026-02-31&to=2026-03-03')).toBeUndefined();
    expect(of('from=2026-11-03')).toBeUndefined();
  });
});
