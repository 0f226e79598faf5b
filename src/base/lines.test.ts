import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { linesOf, readLines } from './lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'backstory-lines-'));
const path = join(folder, 'file');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The bytes of a line are overwritten by the next one, so copy them. */
const read = (from: number, maxLineBytes: number, chunkBytes: number) =>
  Array.from(readLines(path, from, { maxLineBytes, chunkBytes }), (line) => ({
    ...line,
    bytes: line.bytes === undefined ? undefined : Buffer.from(line.bytes),
  }));

describe('readLines', () => {
  it('yields the same lines for any chunk size, without an unfinished last line', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\n', ' '))),
        fc.string({ maxLength: 5 }).map((text) => text.replaceAll('\n', ' ')),
        fc.integer({ min: 1, max: 9 }),
        (lines, torn, chunkBytes) => {
          writeFileSync(path, lines.map((line) => `${line}\n`).join('') + torn);
          const found = read(0, 1_000, chunkBytes);
          expect(found.map(({ bytes }) => bytes?.toString('utf8'))).toEqual(
            lines.map((line) => Buffer.from(line).toString('utf8')),
          );
          let offset = 0;
          for (const line of found) {
            expect(line.offset).toBe(offset);
            expect(line.end).toBe(offset + (line.bytes?.length ?? 0) + 1);
            offset = line.end;
          }
          const middle = found[Math.floor(found.length / 2)];
          if (middle !== undefined)
            expect(read(middle.offset, 1_000, chunkBytes)[0]?.bytes).toEqual(middle.bytes);
        },
      ),
    );
  });

  it('yields no bytes for a line beyond the limit, and continues after it', () => {
    writeFileSync(path, `ok\n${'x'.repeat(100)}\nfine\n`);
    for (const chunkBytes of [1, 7, 64, 1_000]) {
      expect(read(0, 50, chunkBytes).map(({ bytes }) => bytes?.toString())).toEqual([
        'ok',
        undefined,
        'fine',
      ]);
    }
  });
});

describe('the lines of a stream', () => {
  it('are split only at newlines, wherever its chunks end', async () => {
    const written = ['a\u2028b', '', 'ü\u2029\u0085\r', 'last'];
    const bytes = Buffer.from(written.join('\n'));
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      const read: string[] = [];
      for await (const line of linesOf(chunks())) read.push(line);
      expect(read).toEqual(written);
    }
  });
});
