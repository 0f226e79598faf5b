import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/harness/random.ts';
import { classOf, gramOf } from './alphabet.ts';
import { GramLists } from './gram-lists.ts';
import { bitmapBytes, hasBit, markList } from './posting-list.ts';

const blocksOf = (lists: GramLists, blockCount: number): Map<number, number[]> =>
  new Map(
    Array.from(lists.lists(blockCount), ({ gram, list }) => {
      const bitmap = new Uint8Array(bitmapBytes(blockCount));
      markList(list, bitmap);
      const blocks = Array.from({ length: blockCount }, (_, at) => at).filter((at) => hasBit(bitmap, at));
      expect(list.count).toBe(blocks.length);
      return [gram, blocks];
    }),
  );
const gramIn = (text: string): number => {
  const [a = 0, b = 0, c = 0] = Array.from(Buffer.from(text), (byte) => classOf[byte]);
  return gramOf(a, b, c);
};

describe('the lists of a segment', () => {
  it('fit into the room that is needed at most for a text', () => {
    const random = createRandom(5);
    const text = Buffer.from(Array.from({ length: 3_000 }, () => random.whole(97, 122)));
    const lists = new GramLists(GramLists.roomFor(text.length));
    lists.add(0, text, 0, text.length);
    expect([...lists.lists(1)].length).toBeGreaterThan(2_500);
  });

  it('have room up to the last byte, and refuse what does not fit', () => {
    const lists = new GramLists(64 + GramLists.roomFor(12));
    expect([lists.hasRoomFor(12), lists.hasRoomFor(13)]).toEqual([true, false]);
    const full = new GramLists(64 * 3);
    full.add(0, Buffer.from('abcd'), 0, 4);
    expect(() => full.add(1, Buffer.from('xyz'), 0, 3)).toThrow(RangeError);
  });

  it('have no gram that spans lines, or what is around the part of a text, and count its lines', () => {
    const lists = new GramLists(100_000);
    const text = Buffer.from('xxabc\nde\u0001fgh\nxx');
    expect(lists.add(0, text, 2, 13)).toBe(2);
    expect(new Set(blocksOf(lists, 1).keys())).toEqual(new Set(['abc', 'fgh'].map(gramIn)));
  });

  it('have a block once for each gram, however far the blocks are apart', () => {
    const lists = new GramLists(1_000_000);
    const blocks = [0, 1, 127, 254, 382, 511, 16_894, 33_278, 49_663, 49_666];
    for (const block of blocks) lists.add(block, Buffer.from('abcabc'), 0, 6);
    expect(blocksOf(lists, 49_667).get(gramIn('abc'))).toEqual(blocks);
  });

  it('are exact also where most blocks have the gram', () => {
    const lists = new GramLists(1_000_000);
    const blocks = [...Array(100).keys(), ...Array.from({ length: 100 }, (_, at) => 227 + at)];
    for (const block of blocks) lists.add(block, Buffer.from('abc'), 0, 3);
    expect(blocksOf(lists, 400).get(gramIn('abc'))).toEqual(blocks);
  });

  it('continue in other chunks of the memory, at whatever byte one is full', () => {
    const blockCount = 31_000;
    for (let first = 0; first < 4; first += 1) {
      const lists = new GramLists(1_000_000);
      const blocks = [...Array(first).keys(), ...Array.from({ length: 150 }, (_, at) => 500 + at * 200)];
      for (const block of blocks) lists.add(block, Buffer.from('abc'), 0, 3);
      expect(blocksOf(lists, blockCount).get(gramIn('abc'))).toEqual(blocks);
    }
    const dense = new GramLists(1_000_000);
    for (let block = 0; block < 121; block += 1) dense.add(block, Buffer.from('abc'), 0, 3);
    for (const count of [121, 1_000, 968, 967, 961, 960])
      expect(blocksOf(dense, count).get(gramIn('abc'))).toHaveLength(121);
  });
});
