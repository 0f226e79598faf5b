import { expect, it } from 'vitest';
import type { Chunk } from '../../src/domain/chunk.ts';
import { all, ask, type IndexOf, ids } from './chunk-access.ts';
import { aChunk } from './samples.ts';

export function describeChanges(indexOf: IndexOf): void {
  it('does not change when a chunk is put again', async () => {
    const chunk = aChunk({ text: 'alpha beta', paths: ['a.ts'] });
    const index = await indexOf(chunk, chunk);
    const before = [
      await index.list({}, all),
      await index.search(['alpha'], {}, all),
      await index.statistics(['alpha']),
    ];
    await index.apply({ put: [{ ...chunk, text: 'other', paths: ['b.ts'] }, chunk], dropSources: [] });
    const after = [
      await index.list({}, all),
      await index.search(['alpha'], {}, all),
      await index.statistics(['alpha']),
    ];
    expect(after).toStrictEqual(before);
    expect(await index.search(['other'], {}, all)).toEqual([]);
    expect(await index.list({ file: 'b.ts' }, all)).toEqual([]);
  });

  it('replaces the chunks of a source: it drops first, then puts', async () => {
    const old = aChunk({ text: 'alpha shared', paths: ['old.ts'] });
    const bystander = aChunk({ text: 'alpha bystander' });
    const fresh = aChunk({ sourceId: old.sourceId, text: 'gamma shared', paths: ['new.ts'] });
    const index = await indexOf(bystander, old);
    await index.apply({ put: [fresh], dropSources: [old.sourceId] });
    expect(await ask(index, 'alpha')).toEqual([bystander.id]);
    expect(await ask(index, 'gamma')).toEqual([fresh.id]);
    expect(ids(await index.get([old.sourceId]))).toEqual([fresh.id]);
    expect(await index.list({ file: 'old.ts' }, all)).toEqual([]);
    expect(await index.get([old.id])).toEqual([]);
  });

  it('keeps a chunk that is dropped and put in the same change', async () => {
    const chunk = aChunk({ text: 'alpha' });
    const index = await indexOf(chunk);
    await index.apply({ put: [{ ...chunk, pinned: true }], dropSources: [chunk.sourceId] });
    expect(await index.list({ pinned: true }, all)).toHaveLength(1);
    expect((await index.statistics(['alpha'])).frequency).toEqual(new Map([['alpha', 1]]));
  });

  it('drops a source only by its whole id', async () => {
    const chunk = aChunk();
    const index = await indexOf(chunk);
    await index.apply({ put: [], dropSources: [chunk.sourceId.slice(0, 12), chunk.id, '%', ''] });
    expect(ids(await index.list({}, all))).toEqual([chunk.id]);
  });

  it.each([
    ['the database', { kind: null as never }],
    ['the splitting of its text', { text: null as never }],
  ])('applies a change completely or, if a chunk fails in %s, not at all', async (_, wrong) => {
    const chunk = aChunk({ text: 'alpha' });
    const index = await indexOf(chunk);
    const change = { put: [aChunk({ text: 'alpha' }), aChunk(wrong)], dropSources: [chunk.sourceId] };
    await expect(index.apply(change)).rejects.toThrow();
    expect(ids(await index.list({}, all))).toEqual([chunk.id]);
    expect((await index.statistics(['alpha'])).frequency).toEqual(new Map([['alpha', 1]]));
  });

  it('accepts more chunks in one change than fit into one statement', async () => {
    const sourceId = 'ab'.repeat(16);
    const chunks = Array.from({ length: 1_203 }, (_, n) =>
      aChunk({ sourceId, text: `alpha ${n}`, at: 10_000 - n }),
    );
    const index = await indexOf(...chunks);
    expect(ids(await index.list({}, 2_000))).toEqual(ids(chunks));
    expect(ids(await index.get([sourceId]))).toEqual(ids(chunks));
    await index.apply({ put: [], dropSources: [sourceId] });
    expect(await index.list({}, all)).toEqual([]);
  });

  it('accepts concurrent changes', async () => {
    const chunks = Array.from({ length: 1_000 }, () => aChunk({ text: 'alpha' }));
    const reversed = [...chunks].reverse();
    const index = await indexOf();
    const changes = [chunks, reversed, chunks, reversed, chunks.slice(100), reversed.slice(100)];
    const sourcesOf = (put: Chunk[]) => put.slice(0, 50).map(({ sourceId }) => sourceId);
    await Promise.all(changes.map((put) => index.apply({ put, dropSources: sourcesOf(put) })));
    expect(new Set(ids(await index.list({}, all)))).toEqual(new Set(ids(chunks)));
    expect((await index.statistics(['alpha'])).frequency).toEqual(new Map([['alpha', 1_000]]));
  });
}
