import { describe, expect, it } from 'vitest';
import { lineHash } from '../base/hash.ts';
import type { Anchor, AnchorLines } from '../domain/anchor.ts';
import { linesHash } from '../text/file-lines.ts';
import { compareWithDisk } from './compare-with-disk.ts';
import type { CurrentCode } from './current-code.ts';
import { SourceText } from './source-text.ts';

const block = [
  'export function retry(task, times) {',
  '  const outcome = task.attemptOnce(times);',
  '',
  '  return outcome.valueOrThrow(times);',
  '}',
];
const hashes = block.filter((line) => line !== '').map(lineHash);
const above = ['// one', '// two', '// three', '// four'];

/** Compares an anchor at line `start` with a file on disk; undefined for a missing file. */
function compare(lines: AnchorLines, start: number, file: string[] | undefined) {
  const anchor: Anchor = { path: 'a.js', start, lines, commit: '', branch: '', at: 0 };
  const text = file && new SourceText(file.join('\n'));
  const now = { file: () => text, code: { key: 'key' } } as unknown as CurrentCode;
  return compareWithDisk(anchor, now);
}
const written = (start: number, file: string[] | undefined) =>
  compare({ kind: 'hashes', hashes }, start, file);

describe('lines that an agent wrote', () => {
  it('are certain at their place, and up to three lines below, which an edit may report as unchanged', () => {
    for (const lines of [0, 1, 2, 3])
      expect(written(1, [...above.slice(0, lines), ...block])).toEqual({
        drift: { state: 'current', path: 'a.js', from: lines + 1, to: lines + 5, keptLines: 4, of: 4 },
        isCertain: true,
      });
    expect(written(5, [...above, ...block])).toMatchObject({ drift: { from: 5, to: 9 }, isCertain: true });
  });

  it('are found elsewhere, or if no place is known, without certainty', () => {
    expect(written(1, [...above, ...block])).toMatchObject({ drift: { from: 5, to: 9 }, isCertain: false });
    expect(written(0, block)).toMatchObject({ drift: { from: 1 }, isCertain: false });
    expect(written(9, block)).toMatchObject({ drift: { from: 1 }, isCertain: false });
  });

  it('are not recognised if a line is missing, the file is, or they are twice in it elsewhere', () => {
    expect(written(1, block.slice(0, -1))).toBeUndefined();
    expect(written(1, undefined)).toBeUndefined();
    expect(written(0, [...block, ...block])).toBeUndefined();
    expect(written(6, [...block, ...block])).toMatchObject({ drift: { from: 6 }, isCertain: true });
  });

  it('are not recognised if they are too common, even at their place', () => {
    const common = ['}', 'return null;', '}'];
    expect(compare({ kind: 'hashes', hashes: common.map(lineHash) }, 1, common)).toBeUndefined();
  });
});

describe('lines that an agent read', () => {
  const span = (count: number, lines: string[]): AnchorLines => ({
    kind: 'span',
    count,
    hash: linesHash('key', lines),
  });

  it('are current only where they were', () => {
    expect(compare(span(2, above.slice(1, 3)), 2, above)).toEqual({
      drift: { state: 'current', path: 'a.js', from: 2, to: 3, keptLines: 2, of: 2 },
      isCertain: true,
    });
    expect(compare(span(2, above.slice(1, 3)), 1, above)).toBeUndefined();
    expect(compare(span(1, above.slice(3)), 4, above)).toMatchObject({ drift: { from: 4, to: 4 } });
  });

  it('are not recognised without a hash, or in a shorter file', () => {
    expect(compare({ kind: 'span', count: 2, hash: '' }, 1, above)).toBeUndefined();
    expect(compare(span(5, above), 1, above)).toBeUndefined();
  });
});
