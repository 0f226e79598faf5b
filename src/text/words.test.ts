import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.ts';
import { cpuMsSince } from '../../test/support/cpu-time.ts';
import { stem } from './stem.ts';
import { createTermFinder, queryTerms, splitIdentifier, stopStems, stopWords, termsOf } from './words.ts';

const all = (text: string): string[] => [...termsOf(text).words, ...termsOf(text).idents];

/** Whether the question and the text have a term in common. */
const meets = (question: string, text: string): boolean => {
  const terms = new Set(all(text));
  return queryTerms(question).terms.some((term) => terms.has(term));
};

describe('splitIdentifier', () => {
  it.each([
    ['parseHTTPResponse2', ['parse', 'http', 'response', '2']],
    ['retry_backoff', ['retry', 'backoff']],
    ['XMLParser', ['xml', 'parser']],
    ['$scope', ['scope']],
    ['lower', ['lower']],
    ['', []],
  ])('splits %s', (name, parts) => {
    expect(splitIdentifier(name)).toEqual(parts);
  });
});

describe('queryTerms', () => {
  it.each([
    ['how do we retry', 'the worker retries three times'],
    ['backoff', 'raised retryBackoffMs to 500'],
    ['worker.ts', 'edited src/queue/worker.ts'],
    ['queue worker', 'edited src/queue/worker.ts'],
    ['retryBackoffMs', 'const retryBackoffMs = 5'],
    ['HTTP', 'parseHTTPResponse'],
    ['数据库', '我们决定使用数据库保存队列'],
    ['キュー', '再試行キューの設定'],
    ['대기열', '재시도 대기열은'],
    ['größe', 'die GRÖSSE der Größe'],
    ['migracion', 'las migraciones: cada migración'],
    ['помилки сервера', 'помилка'],
    ['налаштування', 'у налаштуваннях'],
    ['ﬁle', 'open the file'],
    ['base64', 'a base64 string'],
  ])('for "%s" share a term with "%s"', (question, text) => {
    expect(meets(question, text)).toBe(true);
  });

  it('leave out stop words, unless the question has nothing else', () => {
    expect(queryTerms('why did we use the queue').terms).toEqual([stem('queue')]);
    expect(queryTerms('¿por qué usa la cola?').terms).toEqual(['usa', 'cola']);
    expect(queryTerms('warum ist die Datei nicht da').terms).not.toContain('nicht');
    expect(queryTerms('what is it')).toMatchObject({ isCommon: true });
    expect(queryTerms('what is it').terms.length).toBeGreaterThan(0);
    expect(queryTerms('  …  ')).toEqual({ terms: [], words: 0, isCommon: true });
  });

  it('are at most 64, however long the question', () => {
    const long = Array.from({ length: 5_000 }, (_, at) => `word${at}`).join(' ');
    expect(queryTerms(long).terms).toHaveLength(64);
  });
});

describe('termsOf', () => {
  it('returns terms without blanks, quotes or capital letters for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
        for (const term of all(text)) {
          expect(term).not.toBe('');
          expect(term).not.toMatch(/[\s"]/);
          expect(term.length).toBeLessThanOrEqual(64);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('splits ASCII text in the same way with and without non-ASCII text beside it', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'abZ9_$.-/\\: \n"\''), maxLength: 60 });
    fc.assert(
      fc.property(plain, (text) => {
        const { words, idents } = termsOf(`${text} ж`);
        expect(termsOf(text)).toEqual({ words: words.slice(0, -1), idents });
      }),
      { numRuns: 300 },
    );
  });

  it('is fast on very long words', () => {
    const started = process.cpuUsage();
    termsOf('a'.repeat(1_000_000));
    termsOf('a.'.repeat(500_000));
    termsOf('_$'.repeat(500_000));
    expect(cpuMsSince(started)).toBeLessThan(3_000);
  });

  it('lets any word of a text be found by that word', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 30 }), (text) => {
        const terms = new Set(all(text));
        for (const word of text.split(' ')) expect(all(word).every((term) => terms.has(term))).toBe(true);
      }),
    );
  });
});

it('finds the places of terms in a text, and the parts of identifiers among them', () => {
  expect(
    createTermFinder(['retri', 'backoff'])('Retries: a Retry in `retry_backoff` of src/Retry.ts'),
  ).toEqual({
    places: new Map([['retri', [0, 2, 7]]]),
    idents: ['retri', 'backoff', 'retri'],
    length: 14,
  });
});

describe('stop words', () => {
  it('are stop words when stemmed too', () => {
    const changed = [...stopWords].map(stem).filter((term) => !stopWords.has(term));
    expect([...stopStems].sort()).toEqual([...new Set(changed)].sort());
  });
});
