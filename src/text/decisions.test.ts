import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMsSince } from '../../test/support/cpu-time.ts';
import { decisionsIn, sentencesOf } from './decisions.ts';

describe('decisionsIn', () => {
  it.each([
    'We decided to keep retries in Postgres instead of Redis.',
    "I've decided on Hono for the server.",
    "Let's use esbuild for the bundles.",
    'From now on every commit names the folder it changes.',
    'Never write to the index from a hook.',
    'Decision: one package, several bundles.',
    "We don't use default exports in this repository.",
    'Use node:sqlite rather than better-sqlite3 here.',
    'Keep the hook free of packages because every start costs time.',
    'We are going with FTS5 for now.',
  ])('takes %s', (sentence) => {
    expect(decisionsIn(sentence)).toEqual([sentence]);
  });

  it.each([
    'Should we use Postgres instead of Redis?',
    'Did we decide to use Postgres?',
    'Maybe we should always use Postgres.',
    'What if we never retry at all.',
    'Fix the failing test in queue.ts.',
    'Please read the file and explain it.',
    'Why do we use Postgres here?',
    'We decided.',
  ])('leaves %s', (sentence) => {
    expect(decisionsIn(sentence)).toEqual([]);
  });

  it("leaves what is somebody else's words: code, quotes, tables, stack traces", () => {
    const text = [
      '```',
      'We decided to put this in a code block.',
      '```',
      '> We decided to quote this.',
      '| We decided | to make a table |',
      '$ echo we decided to run this',
      'We decided to keep this one.',
    ].join('\n');
    expect(decisionsIn(text)).toEqual(['We decided to keep this one.']);
  });

  it('leaves an open code block to its end', () => {
    expect(decisionsIn('```ts\nWe decided to never close this.')).toEqual([]);
  });

  it('takes the sentence alone out of a longer text, and without its bullet', () => {
    const text =
      'Thanks! We decided to drop Redis because it lost jobs. Now fix the tests.\n- We use tabs here, always.';
    expect(decisionsIn(text)).toEqual([
      'We decided to drop Redis because it lost jobs.',
      'We use tabs here, always.',
    ]);
  });

  it('gives sentences of 15 to 400 characters that stand in the text, whatever it is fed, and quickly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        for (const sentence of decisionsIn(`${text} We decided so. ${text}`)) {
          expect(sentence.length).toBeGreaterThanOrEqual(15);
          expect(sentence.length).toBeLessThanOrEqual(400);
        }
      }),
    );
    const started = process.cpuUsage();
    for (const piece of ['use ', 'always never ', 'keep because ', '```', '. A', 'we '])
      sentencesAndDecisions(piece.repeat(200_000));
    expect(cpuMsSince(started)).toBeLessThan(3_000);
  });
});

function sentencesAndDecisions(text: string): void {
  sentencesOf(text);
  decisionsIn(text);
}
