import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/models/embed.ts';

export const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, number, at) => sum + number * (b[at] as number), 0);

const texts = [
  'Why did we drop the redis cache?',
  'The redis cache was dropped because it kept stale rows.',
  'Bread is baked in an oven.',
  'parseHttpResponse() retries three times',
  '\u0000 odd \ud800 text\r\n',
  'long '.repeat(5_000),
];

/** The contract of an embedder. */
export function describeEmbedder(name: string, connect: () => Promise<Embedder>): void {
  describe(`${name} as an embedder`, () => {
    it('returns one vector of length 1 for each text', async () => {
      const embedder = await connect();
      const vectors = await embedder.embed(texts);
      expect(vectors).toHaveLength(texts.length);
      for (const vector of vectors) {
        expect(vector).toBeInstanceOf(Float32Array);
        expect(vector).toHaveLength(embedder.dims);
        expect(cosine(vector, vector)).toBeCloseTo(1, 4);
      }
    });

    it('gives texts on the same topic more similar vectors than texts on different topics', async () => {
      const [question, answer, other] = (await (await connect()).embed(texts)) as [
        Float32Array,
        Float32Array,
        Float32Array,
      ];
      expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.1);
    });

    it('gives a text the same vector in any batch', async () => {
      const embedder = await connect();
      const many = Array.from({ length: 150 }, (_, at) => `sentence number ${at} about ${texts[at % 4]}`);
      const together = await embedder.embed(many);
      for (const at of [0, 63, 64, 149]) {
        const [alone] = await embedder.embed([many[at] as string]);
        expect(cosine(alone as Float32Array, together[at] as Float32Array)).toBeGreaterThan(0.999);
      }
    });

    it('returns nothing for no texts, and accepts an empty text', async () => {
      const embedder = await connect();
      expect(await embedder.embed([])).toEqual([]);
      expect(await embedder.embed([''])).toHaveLength(1);
    });

    it('has a stable id that differs from other embedders’', async () => {
      const { id, dims } = await connect();
      expect((await connect()).id).toBe(id);
      expect(id).toMatch(/^[\w.:/-]{8,}$/);
      expect(dims).toBeGreaterThan(0);
    });
  });
}
