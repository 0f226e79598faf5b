import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { LogIndex } from '../store/store.ts';
import { createTermFinder } from '../text/words.ts';
import { cheapTerms, gather, saysNothingNew } from './gather.ts';
import { parseQuestion } from './question.ts';
import { nothingUnindexed } from './unindexed-events.ts';

const corpus = (frequency: Record<string, number>) => ({
  chunks: 1_000_000,
  averageTerms: 100,
  frequency: new Map(Object.entries(frequency)),
});

describe('cheapTerms', () => {
  it('returns every term, the rarest first, if all are cheap to look up', () => {
    expect(cheapTerms(['queue', 'redis'], corpus({ queue: 900, redis: 3 }))).toEqual(['redis', 'queue']);
  });

  it('leaves out terms that occur nearly everywhere, except the rarest', () => {
    const common = corpus({ test: 400_000, other: 300_000, file: 19_000, redis: 3 });
    expect(cheapTerms(['test', 'redis', 'file'], common)).toEqual(['redis', 'file']);
    expect(cheapTerms(['test', 'other'], common)).toEqual(['other']);
  });

  it('returns nothing for no terms, and counts an unknown term as free', () => {
    expect(cheapTerms([], corpus({}))).toEqual([]);
    expect(cheapTerms(['absent'], corpus({}))).toEqual(['absent']);
    const full = corpus({ one: 1, most: 19_999, more: 20_000 });
    expect(cheapTerms(['most', 'one', 'absent'], full)).toEqual(['absent', 'one', 'most']);
    expect(cheapTerms(['more', 'absent'], full)).toEqual(['absent', 'more']);
    expect(cheapTerms(['more', 'one'], full)).toEqual(['one']);
  });
});

describe('saysNothingNew', () => {
  const asked = parseQuestion('what broke the commit hook');
  const isEcho = (text: string, kind: 'prompt' | 'note' = 'prompt') =>
    saysNothingNew({ kind: kind === 'note' ? 'decision' : kind, text }, asked);

  it('is true of a short message that only repeats a part of the question', () => {
    expect(isEcho('commit this')).toBe(true);
    expect(isEcho(`commit${' '.repeat(54)}`)).toBe(true);
    expect(isEcho(`commit${' '.repeat(55)}`)).toBe(false);
    const ofFour = parseQuestion('zebra kiwi mango tapir');
    const repeats = (text: string) => saysNothingNew({ kind: 'answer', text }, ofFour);
    expect([repeats('zebra kiwi'), repeats('zebra kiwi mango')]).toEqual([true, false]);
  });

  it('is false of a message with another word, of the whole question, of assent, and of a note', () => {
    expect(isEcho('commit the lockfile')).toBe(false);
    expect(isEcho('what broke the commit hook')).toBe(false);
    expect(isEcho('do it')).toBe(false);
    expect(isEcho('commit', 'note')).toBe(false);
  });
});

describe('gather', () => {
  /** An index of chunks that counts how many of the terms a chunk has, and prefers the first of equal ones. */
  const indexOf = (chunks: Chunk[], neighbours: Chunk[] = []): LogIndex =>
    ({
      search: async (terms: string[], _: object, limit: number) =>
        chunks
          .map((chunk) => ({ chunk, score: terms.filter((term) => chunk.text.includes(term)).length }))
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score)
          .slice(0, limit),
      adjacentMessages: async () => neighbours,
      get: async () => neighbours,
    }) as unknown as LogIndex;
  const gathered = (
    asked: string[],
    index: LogIndex,
    tail = nothingUnindexed(),
    meaning?: Parameters<typeof gather>[0]['meaning'],
  ) => {
    const [text = '', ...wordings] = asked;
    const question = parseQuestion(text, wordings);
    return gather({
      question,
      filter: {},
      meaning,
      index,
      tail,
      corpus: { chunks: 1_000, averageTerms: 5, frequency: new Map() },
      find: createTermFinder(new Set(question.terms)),
    });
  };
  const inSession = (fields: Partial<Chunk>) => aChunk({ agentSession: 'one', ...fields });

  it('keeps what the question as asked finds, however much its other wordings find', async () => {
    const wanted = aChunk({ text: 'the zebra table' });
    const others = Array.from({ length: 200 }, () => aChunk({ text: 'colour palette of stripes' }));
    const { found } = await gathered(['zebra', 'colour palette stripes'], indexOf([...others, wanted]));
    expect(found.lexical).toContain(wanted.id);
    expect(found.lexical.length).toBeGreaterThan(50);
    expect(new Set(found.lexical).size).toBe(found.lexical.length);
  });

  it('also finds what only another wording has', async () => {
    const other = aChunk({ text: 'colour palette' });
    expect((await gathered(['zebra', 'palette'], indexOf([other]))).found.lexical).toEqual([other.id]);
  });

  it('searches twice for several wordings: for all of them, and for the question as asked', async () => {
    const searched: string[] = [];
    const index = {
      search: async (terms: string[]) => {
        searched.push(terms.join(' '));
        return [];
      },
    };
    await gathered(['zebra', 'palette', 'stripes'], index as unknown as LogIndex);
    expect(searched).toEqual(['zebra palett stripe', 'zebra']);
  });

  it('finds more texts with a name than texts for a question', async () => {
    const named = Array.from({ length: 300 }, () => aChunk({ text: 'the zebra table of it' }));
    const count = async (asked: string) => (await gathered([asked], indexOf(named))).found.lexical.length;
    expect(await count('zebra')).toBe(300);
    expect(await count('which zebra')).toBe(150);
  });

  it('orders by how well the words match, then the latest first', async () => {
    const [both, late, early] = [
      aChunk({ text: 'zebra stripes here', at: 1 }),
      aChunk({ text: 'zebra is alone', at: 3 }),
      aChunk({ text: 'zebra is alone', at: 2 }),
    ];
    const { found, pool } = await gathered(['which zebra stripes'], indexOf([early, both, late]));
    expect(found.lexical).toEqual([both.id, late.id, early.id]);
    expect(pool.slices.map(({ chunk }) => chunk.id)).toEqual(found.lexical);
  });

  it('prefers the newest version of a text to the one in the index, and leaves out forgotten ones', async () => {
    const [old, forgotten] = [aChunk({ text: 'zebra old' }), aChunk({ text: 'zebra forgotten' })];
    const fresh = aChunk({ sourceId: old.sourceId, text: 'zebra new' });
    const tail = nothingUnindexed();
    tail.replay.put.set(fresh.sourceId, [fresh]);
    tail.replay.drop.add(forgotten.sourceId);
    const { found } = await gathered(['which zebra'], indexOf([old, forgotten]), tail);
    expect(found).toEqual({ lexical: [], tail: [fresh.id], dense: [] });
  });

  it('leaves out what the index found without a word of the question', async () => {
    const only = aChunk({ text: 'zebras and getTheZebra' });
    const index = {
      search: async () => [{ chunk: only }, { chunk: aChunk({ text: 'nothing' }) }],
    } as unknown as LogIndex;
    expect(
      (
        await gathered(['which zebra'], {
          ...index,
          adjacentMessages: async () => [],
          get: async () => [],
        } as never)
      ).found.lexical,
    ).toEqual([only.id]);
  });

  it('finds what is near in meaning, the nearest first, but no forgotten version', async () => {
    const near = ['first', 'second', 'forgotten', 'old'].map((text) => aChunk({ text }));
    const [first, second, forgotten, old] = near as [Chunk, Chunk, Chunk, Chunk];
    const matched = aChunk({ text: 'zebra' });
    const scores = [0.5, 0.9, 0.8, 0.7, 0.6];
    const index = {
      ...indexOf([matched]),
      nearest: async () => [...near, matched].map((chunk, at) => ({ chunk, scores: [scores[at]] })),
    } as unknown as LogIndex;
    const tail = nothingUnindexed();
    const fresh = aChunk({ sourceId: old.sourceId, text: 'zebra fresh' });
    tail.replay.put.set(old.sourceId, [fresh]);
    tail.replay.drop.add(forgotten.sourceId);
    const embedder = { embed: async (texts: string[]) => texts.map(() => new Float32Array([0.4])) };
    const meaning = { embedder, vectors: [new Float32Array([1])] } as unknown as NonNullable<
      Parameters<typeof gather>[0]['meaning']
    >;
    const { pool, found } = await gathered(['which zebra'], index, tail, meaning);
    expect(pool.slices.map(({ chunk }) => chunk.text)).toEqual(['zebra', 'zebra fresh', 'first', 'second']);
    expect(found.dense.slice(0, 2)).toEqual([second.id, forgotten.id]);
    expect(found.dense.at(-1)).toBe(fresh.id);
    expect(found.dense).toContain(first.id);
  });

  it('adds the messages around a match to a question, and none to a name or to nothing', async () => {
    const asked = inSession({ kind: 'prompt', origin: 'user', text: 'the zebra table breaks', at: 1 });
    const answer = inSession({ kind: 'answer', origin: 'assistant', text: 'Its lock was missing.', at: 2 });
    const index = indexOf([asked], [answer]);
    const { pool } = await gathered(['which zebra'], index);
    expect(pool.slices.map(({ chunk }) => chunk.id)).toEqual([asked.id, answer.id]);
    expect(pool.neighbours).toEqual([{ before: asked.sourceId, after: answer.sourceId }]);
    expect((await gathered(['zebra'], index)).pool).toMatchObject({ slices: [{}], neighbours: [] });
    expect((await gathered(['which giraffe'], index)).pool).toMatchObject({ slices: [], neighbours: [] });
  });

  it('leaves out announcements and repetitions of the question, unless a name is looked up', async () => {
    const chunks = [
      aChunk({ kind: 'answer', text: 'Let me look at the zebra.' }),
      aChunk({ kind: 'prompt', text: 'zebra colours' }),
      aChunk({ kind: 'answer', text: 'The zebra colours are in a table.' }),
    ];
    const asked = ['which zebra colours do we use in slow browser tests'];
    expect((await gathered(asked, indexOf(chunks))).found.lexical).toEqual([chunks[2]?.id]);
    expect((await gathered(['zebra'], indexOf(chunks))).found.lexical).toHaveLength(3);
  });
});
