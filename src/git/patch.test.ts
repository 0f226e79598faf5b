import { describe, expect, it } from 'vitest';
import { linesAdded, parsePatch } from './patch.ts';

const header = (from: string, to: string): string[] => [
  `diff --git a/${from} b/${to}`,
  'index 1..2 100644',
  `--- a/${from}`,
  `+++ b/${to}`,
];

describe('reading a patch', () => {
  it('has the lines of each hunk, without their marks and line ends', () => {
    const patch = [
      ...header('a b.ts\t', 'a b.ts\t'),
      '@@ -1,2 +3 @@ function x() {',
      '-one\r',
      '-- two',
      '++ three',
      '@@ -9 +12,2 @@',
      '+four',
      '+',
      ...header('c.ts', 'd.ts'),
      '@@ -1 +0,0 @@',
      '---- e',
      '\\ No newline at end of file',
      '',
    ].join('\n');
    expect(parsePatch(`commit message\n+++ b/no.ts\n${patch}`)).toEqual([
      {
        path: 'a b.ts',
        oldPath: 'a b.ts',
        hunks: [
          { start: 3, removed: ['one', '- two'], added: ['+ three'] },
          { start: 12, removed: [], added: ['four', ''] },
        ],
      },
      { path: 'd.ts', oldPath: 'c.ts', hunks: [{ start: 0, removed: ['--- e'], added: [] }] },
    ]);
  });

  it('has no path before a new file or after a deleted one, and leaves out what has no lines', () => {
    const patch = [
      ...['diff --git a/a b/a', '--- /dev/null', '+++ b/a', '@@ -0,0 +1 @@', '+x'],
      ...['diff --git a/b b/b', '--- a/b', '+++ /dev/null', '@@ -1 +0,0 @@', '-x'],
      ...['diff --git a/c.png b/c.png', 'Binary files a/c.png and b/c.png differ'],
    ].join('\n');
    expect(parsePatch(patch).map(({ path, oldPath }) => [oldPath, path])).toEqual([
      ['', 'a'],
      ['b', ''],
    ]);
    expect(parsePatch('')).toEqual([]);
  });
});

describe('the added lines of a file', () => {
  const file = {
    path: 'b.ts',
    oldPath: 'a.ts',
    hunks: [
      { start: 3, added: ['x', 'y'], removed: [] },
      { start: 9, added: ['z'], removed: [] },
    ],
  };

  it('are named as blame would name them', () => {
    const lines = linesAdded(file, { commit: 'c', base: 'b', at: 5 });
    expect(lines.map(({ line, originalLine, text }) => [line, originalLine, text])).toEqual([
      [3, 3, 'x'],
      [4, 4, 'y'],
      [9, 9, 'z'],
    ]);
    expect(lines[0]).toMatchObject({
      commit: 'c',
      path: 'b.ts',
      at: 5,
      previous: { commit: 'b', path: 'a.ts' },
    });
  });

  it('have nothing before them in a new file, or without a base', () => {
    expect(
      linesAdded({ ...file, oldPath: '' }, { commit: 'c', base: 'b', at: 5 })[0]?.previous,
    ).toBeUndefined();
    expect(linesAdded(file, { commit: 'c', base: undefined, at: 5 })[0]?.previous).toBeUndefined();
  });
});
