import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aChunk as sampleChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import { createTermFinder } from '../text/words.ts';
import type { AdjacentTurns } from './adjacent-turns.ts';
import { parseQuestion } from './question.ts';
import { contrasted, type Ranked, rank } from './rank.ts';
import { sliceOf } from './slice.ts';
import { rankingWeights } from './weights.ts';

/** Each chunk has its own turn, unless a test says otherwise. */
const aChunk = (given: Partial<Chunk> = {}): Chunk => sampleChunk({ turn: '', ...given });
const now = Date.parse('2026-11-15T12:00:00Z');

/** Ranks as recall does, in a project that contains nothing else. */
function ranked(
  asked: string | string[],
  chunks: Chunk[],
  neighbours: AdjacentTurns[] = [],
  legs = {},
): Ranked[] {
  const [text = '', ...wordings] = [asked].flat();
  const question = parseQuestion(text, wordings);
  const terms = new Set(question.terms);
  const empty = { chunks: 100, averageTerms: 10, frequency: new Map<string, number>() };
  const frequency = new Map(
    question.terms.map((term) => [
      term,
      chunks.filter((chunk) => sliceOf(chunk, createTermFinder([term]), empty).counts.size > 0).length,
    ]),
  );
  const corpus = { ...empty, frequency };
  const slices = chunks.map((chunk) => sliceOf(chunk, createTermFinder(terms), corpus));
  return rank(question, { slices, neighbours, legs: [], ...legs }, corpus);
}

const textsOf = (found: Ranked[]): string[] => found.map(({ chunk }) => chunk.text);
const inTurn = (...chunks: Chunk[]): AdjacentTurns[] =>
  chunks.flatMap(({ sourceId: before }, at) => {
    const next = chunks[at + 1]?.sourceId;
    return next === undefined ? [] : [{ before, after: next }];
  });

describe('rank', () => {
  it('ranks rare words above common ones, and more matching words above fewer', () => {
    const common = Array.from({ length: 5 }, (_, at) => aChunk({ text: `the server number ${at}` }));
    const found = ranked('redis server', [
      ...common,
      aChunk({ text: 'redis alone' }),
      aChunk({ text: 'redis server' }),
    ]);
    expect(textsOf(found).slice(0, 2)).toEqual(['redis server', 'redis alone']);
  });

  it('ranks adjacent words above the same words far apart', () => {
    const apart = aChunk({
      text: 'login was changed and later somebody wrote another long test for the flaky thing',
    });
    const together = aChunk({
      text: 'later somebody changed and wrote another long thing for the flaky login test was',
    });
    expect(textsOf(ranked('flaky login test', [apart, together]))[0]).toBe(together.text);
  });

  it('shows a source once, by its best slice', () => {
    const sourceId = 'f'.repeat(32);
    const slices = ['nothing much', 'we dropped redis for postgres', 'redis'].map((text) =>
      aChunk({ sourceId, text }),
    );
    const found = ranked('why redis postgres', slices);
    expect(textsOf(found)).toEqual(['we dropped redis for postgres']);
  });

  it('ranks the user above an agent with the same words', () => {
    const agent = aChunk({ kind: 'answer', origin: 'assistant', text: 'retry the queue' });
    const user = aChunk({ text: 'retry the queue' });
    expect(ranked('retry queue', [agent, user])[0]?.chunk.id).toBe(user.id);
  });

  const anAnswer = (text: string) => aChunk({ kind: 'answer', origin: 'assistant', text });

  it('finds the answer to a question by the words of the question', () => {
    const asks = aChunk({ text: 'Which cache do we use for sessions?' });
    const answers = anAnswer('Memcached, since last year.');
    const other = aChunk({ text: 'Lunch is at noon.' });
    const found = ranked('which cache for sessions', [asks, answers, other], inTurn(asks, answers, other));
    expect(textsOf(found)).toEqual([asks.text, answers.text]);
    expect(found[1]?.why).toEqual({ neighbours: expect.any(Number), length: expect.any(Number) });
  });

  it('finds a prompt by the words of its answer', () => {
    const prompt = aChunk({ text: 'please look into it' });
    const answer = anAnswer('the deadlock came from the writer lock');
    const [first] = ranked(
      'what caused the deadlock of the writer',
      [prompt, answer],
      inTurn(prompt, answer),
    );
    expect(first?.chunk.text).toBe(answer.text);
    expect(ranked('writer deadlock', [prompt, answer], inTurn(prompt, answer))).toHaveLength(2);
  });

  it('does not propagate adjacency scores further', () => {
    const line = [aChunk({ text: 'redis is gone' }), anAnswer('one'), aChunk({ text: 'two' })];
    expect(textsOf(ranked('redis gone', line, inTurn(...line)))).toEqual(['redis is gone', 'one']);
  });

  it('[recall-once] ranks valid notes above superseded ones', () => {
    const note = (given: Partial<Chunk>) =>
      aChunk({ source: 'note', kind: 'rule', trust: 3, text: 'Retries stay in the queue.', ...given });
    const held = note({ concepts: ['superseded'], at: now });
    const holds = note({ text: 'Retries of the queue go to Postgres, all of them.', at: now - 1 });
    expect(ranked('retries queue', [held, holds])[0]?.chunk).toEqual(holds);
    expect(ranked('retries', [held, holds])[0]?.chunk).toEqual(holds);
    expect(ranked('unrelated words', [held])).toEqual([]);
  });

  it('adds another leg by its weight, including chunks that match no word', () => {
    const [byWords, byMeaning] = ['redis', 'key value store'].map((text) =>
      aChunk({ text, agentSession: '' }),
    ) as [Chunk, Chunk];
    const legs = [{ name: 'meaning', weight: 0.5, scores: new Map([[byMeaning.id, [0.9]]]) }];
    const found = ranked('redis', [byWords, byMeaning], [], { legs });
    expect(found.map(({ chunk, why }) => [chunk.text, why.words, why.meaning])).toEqual([
      ['redis', 1, undefined],
      ['key value store', undefined, 0.5],
    ]);
  });

  it('subtracts for the length of a text, by its logarithm', () => {
    for (const length of [5, 2_980]) {
      const [found] = ranked('redis', [aChunk({ text: 'redis'.padEnd(length, ' x') })]);
      expect(found?.why.length).toBeCloseTo((-rankingWeights.length * Math.log1p(length)) / 8, 9);
    }
  });

  it('subtracts from each score a share of the best one of its wording', () => {
    const scores = new Map([
      ['a', [1, 0.5]],
      ['b', [0.5, 2]],
    ]);
    expect([...contrasted(scores, 0.5)]).toEqual([
      ['a', [0.5, -0.5]],
      ['b', [0, 1]],
    ]);
    expect(contrasted(new Map(), 0.5).size).toBe(0);
  });

  it('takes the words side by side from the first of the slices that match best', () => {
    const slices = ['alpha beta x1 x2 x3 x4', 'alpha x1 x2 x3 x4 beta'].map((text) =>
      aChunk({ text, sourceId: 's' }),
    );
    expect(ranked('alpha beta', slices)[0]?.why.pairs).toBeGreaterThan(0);
  });

  it('reports the share of the question that a hit covers', () => {
    const [all, half] = ranked('alpha beta', [aChunk({ text: 'alpha beta' }), aChunk({ text: 'alpha' })]);
    expect(all?.coverage).toBeCloseTo(1);
    expect(half?.coverage).toBeGreaterThan(0.2);
    expect(half?.coverage).toBeLessThan(0.8);
  });

  it('does not depend on the order of the pool', () => {
    const words = ['redis', 'queue', 'retry', 'lock', 'test', 'Always lock.'];
    const some = fc.array(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(some, fc.constantFrom(...words), fc.constantFrom(...words), (texts, one, other) => {
        const chunks = texts.map((parts) => aChunk({ text: parts.join(' ') }));
        const question = `${one} ${other}`;
        const order = ranked(question, chunks).map(({ chunk }) => chunk.id);
        expect(ranked(question, [...chunks].reverse()).map(({ chunk }) => chunk.id)).toEqual(order);
        expect(new Set(order).size).toBe(order.length);
      }),
    );
  });

  it('[recall-wordings] finds by another wording what the words of the question do not', () => {
    const answer = aChunk({ text: 'SQLITE_BUSY: the writer lock is held' });
    const other = aChunk({ text: 'the database of recipes' });
    const asked = 'why does saving hang';
    expect(ranked(asked, [answer, other])).toEqual([]);
    expect(textsOf(ranked([asked, 'database is locked', 'SQLITE_BUSY lock'], [answer, other]))[0]).toBe(
      answer.text,
    );
  });

  it('[recall-wordings] keeps what the plain question finds before the hit of one bad wording', () => {
    const answer = aChunk({ text: 'the retry limit of uploads is five' });
    const bad = aChunk({ text: 'dark theme of the settings page' });
    const asked = ['retry limit of uploads', 'how many attempts per upload', 'dark theme settings page'];
    expect(textsOf(ranked(asked, [bad, answer]))).toEqual([answer.text, bad.text]);
  });

  it('[recall-wordings] explains a score by signals that add up to it', () => {
    const chunks = ['retry limit of uploads', 'upload attempts', 'limit'].map((text) => aChunk({ text }));
    for (const { score, why } of ranked(['retry limit', 'upload attempts', 'uploads'], chunks))
      expect(Object.values(why).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 9);
  });
});
