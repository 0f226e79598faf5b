import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeSymbol } from '../code/symbols/symbol.ts';
import type { Anchor } from '../domain/anchor.ts';
import { linesHash } from '../text/file-lines.ts';
import { anchorsFromUser, formatAnchor, parseAnchor } from './anchors-from-user.ts';

const hash = '9f31c2a4'.repeat(4);
const anchor: Anchor = {
  path: 'src/a b/load.js',
  start: 3,
  lines: { kind: 'span', count: 7, hash },
  commit: '1a2b3c4d5e6f',
  branch: '',
  at: 5,
  symbol: 'Queue.retry',
};

describe('an anchor in the front matter of a note', () => {
  it('is a readable line that parses back to the same anchor', () => {
    const line = formatAnchor('src/a b/load.js:3-9', 'Queue.retry', '1a2b3c4d5e6f', hash);
    expect(line).toBe(`src/a b/load.js:3-9 Queue.retry @1a2b3c4d5e6f #${hash}`);
    expect(parseAnchor(line, 5)).toEqual(anchor);
  });

  it('may name only a place, and only one line', () => {
    expect(parseAnchor('load.js:4', 1)).toMatchObject({
      path: 'load.js',
      start: 4,
      lines: { count: 1, hash: '' },
    });
    expect(parseAnchor('load.js:4-6 @1a2b3c4', 1)).toMatchObject({ commit: '1a2b3c4', lines: { count: 3 } });
  });

  it('is ignored if it does not name a place', () => {
    for (const line of ['', 'load.js', 'load.js:0', 'load.js:9-3', 'load.js:1-99999', ': 3'])
      expect(parseAnchor(line, 1)).toBeUndefined();
  });

  it('names at most 2,000 lines and an abbreviated commit, and leaves out what is unknown', () => {
    expect(parseAnchor('load.js:1-2000', 1)).toMatchObject({ lines: { count: 2_000 } });
    expect(parseAnchor('load.js:1-2001', 1)).toBeUndefined();
    expect(parseAnchor('load.js:9-9', 1)).toMatchObject({ start: 9, lines: { count: 1 } });
    expect(parseAnchor('load.js:9-8', 1)).toBeUndefined();
    expect(parseAnchor('load.js:4', 1)).not.toHaveProperty('symbol');
    expect(formatAnchor('a.js:1-2', undefined, '', hash)).toBe(`a.js:1-2 #${hash}`);
    expect(formatAnchor('a.js:1-2', 'operator ==', '0123456789abcdef', hash)).toBe(
      `a.js:1-2 operator_== @0123456789ab #${hash}`,
    );
  });
});

describe('the lines that a user names', () => {
  const text = 'class Queue {\n  retry() {\n    again();\n  }\n}\n';
  const symbols: CodeSymbol[] = [
    {
      kind: 'class',
      name: 'Queue',
      container: '',
      startLine: 1,
      endLine: 5,
      line: 1,
      column: 1,
      signature: '',
    },
    {
      kind: 'method',
      name: 'retry',
      container: 'Queue',
      startLine: 2,
      endLine: 4,
      line: 1,
      column: 1,
      signature: '',
    },
  ];
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'backstory-lines-'));
    writeFileSync(join(root, 'queue.js'), text);
  });
  afterAll(() => rmSync(root, { recursive: true }));
  const named = (...names: string[]) =>
    anchorsFromUser(names, { root, key: 'k', symbols: async () => symbols }, 'abc');
  const hashOf = (from: number, to: number): string => linesHash('k', text.split('\n').slice(from - 1, to));

  it('become anchors with the symbol of the lines', async () => {
    expect(await named('queue.js:2-4', 'queue.js:3', 'queue.js:1-5')).toEqual({
      files: ['queue.js'],
      anchors: [
        `queue.js:2-4 Queue.retry @abc #${hashOf(2, 4)}`,
        `queue.js:3-3 Queue.retry @abc #${hashOf(3, 3)}`,
        `queue.js:1-5 Queue @abc #${hashOf(1, 5)}`,
      ],
    });
    const { anchors } = await anchorsFromUser(['queue.js:5'], { root, key: 'k' }, 'abc');
    expect(anchors).toEqual([`queue.js:5-5 @abc #${hashOf(5, 5)}`]);
  });

  it('are only a file without lines, or if the file does not have them', async () => {
    const names = ['queue.js', 'queue.js:0-2', 'queue.js:4-6', 'queue.js:4-3', 'none.js:1'];
    expect(await named(...names)).toEqual({ files: ['queue.js', 'none.js'], anchors: [] });
  });
});
