import { describe, expect, it } from 'vitest';
import { featuresOf, type SentenceInTurn } from './sentence-features.ts';
import { createClassifier } from './statement-classifier.ts';

const statementKinds = ['rule', 'preference', 'decision', 'fact', 'open'];
const heads = ['tell', ...statementKinds];

import weights from './statement-weights.json' with { type: 'json' };

const given = (sentence: string, more: Partial<SentenceInTurn> = {}): SentenceInTurn => ({
  sentence,
  promptLength: sentence.length,
  at: 0,
  of: 1,
  before: '',
  edits: 0,
  commands: 0,
  ...more,
});

const tiny = createClassifier({
  heads,
  bias: [-1, 0, 0, 0.5, 0, 0],
  weights: {
    'w never': [3, 2, 0, 0, 0, 0],
    's sorry': [4, 0, 0, 0, 0, 0],
    'w in 0': [0, 0, 0, 0, 9, 0],
    'f after a question': [1, 0, 0, 0, 0, 0],
  },
});

describe('the classifier', () => {
  it('adds the weights of the features to the bias', () => {
    const { tell, kind } = tiny(given('We never do that'));
    expect(tell).toBeCloseTo(1 / (1 + Math.exp(-2)));
    expect(kind).toBe('rule');
  });

  it('knows the first word, pairs of words with any number, and what was said before', () => {
    expect(tiny(given('sorry, kubernetes')).tell).toBeGreaterThan(0.8);
    expect(tiny(given('kubernetes, sorry')).tell).toBeLessThan(0.3);
    expect(tiny(given('done in 25')).kind).toBe('fact');
    expect(tiny(given('yes', { before: 'Shall I?' })).tell).toBeCloseTo(0.5);
  });

  it('falls back to the bias for words that it does not know, such as names of object properties', () => {
    expect(tiny(given('constructor toString __proto__'))).toEqual(tiny(given('kubernetes')));
    expect(tiny(given('')).kind).toBe('decision');
  });

  it('is shipped with one finite weight per head for every feature', () => {
    expect(weights.heads).toEqual(heads);
    const rows = [weights.bias, ...Object.values(weights.weights)];
    expect(rows.every((row) => row.length === heads.length && row.every(Number.isFinite))).toBe(true);
  });
});

describe('the features of a sentence', () => {
  it('contain no number, and each of them once', () => {
    const features = featuresOf(given('wait 25 s, then wait 30 s in v2'));
    expect(features.filter((name) => name.startsWith('w ') && /[1-9]/.test(name))).toEqual([]);
    expect(new Set(features).size).toBe(features.length);
  });

  it('are bounded for a long sentence', () => {
    expect(featuresOf(given('many words '.repeat(10_000))).length).toBeLessThan(300);
  });
});
