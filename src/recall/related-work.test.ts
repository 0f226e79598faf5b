import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import { edgesOf, pageRank } from './page-rank.ts';
import { relatedWork } from './related-work.ts';

const at = Date.parse('2026-11-15T12:00:00Z');
const work = (turn: string, paths: string[], later = 0): Chunk =>
  aChunk({ turn, paths, at: at + later * 60_000, text: `work of ${turn}` });

const found = (chunks: Chunk[]) =>
  relatedWork([{ chunk: chunks[0] as Chunk, score: 1, why: {}, coverage: 1 }], async ({ since, until }) =>
    chunks.filter((chunk) => chunk.at >= since && chunk.at <= until),
  );

describe('related work', () => {
  it('is work on the same files at about the same time', async () => {
    const seed = work('broke', ['test/login.test.ts']);
    const cure = work('cured', ['test/login.test.ts', 'src/session.ts'], 30);
    const later = work('later', ['test/login.test.ts'], 60 * 24);
    const elsewhere = work('elsewhere', ['src/pool.ts'], 5);
    const { turns, chunks } = await found([seed, cure, later, elsewhere]);
    expect([...turns.keys()]).toEqual(['cured']);
    expect(chunks).toEqual([seed, cure]);
  });

  it('is related less by a file that every turn touches', async () => {
    const seed = work('seed', ['package.json', 'src/a.ts']);
    const many = Array.from({ length: 9 }, (_, number) => work(`other-${number}`, ['package.json'], number));
    const { turns } = await found([seed, work('near', ['src/a.ts'], 1), ...many]);
    expect(turns.get('near')).toBeGreaterThan(2 * (turns.get('other-1') ?? 0));
  });
});

describe('pageRank', () => {
  it('returns probabilities that add up to one, and is deterministic', () => {
    const edge = fc.tuple(fc.nat(11), fc.nat(11), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 40 }), fc.nat(11), (pairs, seed) => {
        const seeds = new Float32Array(12);
        seeds[seed] = 3;
        const once = pageRank(edgesOf(12, pairs), seeds);
        expect(once.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 4);
        expect(pageRank(edgesOf(12, pairs), seeds)).toEqual(once);
      }),
    );
  });
});
