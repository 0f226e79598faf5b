import { describe, expect, it } from 'vitest';
import { assentedText } from './assent.ts';

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
  ])('chooses an option of the answer before: %s', (reply) => {
    expect(assentedText(reply, options)).toBe('Heartbeats every 20 s in the worker');
  });

  it.each(['yes', 'y', 'go ahead', 'Sure, do that', 'please do', 'ja bitte', '好的'])(
    'agrees to the only question: %s',
    (reply) => {
      expect(assentedText(reply, question)).toBe('Shall I move the queue to Postgres and drop Redis?');
    },
  );

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
    expect(assentedText(reply, answer)).toBeUndefined();
  });
});
