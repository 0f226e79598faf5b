import { describe, expect, it } from 'vitest';
import { readCommits } from './commit-lines.ts';
import { parseBatch } from './objects.ts';
import { changesIn, commitOf, namesIn } from './path-history.ts';
import { parseStatus } from './uncommitted-changes.ts';

const [one, two] = ['1'.repeat(40), '2'.repeat(64)] as const;

describe('what git prints', () => {
  it('about commits becomes the lines that each added', () => {
    const patch = (name: string, hunk: string) =>
      `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n${hunk}\n`;
    const deleted = 'diff --git a/d b/d\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n';
    const output = [
      `\x1e${one} 7\n\n${patch('a', '@@ -1 +3,2 @@\n+x\n+y')}${patch('b', '@@ -1 +0,0 @@\n-z')}${deleted}`,
      `\x1e${two} 8`,
    ].join('');
    expect(readCommits(output)).toEqual([
      { hash: one, at: 7_000, added: [{ path: 'a', start: 3, lines: ['x', 'y'] }] },
      { hash: two, at: 8_000, added: [] },
    ]);
    expect(readCommits('')).toEqual([]);
  });

  it('about the working tree becomes a list of files and their states', () => {
    const fields = 'N... 100644 100644 100644 1 2';
    const lines = [
      `1 .M ${fields} a b.ts`,
      `1 M. ${fields} staged.ts`,
      `1 A. ${fields} new.ts`,
      `1 .D ${fields} gone.ts`,
      `2 R. ${fields} R100 to.ts`,
      'from.ts',
      `2 C. ${fields} C75 copy.ts`,
      'a b.ts',
      'u UU N... 1 2 3 4 5 6 7 both ways.ts',
      '? free.ts',
      '! ignored.ts',
      '',
    ];
    expect(parseStatus(lines.join('\0')).map(({ path, state }) => `${state} ${path}`)).toEqual([
      'modified a b.ts',
      'modified staged.ts',
      'added new.ts',
      'deleted gone.ts',
      'renamed to.ts',
      'added copy.ts',
      'conflict both ways.ts',
      'untracked free.ts',
    ]);
  });

  it.each([
    ['\n3\t4\ta.ts\0', { path: 'a.ts', added: 3, removed: 4 }],
    ['\n3\t4\t\0old.ts\0new.ts\0', { path: 'new.ts', added: 3, removed: 4 }],
    ['\n-\t-\tpicture.png\0', { path: 'picture.png', added: 0, removed: 0 }],
    ['', { path: 'asked.ts', added: 0, removed: 0 }],
  ])('about the history of a file becomes its name and size at that time: %j', (rest, expected) => {
    const record = [one, '7', 'Ada', 'Round yen', rest].join('\x1f');
    expect(commitOf(record, 'asked.ts')).toEqual({
      hash: one,
      at: 7_000,
      author: 'Ada',
      subject: 'Round yen',
      ...expected,
    });
  });

  it('about the paths of a commit becomes what was done to each', () => {
    const at = 7_000;
    expect(changesIn(`${one} 7\0\nM\0a b.ts\0A\0b.ts\0D\0c.ts\0T\0d.ts\0`)).toEqual([
      { commit: one, at, path: 'a b.ts', status: 'modified' },
      { commit: one, at, path: 'b.ts', status: 'added' },
      { commit: one, at, path: 'c.ts', status: 'deleted' },
      { commit: one, at, path: 'd.ts', status: 'modified' },
    ]);
    expect(changesIn('')).toEqual([]);
    expect(namesIn(['R100', 'old.ts', 'new.ts', 'C75', 'a', 'b', 'M', 'x', ''])).toEqual([
      { letter: 'R100', path: 'new.ts', from: 'old.ts' },
      { letter: 'C75', path: 'b', from: 'a' },
      { letter: 'M', path: 'x', from: undefined },
    ]);
  });

  it('about objects becomes their texts, in the order of the names', () => {
    const read = (output: string, ...names: string[]) => {
      const found = new Map<string, string>();
      parseBatch(Buffer.from(output), names, found);
      return Object.fromEntries(found);
    };
    const output = `${one} blob 4\nä\nx\nb missing\n${two} tree 0\n\n${one} blob 2\nno`;
    expect(read(output, 'a', 'b', 'c', 'd', 'e')).toEqual({ a: 'ä\nx', c: '', d: 'no' });
    expect(read(`${one} blob 5\nab`, 'cut')).toEqual({ cut: 'ab' });
    const size = 8 * 1024 * 1024;
    const large = `${one} blob ${size + 1}\n${'x'.repeat(size + 1)}\n${one} blob 1\ny\n`;
    expect(read(large, 'large', 'small')).toEqual({ small: 'y' });
  });
});
