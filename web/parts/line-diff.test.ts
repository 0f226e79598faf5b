import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from './line-diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

describe('diffLines', () => {
  it('puts a removed line in one row with the line that replaced it', () => {
    const rows = diffLines(['a', 'b', 'c'], ['a', 'x', 'c'], 10, 20);
    expect(rows).toEqual([
      { past: { line: 10, text: 'a' }, now: { line: 20, text: 'a' }, isSame: true },
      { past: { line: 11, text: 'b' }, now: { line: 21, text: 'x' }, isSame: false },
      { past: { line: 12, text: 'c' }, now: { line: 22, text: 'c' }, isSame: true },
    ]);
  });

  it('keeps every line of both texts, in order', () => {
    fc.assert(
      fc.property(lines, lines, (past, now) => {
        const rows = diffLines(past, now, 1, 1);
        expect(rows.flatMap((row) => row.past?.text ?? [])).toEqual(past);
        expect(rows.flatMap((row) => row.now?.text ?? [])).toEqual(now);
        for (const row of rows) if (row.isSame) expect(row.past?.text).toBe(row.now?.text);
      }),
    );
  });
});
