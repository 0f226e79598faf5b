import { expect, it } from 'vitest';
import type { Anchor, AnchorLines } from '../domain/anchor.ts';
import { pieceOf, spanOf } from './code-of-note.ts';

const anchor = (start: number, lines: AnchorLines): Anchor => ({
  ...{ path: 'a.js', start, lines, commit: '', branch: '', at: 0 },
});

it('the lines of an anchor are as many as were read or written, and of a file its first eighty', () => {
  expect(spanOf(anchor(3, { kind: 'span', count: 4, hash: '' }))).toEqual({ from: 3, to: 6 });
  expect(spanOf(anchor(3, { kind: 'hashes', hashes: ['a', 'b'] }))).toEqual({ from: 3, to: 4 });
  expect(spanOf(anchor(0, { kind: 'hashes', hashes: ['a', 'b'] })), 'unknown').toEqual({ from: 1, to: 2 });
  expect(spanOf(undefined)).toEqual({ from: 1, to: 80 });
});

it('a piece of code has at most eighty lines, and is left out if they are blank', () => {
  expect(pieceOf('a.js', 3, ['', 'one();', ''])).toEqual({ path: 'a.js', startLine: 3, text: '\none();\n' });
  expect(pieceOf('a.js', 3, ['one();'], 'c')).toEqual({
    path: 'a.js',
    startLine: 3,
    text: 'one();',
    commit: 'c',
  });
  expect([pieceOf('a.js', 1), pieceOf('a.js', 1, []), pieceOf('a.js', 1, [' ', ''])]).toEqual(
    Array(3).fill(undefined),
  );
  const long = Array.from({ length: 81 }, (_, at) => `line ${at}`);
  expect(pieceOf('a.js', 1, long)?.text).toMatch(/^line 0\n[\s\S]*\nline 79$/);
});
