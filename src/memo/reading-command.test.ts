import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimedReads } from './reading-command.ts';

const end = Number.POSITIVE_INFINITY;
const lines = (path: string, slices: object[] = [], isNumbered = false) => ({
  kind: 'lines',
  path: resolve(path),
  slices,
  isNumbered,
});

describe('claimedReads', () => {
  it.each([
    ['cat a.ts', [lines('/w/a.ts')]],
    ['cat "my file.ts" src/b.ts', [lines('/w/my file.ts'), lines('/w/src/b.ts')]],
    ["sed -n '10,20p' a.ts", [lines('/w/a.ts', [{ from: 9, to: 20 }])]],
    // A shell would expand `$p`. The output then has other lines, so nothing counts as seen.
    ['sed -n "5,$p" a.ts', [lines('/w/a.ts', [{ from: 4, to: end }])]],
    ["sed -n '5,$p' a.ts", [lines('/w/a.ts', [{ from: 4, to: end }])]],
    ['head -50 a.ts', [lines('/w/a.ts', [{ from: 0, to: 50 }])]],
    ['head -n 5 a.ts 2>/dev/null', [lines('/w/a.ts', [{ from: 0, to: 5 }])]],
    ['tail -n 3 a.ts', [lines('/w/a.ts', [{ from: -3, to: end }])]],
    ['tail -n +3 a.ts', [lines('/w/a.ts', [{ from: 2, to: end }])]],
    ["nl -ba a.ts | sed -n '1,9p'", [lines('/w/a.ts', [{ from: 0, to: 9 }], true)]],
    ['cat -n a.ts | head -3', [lines('/w/a.ts', [{ from: 0, to: 3 }], true)]],
    ["awk 'NR>=3 && NR<=9' a.ts", [lines('/w/a.ts', [{ from: 2, to: 9 }])]],
    ['cd src && cat a.ts; cat ../b.ts', [lines('/w/src/a.ts'), lines('/w/b.ts')]],
    ['rg -n foo src/a.ts', [{ kind: 'searched', path: resolve('/w/src/a.ts') }]],
    ['cat a.ts | grep foo', [{ kind: 'searched', path: resolve('/w/a.ts') }]],
    ['cat *.ts', []],
    ['cat a.ts > b.ts', []],
    ['cat $(ls)', []],
    ['head -c 10 a.ts', []],
    ["sed -i 's/a/b/' a.ts", []],
    ['npm test', []],
    ['', []],
  ])('parses %j', (command, expected) => {
    expect(claimedReads(command, resolve('/w'))).toEqual(expected);
  });

  it.each([
    ['cat src\\a.ts', 'src\\a.ts'],
    ['Get-Content src\\a.ts', 'src\\a.ts'],
    ['gc -Raw "my src\\a.ts"', 'my src\\a.ts'],
    ["Get-Content -Path '.hidden\\a.ts'", '.hidden\\\\a.ts'],
  ])('on Windows, takes backslashes for separators in %j', (command, path) => {
    expect(claimedReads(command, resolve('/w'), 'win32')).toEqual([lines(resolve('/w', path))]);
  });

  it('terminates on any text', () => {
    for (const text of ['"', "'", '\\', '|'.repeat(9), '$(', '`', 'cat "$(', 'sed -n', 'head -n']) {
      expect(Array.isArray(claimedReads(text, '/w'))).toBe(true);
    }
  });
});
