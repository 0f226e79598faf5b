import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadStaticModel } from './static-embed.ts';

const path = 'assets/static-en.bin';
const model = loadStaticModel(path);
const folder = mkdtempSync(join(tmpdir(), 'backstory-model-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cosine = async (a: string, b: string): Promise<number> => {
  const [one, other] = (await model.embed([a, b])) as [Float32Array, Float32Array];
  return one.reduce((sum, number, at) => sum + number * (other[at] as number), 0);
};

describe('the built-in model', () => {
  it('[model-id] has an id that contains the hash of its content', () => {
    const file = readFileSync(path);
    const bodyAt = 8 + file.readUInt32LE(4);
    const hash = createHash('sha256').update(file.subarray(bodyAt)).digest('hex');
    expect(model.id).toMatch(new RegExp(`^static-en-${hash.slice(0, 12)}-`));
  });

  it('[model-id] has an id that contains the hash of the words of other languages', () => {
    const file = readFileSync('assets/translations.bin');
    const bodyAt = 8 + file.readUInt32LE(4);
    const hash = createHash('sha256').update(file.subarray(bodyAt)).digest('hex');
    expect(model.id).toMatch(new RegExp(`-${hash.slice(0, 12)}$`));
  });

  it('scores related texts without a common word higher than unrelated ones', async () => {
    for (const [question, near, far] of [
      ['why was the database so slow', 'postgres queries took long without an index', 'the button is blue'],
      ['failing unit tests', 'pytest reported errors in the suite', 'we met friends for dinner'],
      ['where did she go on holiday', 'her trip to the beach in summer', 'the function returns null'],
      ['authentication', 'login with a password', 'sorting numbers'],
    ] as const)
      expect(await cosine(question, near)).toBeGreaterThan((await cosine(question, far)) + 0.1);
  });

  it('returns one vector of length 1 for each text, the same in any batch', async () => {
    const texts = Array.from({ length: 150 }, (_, at) => `sentence number ${at}, parseHttpResponse() \ud800`);
    const together = await model.embed([...texts, 'long '.repeat(5_000)]);
    expect(together).toHaveLength(151);
    for (const vector of together) {
      expect(vector).toHaveLength(model.dims);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    }
    for (const at of [0, 63, 149]) expect(await model.embed([texts[at] as string])).toEqual([together[at]]);
    expect(await model.embed([])).toEqual([]);
    expect(await model.embed([''])).toHaveLength(1);
  });

  it('splits identifiers into their words', async () => {
    expect(await cosine('getUserById', 'get user by id')).toBeCloseTo(1, 5);
    expect(await cosine('retry_backoff', 'RetryBackoff')).toBeCloseTo(1, 5);
  });

  it.each([
    ['почему мы отказались от кэша в памяти'],
    ['чому ми відмовилися від кешу в пам’яті'],
    ['为什么我们放弃了内存缓存'],
    ['なぜメモリキャッシュをやめたのですか'],
    ['¿Por qué abandonamos la caché en memoria?'],
    ['Por que abandonamos o cache na memória?'],
    ['Pourquoi avons-nous abandonné le cache en mémoire ?'],
    ['Warum haben wir den Zwischenspeicher abgeschafft?'],
    ['Warum loeschten wir den Zwischenspeicher?'],
  ])('scores a question higher for an English text about it than for another: %s', async (question) => {
    const near = await cosine(question, 'we dropped the in-memory cache');
    const far = await cosine(question, 'the button on the login page is blue now');
    expect(near).toBeGreaterThan(far + 0.1);
  });

  it('[model-no-vote] returns a zero vector for text it cannot read', async () => {
    const foreign = [
      'لماذا تخلينا عن ذاكرة التخزين المؤقت',
      'Dlaczego zrezygnowaliśmy z pamięci podręcznej?',
      '왜 우리는 캐시를 포기했나요',
      'Miksi luovuimme välimuistista?',
      '',
      '12345 :: --- 0x00',
      'e3b0c44298fc1c149afbf4c8996fb924',
    ];
    const vectors = await model.embed(foreign);
    expect(foreign.filter((_, at) => vectors[at]?.some((number) => number !== 0))).toEqual([]);
  });

  it('throws with a hint if its file is missing, truncated or not a model', () => {
    const broken = join(folder, 'broken.bin');
    expect(() => loadStaticModel(join(folder, 'none.bin'))).toThrow('is missing');
    writeFileSync(broken, readFileSync(path).subarray(0, 5_000_000));
    expect(() => loadStaticModel(broken)).toThrow('is damaged');
    writeFileSync(broken, 'BST');
    expect(() => loadStaticModel(broken)).toThrow('is damaged');
    writeFileSync(broken, 'BSTE\xff\xff\xff\xff{');
    expect(() => loadStaticModel(broken)).toThrow('is damaged');
  });
});
