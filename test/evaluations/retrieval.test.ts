import { describe, expect, it } from 'vitest';
import { createFts5 } from '../../bench/retrieval/baselines.ts';
import { scoresOf } from '../../bench/retrieval/metrics.ts';

describe('the measures', () => {
  it('count a hit by the first answer, and recall by all of them', () => {
    expect(scoresOf(['x', 'a', 'y', 'b'], ['a', 'b', 'c', 'd'])).toEqual({ hit3: 1, recall10: 0.5 });
    expect(scoresOf([], ['a'])).toEqual({ hit3: 0, recall10: 0 });
  });
});

describe('the baseline', () => {
  const documents = [
    { id: 'retry', text: 'We retried the failing requests with a pause.' },
    { id: 'queue', text: 'The queue stands still. 连接池大小从十改为四十' },
  ];

  it('finds inflected English and Chinese', () => {
    const fts5 = createFts5(documents);
    expect(fts5('what about retrying a request')[0]).toBe('retry');
    expect(fts5('连接池多大')[0]).toBe('queue');
  });

  it('treats the question as words, never as syntax', () => {
    expect(createFts5(documents)('"queue* NEAR(x')).toEqual(['queue']);
    expect(createFts5(documents)('***')).toEqual([]);
  });
});
