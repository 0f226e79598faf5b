import { expect, it } from 'vitest';
import type { Chunk } from '../../src/domain/chunk.ts';
import { all, ask, hitIds, type IndexOf, ids } from './chunk-access.ts';
import { aChunk } from './samples.ts';

export function describeReading(indexOf: IndexOf): void {
  it('finds the chunks with any of the terms, and no others', async () => {
    const [queue, retry, both, neither] = [
      aChunk({ text: 'the queue is full' }),
      aChunk({ text: 'retry it later' }),
      aChunk({ text: 'retry the queue' }),
      aChunk({ text: 'nothing of the kind' }),
    ];
    const index = await indexOf(queue, retry, both, neither);
    expect(new Set(await ask(index, 'queue retries'))).toEqual(new Set(ids([queue, retry, both])));
    expect(await ask(index, 'absent')).toEqual([]);
  });

  it('ranks the chunk with more of the terms first', async () => {
    const others = Array.from({ length: 9 }, (_, n) => aChunk({ text: `filler number ${n}` }));
    const one = aChunk({ text: 'the queue waits here', at: 2_000 });
    const both = aChunk({ text: 'the queue retries here', at: 1_000 });
    const index = await indexOf(one, both, ...others);
    expect(await ask(index, 'queue retries')).toEqual(ids([both, one]));
  });

  it('orders equal scores by time, newest first, and then by id', async () => {
    const text = 'equal words';
    const chunks = [
      aChunk({ id: 'b'.repeat(32), at: 2_000, text }),
      aChunk({ id: 'a'.repeat(32), at: 2_000, text }),
      aChunk({ id: 'c'.repeat(32), at: 3_000, text }),
      aChunk({ id: '0'.repeat(32), at: 1_000, text }),
      aChunk({ id: 'B'.repeat(32), at: 2_000, text }),
    ];
    const index = await indexOf(...chunks);
    const order = ['c', 'B', 'a', 'b', '0'].map((letter) => letter.repeat(32));
    expect(await ask(index, 'equal')).toEqual(order);
    expect(ids(await index.list({}, all))).toEqual(order);
  });

  it('returns the first hits up to the limit', async () => {
    const chunks = [3, 2, 1].map((at) => aChunk({ at, text: 'equal words' }));
    const index = await indexOf(...chunks);
    for (const limit of [0, 1, 2, 3, 4]) {
      expect(hitIds(await index.search(['equal'], {}, limit))).toEqual(ids(chunks.slice(0, limit)));
      expect(ids(await index.list({}, limit))).toEqual(ids(chunks.slice(0, limit)));
    }
  });

  it('finds nothing without terms or in an empty index', async () => {
    const index = await indexOf(aChunk());
    expect(await index.search([], {}, all)).toEqual([]);
    expect(await index.search([''], {}, all)).toEqual([]);
    const empty = await indexOf();
    expect(await empty.search(['plain'], {}, all)).toEqual([]);
    expect(await empty.list({}, all)).toEqual([]);
    expect(await empty.get(['0123456789'])).toEqual([]);
    expect(await empty.get([])).toEqual([]);
  });

  it('gets chunks by their id or source id, of which eight characters are enough', async () => {
    const source = '5f'.repeat(16);
    const [first, second] = ['first', 'second'].map((text) => aChunk({ sourceId: source, text })) as [
      Chunk,
      Chunk,
    ];
    const other = aChunk();
    const index = await indexOf(first, second, other);
    for (const length of [8, 9, 31, 32]) {
      expect(ids(await index.get([first.id.slice(0, length)]))).toEqual([first.id]);
      expect(ids(await index.get([source.slice(0, length)]))).toEqual([first.id, second.id]);
    }
    expect(ids(await index.get([other.id, source, second.id]))).toEqual(ids([other, first, second, second]));
  });

  it('gets nothing by a shorter prefix, a longer text or a pattern', async () => {
    const chunk = aChunk();
    const index = await indexOf(chunk);
    const wrong = [
      chunk.id.slice(0, 7),
      `${chunk.id}0`,
      '%%%%%%%%',
      '________',
      `${chunk.id.slice(0, 7)}%`,
      '',
      '\0'.repeat(8),
    ];
    for (const id of wrong) expect(await index.get([id])).toEqual([]);
  });

  it('lists the oldest first on request, in exactly the reverse order', async () => {
    const chunks = [1_000, 2_000, 2_000, 3_000].map((at) => aChunk({ at }));
    const index = await indexOf(...chunks);
    expect(ids(await index.list({}, all, 'oldest'))).toEqual(ids(await index.list({}, all)).reverse());
    expect(ids(await index.list({ since: 2_000 }, 1, 'oldest'))).toEqual(
      ids(await index.list({ until: 2_999 }, 2)).slice(1),
    );
  });

  it('returns the sources before and after a position in a session', async () => {
    const chunkAt = (at: number, fields: Partial<Chunk> = {}) =>
      aChunk({ agentSession: 'one', at, ...fields });
    const line = [1, 2, 3, 4, 5, 6].map((at) => chunkAt(at, { kind: at % 2 === 0 ? 'answer' : 'prompt' }));
    const slices = line.map((chunk) =>
      aChunk({ ...chunk, id: `${chunk.id.slice(0, 31)}f`, text: 'more of it' }),
    );
    const elsewhere = [
      chunkAt(3, { agentSession: 'two' }),
      chunkAt(4, { kind: 'command' }),
      chunkAt(2, { kind: 'decision' }),
    ];
    const index = await indexOf(...line, ...slices, ...elsewhere);
    const place = (chunk: Chunk) => ({ agentSession: 'one', at: chunk.at, sourceId: chunk.sourceId });
    const around = async (at: number, reach: number) =>
      (await index.adjacentMessages(place(line[at] as Chunk), reach)).map((one) => one.at);
    expect(await around(2, 2)).toEqual([1, 2, 4, 5]);
    expect(await around(0, 2)).toEqual([2, 3]);
    expect(await around(5, 9)).toEqual([1, 2, 3, 4, 5]);
    expect(await around(2, 0)).toEqual([]);
    expect(await index.adjacentMessages({ agentSession: 'none', at: 3, sourceId: '' }, 2)).toEqual([]);
    expect(await index.adjacentMessages(place(line[2] as Chunk), 1)).toEqual(
      [line[1], line[3]].map((one) => place(one as Chunk)),
    );
  });

  it('orders sources of the same moment by id', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((letter) => aChunk({ sourceId: letter.repeat(32), at: 5 })) as [
      Chunk,
      Chunk,
      Chunk,
    ];
    const index = await indexOf(c, a, b);
    const around = await index.adjacentMessages(
      { agentSession: b.agentSession, at: 5, sourceId: b.sourceId },
      2,
    );
    expect(around.map(({ sourceId }) => sourceId)).toEqual([a.sourceId, c.sourceId]);
  });

  it('ranks what people said above what agents and tools did, if the words are equal', async () => {
    const [tool, agent, person] = (['tool', 'assistant', 'user'] as const).map((origin, at) =>
      aChunk({ origin, text: 'equal words', at: 10 - at }),
    ) as [Chunk, Chunk, Chunk];
    const index = await indexOf(
      tool,
      agent,
      person,
      aChunk({ text: 'other' }),
      aChunk({ text: 'another' }),
      aChunk({ text: 'third' }),
      aChunk({ text: 'fourth' }),
    );
    expect(await ask(index, 'equal')).toEqual(ids([person, agent, tool]));
  });
}
