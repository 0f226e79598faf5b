import { expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import { distinctNotes } from './file-story.ts';
import { rangeIn } from './why.ts';

const disk = ['one', 'two', 'three'];
const inFile = (from: number, to: number) => rangeIn(disk, 'a.js', { from, to });

it('the lines that were asked for are in the file, and all of them by default', () => {
  expect(rangeIn(disk, 'a.js', undefined)).toEqual({ from: 1, to: 3 });
  expect([inFile(1, 1), inFile(3, 3), inFile(2, 9)]).toEqual([
    { from: 1, to: 1 },
    { from: 3, to: 3 },
    { from: 2, to: 3 },
  ]);
});

it('lines outside of the file are refused, with one that it has', () => {
  for (const [from, to, has] of [
    [0, 1, 1],
    [4, 4, 3],
    [3, 2, 3],
  ] as const)
    expect(() => inFile(from, to)).toThrow(
      expect.objectContaining({
        message: 'a.js has 3 lines',
        hint: `Choose one of them: backstory why a.js:${has}`,
      }),
    );
});

it('a note of several chunks is shown once', () => {
  const chunks = ['a', 'b', 'a'].map((sourceId, at) => aChunk({ sourceId, text: `${at}` }));
  expect(distinctNotes(chunks).map(({ sourceId }) => sourceId)).toEqual(['a', 'b']);
});
