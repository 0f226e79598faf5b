import { describe, expect, it } from 'vitest';
import { inventHistories } from '../../bench/recall-coding/invented-histories.ts';
import { fingerprint, makeSets } from '../../bench/recall-coding/question-set.ts';
import { scenarios } from '../../bench/recall-coding/scenarios/all.ts';
import { createFts5, createGrep } from '../../bench/retrieval/baselines.ts';
import { pairedInterval, scoresOf } from '../../bench/retrieval/metrics.ts';
import { createRandom } from '../harness/random.ts';

describe('the coding-session questions', () => {
  const sets = makeSets(inventHistories(6));
  const setting = {
    source: 'a.ts',
    other: 'b.ts',
    test: 'a.test.ts',
    area: 'the a part',
    testCommand: 'npm test',
  };
  const stories = scenarios.flatMap(({ variants, tell }) =>
    Array.from({ length: variants }, (_, at) => tell(at, setting)),
  );

  it('are the same in every run', () => {
    expect(fingerprint(makeSets(inventHistories(6)))).toBe(fingerprint(sets));
  });

  it('hold out half of the projects, independent of their order', () => {
    const heldOut = (all: typeof sets) =>
      all.flatMap(({ name, isHeldOut }) => (isHeldOut ? [name] : [])).sort();
    expect(heldOut(sets)).toHaveLength(3);
    expect(heldOut(makeSets(inventHistories(6).reverse()))).toEqual(heldOut(sets));
  });

  it('share no wording between the halves', () => {
    const asked = (isHeldOut: boolean) =>
      sets
        .filter((set) => set.isHeldOut === isHeldOut)
        .flatMap(({ questions }) => questions.map(({ text }) => text));
    const open = new Set(asked(false));
    expect(asked(true).filter((text) => open.has(text))).toEqual([]);
  });

  it('each have an answer in the memory, and four different wordings', () => {
    for (const { asked, turns } of stories) {
      for (const { mark, wordings } of asked) {
        expect(new Set(wordings).size, wordings[0]).toBe(4);
        expect(turns.some(({ acts }) => acts.some(({ marks }) => marks?.includes(mark) === true))).toBe(true);
      }
    }
    expect(sets.flatMap(({ questions }) => questions).filter(({ gold }) => gold.length === 0)).toEqual([]);
  });
});

describe('the measures', () => {
  it('count a hit by the first answer, and recall by all of them', () => {
    expect(scoresOf(['x', 'a', 'y', 'b'], ['a', 'b', 'c', 'd'])).toEqual({
      hit1: 0,
      hit3: 1,
      recall10: 0.5,
      all10: 0,
      reciprocal: 0.5,
    });
    expect(scoresOf([], ['a'])).toMatchObject({ hit3: 0, recall10: 0, reciprocal: 0 });
  });

  it('report no difference between equal rankings, and a significant one between opposite ones', () => {
    const ones = Array.from({ length: 50 }, () => 1);
    const zeros = ones.map(() => 0);
    expect(pairedInterval(ones, ones, createRandom(1))).toEqual([0, 0]);
    expect(pairedInterval(ones, zeros, createRandom(1))).toEqual([1, 1]);
  });
});

describe('the baselines', () => {
  const documents = [
    { id: 'retry', at: 1, text: 'We retried the failing requests with a pause.' },
    { id: 'queue', at: 2, text: 'The queue stands still. 连接池大小从十改为四十' },
  ];

  it('find inflected English with FTS5, parts of words with grep, and Chinese with both', () => {
    const [fts5, grep] = [createFts5(documents), createGrep(documents)];
    expect(fts5('what about retrying a request')[0]).toBe('retry');
    expect(grep('queu')).toEqual(['queue']);
    expect([fts5('连接池多大')[0], grep('连接池多大')[0]]).toEqual(['queue', 'queue']);
  });

  it('treat the question as words, never as syntax', () => {
    expect(createFts5(documents)('"queue* NEAR(x')).toEqual(['queue']);
    expect(createFts5(documents)('***')).toEqual([]);
  });
});
