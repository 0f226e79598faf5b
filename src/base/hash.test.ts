import { createHash } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.ts';
import { crc32, hashId, lineHash, sha256Short, textFingerprint } from './hash.ts';

const anyText = fc.string({ unit: anyCharacter, maxLength: 400 });

describe('sha256Short', () => {
  it('[hash-standard] equals the SHA-256 of node:crypto on any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sha256Short(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
      }),
      { numRuns: 500 },
    );
  });

  it('pads correctly at every length around the end of a block', () => {
    for (let length = 0; length <= 200; length++) {
      const text = 'a'.repeat(length);
      expect(sha256Short(text), `${length} bytes`).toBe(createHash('sha256').update(text).digest('hex'));
    }
  });
});

describe('hashId', () => {
  it('is the same, however much was hashed before', () => {
    const text = 'Jobs survive a restart – in Postgres. '.repeat(100);
    for (let round = 0; round < 20; round++)
      expect(hashId(String(round), text)).toBe(sha256Short(`${round}\0${text}`).slice(0, 32));
  });

  it('is 128 bits as hex and depends on where the parts are split', () => {
    expect(hashId('ab', 'c')).toMatch(/^[0-9a-f]{32}$/);
    expect(hashId('ab', 'c')).not.toBe(hashId('a', 'bc'));
    expect(hashId('a', 'b', 'c')).toBe(hashId('a', 'b', 'c'));
  });
});

describe('crc32', () => {
  it('[hash-standard] equals the CRC-32 of zlib on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(crc32(bytes)).toBe(zlibCrc32(bytes));
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(anyText, (text) => {
        expect(crc32(Buffer.from(text, 'utf8'))).toBe(zlibCrc32(text));
      }),
    );
  });
});

describe('textMark', () => {
  it('differs when the length or a letter differs', () => {
    const marks = ['', 'a', 'b', 'aa', 'ä'].map(textFingerprint);
    expect(new Set(marks).size).toBe(marks.length);
  });
});

describe('lineHash', () => {
  it('ignores white space, and nothing else', () => {
    const words = (text: string): string => text.replace(/[\0- \xa0]/g, '');
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(lineHash(one) === lineHash(other)).toBe(words(one) === words(other));
        expect(lineHash(`\t${one} \r`)).toBe(lineHash(one));
      }),
    );
  });

  it('is 53 bits as 14 hex digits', () => {
    fc.assert(
      fc.property(anyText, (line) => {
        expect(lineHash(line)).toMatch(/^[0-9a-f]{14}$/);
        expect(Number.isSafeInteger(Number.parseInt(lineHash(line), 16))).toBe(true);
      }),
    );
  });
});
