import { describe, expect, it } from 'vitest';
import type { EmbedderSource } from '../models/embed.ts';
import { asksForLastWork, asWords, lastWorkQuestion, parseQuestion } from './question.ts';

describe('a question', () => {
  it('counts as much as two of its other wordings', () => {
    const shares = (...others: string[]) => parseQuestion('heron', others).wordings.map(({ share }) => share);
    expect([shares(), shares('crane'), shares('crane', 'stork')]).toEqual([
      [1],
      [2 / 3, 1 / 3],
      [1 / 2, 1 / 4, 1 / 4],
    ]);
  });

  it('has the terms of all its wordings once', () => {
    expect(parseQuestion('heron nests', ['nests of cranes']).terms).toEqual(['heron', 'nest', 'crane']);
  });

  it('is a lookup if it is one word or name alone', () => {
    const isLookup = (...wordings: [string, ...string[]]) =>
      parseQuestion(wordings[0], wordings.slice(1)).isLookup;
    expect([isLookup(' SQLITE_BUSY '), isLookup('two words'), isLookup('heron', 'crane')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['Why?', true],
    ['what—for', true],
    ['whyever', false],
    ['when', false],
  ])('asks for a reason: %s', (text, expected) => {
    expect(parseQuestion(text).asksWhy).toBe(expected);
  });

  it('has spaces for characters that nobody sees', () => {
    expect(asWords('a\u200bb\u0000c\ud800d')).toBe('a b c d');
  });
});

describe('a question for the last work', () => {
  /** A model for which the question is this near to those that ask for the last work. */
  const near = (nearness: number): EmbedderSource =>
    (async () => ({
      embed: async (texts: string[]) => texts.map((_, at) => [at === 0 ? 1 : nearness]),
    })) as unknown as EmbedderSource;

  it.each([
    ['so what did we do', true],
    ['a b c d e f g h i j', true],
    ['a b c d e f g h i j k', false],
    ['?', false],
    ['what did fooBar do', false],
    ['what did we do on day 3', false],
    ['what did @ada do', false],
  ])('is short, and names nothing: %s, %s', async (text, expected) => {
    expect(await asksForLastWork(near(1), text)).toBe(expected);
  });

  it('is near to one of the usual ones', async () => {
    expect(await asksForLastWork(near(0.52), 'go on please')).toBe(true);
    expect(await asksForLastWork(near(0.51), 'go on please')).toBe(false);
    expect(await asksForLastWork(undefined, 'go on please')).toBe(false);
    expect(await asksForLastWork(undefined, lastWorkQuestion)).toBe(true);
  });
});
