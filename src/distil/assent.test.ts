import { describe, expect, it } from 'vitest';
import { assentedPassages } from './assent.ts';

const options =
  'Three ways:\n\n1. **Raise expiry** to 60 s\n2. Heartbeats every 20 s\n   in the worker\n3. Nothing\n\nWhich one?';
const question = 'I found two places.\n\nShall I move the queue to Postgres and drop Redis?';

describe('a short reply', () => {
  it.each([
    '2',
    'option 2 please',
    'the second one',
    "let's go with 2",
    'do 2, heartbeats. raising expiry just hides it',
    'ok 2 then',
    '2 and i would do it for all workers',
  ])('chooses an option of the answer before: %s', (reply) => {
    expect(assentedPassages(reply, options)).toEqual(['Heartbeats every 20 s in the worker']);
  });

  it.each([
    'yes',
    'y',
    'go ahead',
    'Sure, do that',
    'please do',
    "Yeah let's do this",
    "nice, i'm in",
    'ja bitte',
    '好的',
  ])('agrees to the only question: %s', (reply) => {
    expect(assentedPassages(reply, question)).toEqual(['Shall I move the queue to Postgres and drop Redis?']);
  });

  it('agrees to what the question points back to', () => {
    const answer = 'Result: `app session clean` instead of `app clean`.\n\nWant me to make this change?';
    expect(assentedPassages('yes', answer)).toEqual([
      'Want me to make this change?',
      'Result: `app session clean` instead of `app clean`.',
    ]);
    const list = 'Want me to split it? The changes would be:\n\n1. One parser\n2. One printer';
    expect(assentedPassages('yes', list)).toContain('2. One printer');
    expect(assentedPassages('yes', 'Want me to split it?\n\nThe parser is fine.')).toEqual([]);
  });

  it.each([
    ['not 2', options],
    ['4', options],
    ['2 is the right one long term but 1 now', options],
    ['2, but not in production', options],
    ['yes, but keep redis', question],
    ['no', question],
    ['thanks', question],
    ['yes', 'Should I use npm or pnpm?'],
    ['ok', 'I changed it.'],
    ['yes', 'Shall I commit?\n\nShall I also push?'],
    ['2', 'First:\n1. a b\n2. c d\n\nThen:\n1. e f\n2. g h'],
    ['', question],
  ])('settles nothing if it is unclear or limited: %s', (reply, answer) => {
    expect(assentedPassages(reply, answer)).toEqual([]);
  });
});
