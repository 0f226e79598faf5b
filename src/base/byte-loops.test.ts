import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemble, programs } from '../../scripts/wasm.ts';
import { byteLoops, classCount, classes, pieceLength } from './byte-loops.ts';
import { crc32, plainCrc32 } from './hash.ts';

const loops = byteLoops();

describe('WebAssembly byte loops', () => {
  it.each(programs)('$target is up to date with $wat', async (program) => {
    expect(readFileSync(program.target, 'utf8')).toBe(await assemble(program));
  });

  it('compute the same CRC-32 as the JavaScript loop, also over several pieces', () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
    for (const length of [0, 1, 1_023, 1_024, 131_071, 131_072, 131_073, 300_000]) {
      const [sample] = fc.sample(bytes(Math.min(length, 999)), 1) as [Uint8Array];
      const long = new Uint8Array(length).map((_, at) => sample[at % Math.max(1, sample.length)] ?? 0);
      expect(crc32(long)).toBe((plainCrc32(long) ^ 0xffffffff) >>> 0);
    }
  });

  it('find every position whose next three letters are marked, also across pieces and at the end', () => {
    const bits = new Uint8Array(classCount ** 3 / 8);
    const three = [...'tok'].reduce(
      (sum, char) => sum * classCount + (classes[char.charCodeAt(0)] as number),
      0,
    );
    bits[three >> 3] = 1 << (three & 7);
    for (const at of [
      0,
      5,
      pieceLength - 3,
      pieceLength - 2,
      pieceLength - 1,
      pieceLength,
      pieceLength + 7,
    ]) {
      const text = `${'.'.repeat(at)}ToK`;
      const found = [0, pieceLength].flatMap((from) =>
        from >= text.length ? [] : [...(loops?.places(text, from, bits) ?? [])].map((place) => from + place),
      );
      expect(found).toEqual([at]);
      expect([...(loops?.places('...to', 0, bits) ?? [])]).toEqual([]);
    }
  });
});
