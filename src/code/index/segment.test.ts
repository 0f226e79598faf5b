import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { indexFolder, openSegment, stamp, writeSegment } from '../../../test/support/index-segment.ts';
import { breakClass, classOf, gramOf } from './alphabet.ts';
import { bitmapBytes, hasBit, intersectBits, markList, type PostingList } from './posting-list.ts';
import { Segment } from './segment.ts';

/** Texts whose grams have lists of every form: in one block, in each, in a few with large gaps, in many. */
const manyTexts = (count: number): Map<string, string> =>
  new Map(
    Array.from({ length: count }, (_, at) => [
      `src/${String(count - at).padStart(4, '0')}.ts`,
      [
        'common',
        at % 20 === 0 ? 'twenty' : '',
        at % 300 === 7 ? 'rare' : '',
        at % 2 === 0 ? 'even' : 'odd',
        `n${at}\u0001x\ty é`,
      ].join('\n'),
    ]),
  );

/** The blocks of each gram, found by reading the texts. */
function gramsOf(blocks: string[]): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  blocks.forEach((text, block) => {
    const classes = Array.from(Buffer.from(text), (byte) => classOf[byte] as number);
    classes.forEach((a, at) => {
      const [b = breakClass, c = breakClass] = classes.slice(at + 1, at + 3);
      if ([a, b, c].includes(breakClass)) return;
      const list = lists.get(gramOf(a, b, c)) ?? [];
      if (list.at(-1) !== block) list.push(block);
      lists.set(gramOf(a, b, c), list);
    });
  });
  return lists;
}

const bitmapOf = (lists: PostingList[], blocks: number): Uint8Array => {
  const bitmap = new Uint8Array(bitmapBytes(blocks));
  for (const list of lists) markList(list, bitmap);
  return bitmap;
};

const blocksIn = (bitmap: Uint8Array): number[] =>
  Array.from({ length: bitmap.length * 8 }, (_, at) => at).filter((at) => hasBit(bitmap, at));

describe('A segment', () => {
  it('lists for each gram exactly the blocks that contain it', () => {
    const texts = manyTexts(2_000);
    const folder = indexFolder();
    const segment = openSegment(folder, writeSegment(folder, 'a.seg', texts));
    const expected = gramsOf([...texts.values()]);
    expect([...segment.tables.grams]).toEqual([...expected.keys()].sort((a, b) => a - b));
    const wrong = [...expected].filter(([gram, blocks]) => {
      const at = segment.findGram(gram);
      const found = blocksIn(bitmapOf([segment.listAt(at)], texts.size));
      return segment.countAt(at) !== blocks.length || found.join() !== blocks.join();
    });
    expect(wrong).toEqual([]);
    expect(segment.findGram(gramOf(3, 3, 3))).toBe(-1);
    const lengths = Array.from(segment.tables.grams, (_, at) => segment.listAt(at).bytes.length);
    const { listAt } = segment.tables;
    expect(lengths.reduce((sum, length) => sum + length)).toBe((listAt.at(-1) ?? 0) - (listAt[0] ?? 0));
    const forms = segment.tables.grams.map((_, at) => Number(segment.listAt(at).isBitmap));
    expect(new Set(forms)).toEqual(new Set([0, 1]));
  });

  it('unites and intersects lists of both forms', () => {
    const texts = manyTexts(2_000);
    const folder = indexFolder();
    const segment = openSegment(folder, writeSegment(folder, 'a.seg', texts));
    const lists = ['com', 'eve', 'odd', 'twe', 'rar'].map((text) => {
      const [a, b, c] = Array.from(Buffer.from(text), (byte) => classOf[byte] as number);
      return segment.listAt(segment.findGram(gramOf(a as number, b as number, c as number)));
    });
    expect(new Set(lists.map(({ isBitmap }) => isBitmap))).toEqual(new Set([true, false]));
    for (const a of lists)
      for (const b of lists) {
        const [blocks, others] = [a, b].map((list) => new Set(blocksIn(bitmapOf([list], texts.size)))) as [
          Set<number>,
          Set<number>,
        ];
        const both = bitmapOf([a], texts.size);
        intersectBits(both, bitmapOf([b], texts.size));
        expect(blocksIn(both)).toEqual([...blocks].filter((block) => others.has(block)));
        expect(new Set(blocksIn(bitmapOf([a, b], texts.size)))).toEqual(new Set([...blocks, ...others]));
      }
  });

  it('cuts long files at line ends, and never within a line', () => {
    const line = `${'x'.repeat(1_023)}\n`;
    const texts = new Map([
      ['short', 'a\nb\n'],
      ['exact', line.repeat(32)],
      ['long', line.repeat(33)],
      ['wide', `${'y'.repeat(40_000)}\n${'z'.repeat(40_000)}`],
      ['between', `a\n${'y'.repeat(40_000)}\nb`],
      ['empty', ''],
    ]);
    const folder = indexFolder();
    const segment = openSegment(folder, writeSegment(folder, 'a.seg', texts));
    const blocks = Array.from(segment.tables.blockFile, (file, block) => {
      const { offset, end, line: at } = segment.blockRange(block);
      return `${segment.pathOf(file)} ${offset}-${end} line ${at}`;
    });
    expect(blocks).toEqual([
      'short 0-4 line 1',
      'exact 0-32768 line 1',
      'long 0-32768 line 1',
      'long 32768-33792 line 33',
      'wide 0-40001 line 1',
      'wide 40001-80001 line 2',
      'between 0-2 line 1',
      'between 2-40003 line 2',
      'between 40003-40004 line 3',
    ]);
  });

  it('has the path, stamp and kind of each file, and finds it by its path', () => {
    const paths = ['b/Ünï.TS', 'a.ts', 'B/z.TS', 'a/b/c'];
    const folder = indexFolder();
    const texts = new Map<string, string | undefined>(
      paths.map((path) => [path, path === 'a.ts' ? undefined : path]),
    );
    const segment = openSegment(folder, writeSegment(folder, 'a.seg', texts));
    paths.forEach((path, file) => {
      expect(segment.findFile(path)).toBe(file);
      const size = texts.get(path) === undefined ? 7 : Buffer.byteLength(path);
      expect(segment.stampOf(file)).toEqual({ ...stamp(path.length), size });
      expect(segment.tables.flags[file]).toBe(path.length % 5);
    });
    expect(['', 'a', 'a.tsx', 'zz'].map((path) => segment.findFile(path))).toEqual([-1, -1, -1, -1]);
    expect(['', 'a/b/c', 'a/c', 'zz'].map((path) => segment.firstFrom(path))).toEqual([0, 2, 3, 4]);
    expect(['a', '.ts', 'ünï', '/c'].map((text) => segment.filesWithPath(text))).toEqual([
      [1, 3],
      [0, 1, 2],
      [0],
      [3],
    ]);
    expect(['b', 'z', 'c', '/c'].map((text) => segment.filesWithName(text))).toEqual([[], [2], [3], []]);
  });

  it('finds a file whose path begins like another one', () => {
    const folder = indexFolder();
    const paths = ['a', 'z', 'ab', 'abc'];
    const entry = writeSegment(folder, 'a.seg', new Map(paths.map((path) => [path, path])));
    const segment = openSegment(folder, entry);
    expect(paths.map((path) => segment.findFile(path))).toEqual([0, 1, 2, 3]);
  });

  it('is refused if its head or its tables are damaged or cut off', () => {
    const folder = indexFolder();
    const entry = writeSegment(folder, 'a.seg', manyTexts(3));
    const path = join(folder, 'a.seg');
    const bytes = readFileSync(path);
    expect(bytes.length).toBe(entry.bytes);
    const damaged = expect.objectContaining({ code: 'INDEX_UNAVAILABLE', retryable: true });
    for (const at of [0, entry.tablesAt, bytes.length - 1]) {
      writeFileSync(path, Buffer.from(bytes).fill(bytes.readUInt8(at) ^ 1, at, at + 1));
      expect(() => new Segment(folder, entry)).toThrowError(damaged);
    }
    writeFileSync(path, bytes.subarray(0, -1));
    expect(() => new Segment(folder, entry)).toThrowError(damaged);
  });

  it.runIf(process.platform === 'linux')('is not kept open after it is written, closed or refused', () => {
    const folder = indexFolder();
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    const entry = writeSegment(folder, 'a.seg', manyTexts(3));
    expect(open()).toBe(before);
    const segment = new Segment(folder, entry);
    expect(open()).toBe(before + 1);
    segment.close();
    expect(() => new Segment(folder, { ...entry, tablesSum: 0 })).toThrowError();
    expect(open()).toBe(before);
  });
});
