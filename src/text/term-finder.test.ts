import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stem } from './stem.ts';
import { createTermFinder } from './term-finder.ts';
import { termsOf } from './words.ts';

function foundSlowly(text: string, asked: Set<string>) {
  const { words, idents } = termsOf(text);
  const places = new Map<string, number[]>();
  for (const [at, word] of words.entries())
    if (asked.has(word)) places.set(word, [...(places.get(word) ?? []), at]);
  const parts = idents.filter((part) => asked.has(part));
  return { places, idents: parts, length: words.length + idents.length };
}

const bodies = ['happ', 'relat', 'agre', 'sensib', 'hop', 'run', 'x', 'sky', 'ay', 'cach', 'migrat', 'able'];
const tails = [
  '',
  'y',
  'ies',
  'ational',
  'ed',
  'ing',
  'ibility',
  'ization',
  'ness',
  'eed',
  'ousness',
  's',
  'e',
];
const token = fc.oneof(
  fc.tuple(fc.constantFrom(...bodies), fc.constantFrom(...tails)).map((parts) => parts.join('')),
  fc.constantFrom(
    'parseHTTPResponse2',
    'retry_backoff',
    'README',
    'Retry',
    '$el',
    '_',
    '42',
    'v2',
    'naïve',
    '日本語',
    '—',
    '…',
    '✅',
    '❶',
    '⚠️',
    '․',
    '’',
    '│',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('a'.repeat(70), 'b/'.repeat(250)),
);
const text = fc
  .array(fc.tuple(token, fc.constantFrom(' ', ' ', ' ', '/', '.', '-', ':', '\n', '..', ' /')), {
    maxLength: 30,
  })
  .map((parts) => parts.flat().join(''));

test('finds the same terms in any text as termsOf', () => {
  fc.assert(
    fc.property(text, text, fc.integer({ min: 1, max: 4 }), (held, asks, every) => {
      const terms = termsOf(`${held.slice(0, 80)} ${asks}`);
      const asked = new Set([...terms.words, ...terms.idents].filter((_, at) => at % every === 0));
      const found = createTermFinder(asked)(held);
      const { length, ...slowly } = foundSlowly(held, asked);
      const isThere = slowly.places.size + slowly.idents.length > 0;
      expect(found).toEqual({ ...slowly, length: isThere ? length : expect.any(Number) });
    }),
    { numRuns: 500 },
  );
});

test('stemming keeps the prefix that the finder looks up', () => {
  const made = bodies.flatMap((body) => tails.map((tail) => body + tail));
  const real = readFileSync('assets/static-en.bin', 'latin1')
    .slice(0, 400_000)
    .match(/^[a-z]+$/gm);
  expect(real?.length).toBeGreaterThan(10_000);
  const wrong = [...made, ...(real ?? [])].filter((word) => {
    const term = stem(word);
    return !word.startsWith(term.slice(0, Math.max(1, term.length - 2)));
  });
  expect(wrong).toEqual([]);
});
