import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Chunk, ScoredChunk } from '../../src/domain/chunk.ts';
import { queryTerms, termsOf } from '../../src/text/words.ts';
import { all, ask, hitIds, type IndexOf, ids, newestFirst, withIndexedChunks } from './chunk-access.ts';
import { aChunk, anyText, someChunks, syntaxPieces } from './samples.ts';

export function describeTerms(indexOf: IndexOf): void {
  it.each([
    ['other forms of a word', 'The retries were cached', 'retry caching'],
    ['parts of a name in camel case', 'see parseHTTPResponse2', 'http response'],
    ['parts of a name in snake case', 'call retry_backoff now', 'backoff'],
    ['the whole name too', 'call retry_backoff now', 'retry_backoff'],
    ['parts of a path', 'in src/queue/worker.ts', 'queue'],
    ['names with a dollar sign', 'read $scope here', '$scope'],
    ['two letters of Japanese', '全文検索エンジン', '検索'],
    ['Korean', '데이터베이스', '이터'],
    ['letters in other case', 'STRASSE ÜBER ΟΔΟΣ', 'οδος'],
    ['a dotted capital I', 'In İstanbul', 'İSTANBUL'],
    ['compatibility forms', 'ｆｕｌｌ ﬁt', 'full fit'],
    ['letters outside the first plane', 'in 𞤀𞤣𞤤𞤢𞤥 script', '𞤀𞤣𞤤𞤢𞤥'],
    ['words typed without their accents', 'la migración', 'migracion'],
    ['numbers', 'error 40001', '40001'],
    ['words beside U+0000 and half characters', 'one\0two\ud800three', 'two'],
    ['names every object has', '__proto__ constructor', 'constructor'],
  ])('finds %s', async (_, text, question) => {
    const chunk = aChunk({ text });
    const index = await indexOf(chunk, aChunk({ text: 'something else' }));
    expect(await ask(index, question)).toEqual([chunk.id]);
  });

  it.each([
    ['a part of a word', 'reconnecting', 'connect'],
    ['words it has only joined', 'one\0two', 'onetwo'],
    ['pairs it does not have', '検索', '索引'],
    ['another sigma', 'οδός', 'οδόσ'],
  ])('does not find %s', async (_, text, question) => {
    const index = await indexOf(aChunk({ text }));
    expect(await ask(index, question)).toEqual([]);
  });

  it('finds a note by its topic, and keeps the topic apart from the text', async () => {
    const chunk = aChunk({ source: 'note', topic: 'package manager', text: 'use pnpm' });
    const index = await indexOf(chunk, aChunk({ text: 'something else' }));
    expect(await ask(index, 'package')).toEqual([chunk.id]);
    expect(await index.get([chunk.id])).toMatchObject([{ topic: 'package manager', text: 'use pnpm' }]);
    await index.apply({ put: [], dropSources: [chunk.sourceId] });
    expect((await index.statistics(['package'])).frequency).toEqual(new Map([['package', 0]]));
  });

  it('accepts a text of many words, and a word that occurs often', async () => {
    const chunk = aChunk({ text: `first ${'often '.repeat(20_000)}last` });
    const index = await indexOf(chunk);
    for (const term of ['first', 'often', 'last']) expect(await ask(index, term)).toEqual([chunk.id]);
    await index.apply({ put: [], dropSources: [chunk.sourceId] });
    expect((await index.statistics(['often'])).frequency).toEqual(new Map([['often', 0]]));
  });

  it('[query-words] treats query syntax as ordinary text', async () => {
    const alpha = aChunk({ text: 'alpha' });
    const index = await indexOf(alpha, aChunk({ text: 'beta' }));
    for (const question of [
      'alpha & !alpha',
      'alpha:*B',
      'NOT alpha',
      `"alpha`,
      `'alpha' | 'gamma`,
      'words:alpha AND NEAR(',
      '-alpha',
    ]) {
      expect(await ask(index, question)).toEqual([alpha.id]);
    }
  });

  it('finds nothing for a term that no text contains, whatever characters it has', async () => {
    const index = await indexOf(aChunk({ text: 'alpha beta a b x NULL or 1' }));
    const impossible = [
      ...syntaxPieces,
      ...syntaxPieces.map((piece) => `alpha${piece} beta`),
      'x'.repeat(5_000),
    ];
    for (const term of impossible.filter((piece) => !/^\w+$/.test(piece))) {
      expect(await index.search([term], {}, all)).toEqual([]);
    }
    expect(await index.search([...impossible, 'alpha'], {}, all)).toHaveLength(1);
    expect(await index.list({}, all)).toHaveLength(1);
  });

  it('accepts any text and any question', async () => {
    const index = await indexOf();
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (text, question) => {
        const chunk = aChunk({
          text,
          branch: text,
          paths: [text],
          concepts: [text],
          agentSession: text,
          turn: text,
        });
        const { terms } = queryTerms(question);
        await withIndexedChunks(index, [chunk], async () => {
          await index.search(terms, { file: question, folder: question, concept: question }, all);
          await index.search([question], { branch: question, agentSession: question }, all);
          await index.list({ file: question }, all);
          await index.get([question]);
          await index.statistics([question]);
          await index.apply({ put: [], dropSources: [question] });
          expect(ids(await index.list({ branch: text }, all))).toEqual([chunk.id]);
        });
        expect(await index.list({}, all)).toEqual([]);
      }),
    );
  });

  it('finds a chunk by every term of its own text', async () => {
    const index = await indexOf();
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const chunk = aChunk({ text });
        await withIndexedChunks(index, [chunk], async () => {
          for (const term of queryTerms(text).terms) {
            expect(hitIds(await index.search([term], {}, all))).toEqual([chunk.id]);
          }
        });
      }),
    );
  });

  it('finds exactly the chunks that share a term with the question, in order', async () => {
    const index = await indexOf();
    await fc.assert(
      fc.asyncProperty(someChunks, anyText, async (chunks, question) => {
        const { terms } = queryTerms(question);
        const expected = ids(chunks.filter((chunk) => sharesTerm(chunk, terms)));
        await withIndexedChunks(index, chunks, async () => {
          const hits = await index.search(terms, {}, all);
          expect(new Set(hitIds(hits))).toEqual(new Set(expected));
          expect(hitIds([...hits].sort(bestFirst))).toEqual(hitIds(hits));
        });
      }),
    );
  });
}

function sharesTerm(chunk: Chunk, asked: string[]): boolean {
  const { words, idents } = termsOf(chunk.text);
  return asked.some((term) => words.includes(term) || idents.includes(term));
}

const bestFirst = (a: ScoredChunk, b: ScoredChunk): number =>
  b.score - a.score || newestFirst(a.chunk, b.chunk);
