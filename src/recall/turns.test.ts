import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import { createTermFinder } from '../text/term-finder.ts';
import { parseQuestion } from './question.ts';
import { rank } from './rank.ts';
import { sliceOf } from './slice.ts';
import { rankingWeights } from './weights.ts';

const asks = aChunk({ turn: 'one', kind: 'prompt', text: 'Please look at the flaky login test.' });
const answers = aChunk({
  turn: 'one',
  kind: 'answer',
  origin: 'assistant',
  text: 'The cookie came too late.',
});
const edits = aChunk({
  turn: 'one',
  kind: 'edit',
  origin: 'tool',
  text: 'edited src/session.ts (+3 −1 lines)',
});
const runs = aChunk({ turn: 'one', kind: 'command', origin: 'tool', text: '$ npm test -- session' });
const other = aChunk({ turn: 'two', kind: 'answer', origin: 'assistant', text: 'The pool has ten seats.' });

function ranked(text: string, chunks: Chunk[], related = new Map<string, number>()): string[] {
  const question = parseQuestion(text, 0);
  const corpus = { chunks: 100, averageTerms: 10, frequency: new Map<string, number>() };
  const slices = chunks.map((chunk) => sliceOf(chunk, createTermFinder(question.terms), corpus));
  return rank(question, { slices, neighbours: [], legs: [], related }, corpus, rankingWeights).map(
    ({ chunk }) => chunk.id,
  );
}

describe('the parts of a turn', () => {
  it('come up by what was asked for, though only the request has its words', () => {
    const all = [asks, answers, edits, runs, other];
    const firstTwo = (text: string) => ranked(text, all).slice(0, 2);
    expect(firstTwo('what fixed the flaky login test')).toContain(answers.id);
    expect(firstTwo('which files did we touch for the flaky login test')).toContain(edits.id);
    expect(firstTwo('which command did we run for the flaky login test')).toContain(runs.id);
    expect(ranked('what fixed the flaky login test', all)).not.toContain(other.id);
  });

  it('leave room for other turns', () => {
    const talk = Array.from({ length: 5 }, (_, at) =>
      aChunk({ turn: 'long', kind: 'answer', origin: 'assistant', text: `flaky login test ${at}` }),
    );
    expect(ranked('flaky login test', [...talk, asks]).indexOf(asks.id)).toBeLessThan(3);
  });

  it('come up when related work ties their turn to a hit', () => {
    expect(ranked('what fixed the flaky login test', [asks, other], new Map([['two', 0.5]]))).toContain(
      other.id,
    );
  });
});
