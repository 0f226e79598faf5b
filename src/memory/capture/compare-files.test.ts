import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lineHash } from '../../base/hash.ts';
import { blobId, changesBetween, hashesOf, readFiles } from './compare-files.ts';

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

describe('the files of a comparison', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'backstory-compare-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    utimesSync(join(root, path), 100, 100);
  };
  const read = (
    paths: string[],
    files?: NonNullable<Parameters<typeof readFiles>[3]>['files'],
    maxBytes?: number,
  ) =>
    readFiles(
      { project: '', checkout: '', root, exclude: ['*.pem', 'src/secret/**'] },
      '/home/x',
      paths,
      files && { at: 0, head: '', files },
      maxBytes,
    );

  it('are read with the hashes of their lines, their size and time', () => {
    write('src/a.ts', 'one();\n');
    const { states, written } = read(['src/a.ts']);
    const lines = `${lineHash('one();')}\n${lineHash('')}\n`;
    expect([...states]).toEqual([['src/a.ts', { size: 7, mtimeMs: 100_000, lines }]]);
    expect(written).toEqual([{ path: 'src/a.ts', at: 100_000, bytes: Buffer.from('one();\n'), lines }]);
  });

  it('are read again only if their size or time is another', () => {
    write('a.ts', 'one();\n');
    const known = { size: 7, mtimeMs: 100_000, lines: 'known' };
    const readWith = (more: object) => read(['a.ts'], { 'a.ts': { ...known, ...more } });
    expect(readWith({}).written).toEqual([]);
    expect(readWith({}).states.get('a.ts')).toEqual(known);
    for (const more of [{ size: 8 }, { mtimeMs: 99_000 }]) {
      expect(readWith(more).written).toHaveLength(1);
      expect(readWith(more).states.get('a.ts')?.lines).toBe(hashesOf('one();\n'));
    }
  });

  it('include those of the comparison before, and a file that is gone has no lines', () => {
    write('kept.ts', 'one();\n');
    const state = { size: 1, mtimeMs: 1 };
    const { written, states } = read([], { 'kept.ts': state, 'gone.ts': state });
    expect(written.map(({ path, at, lines }) => [path, at, lines])).toEqual([
      ['kept.ts', 100_000, hashesOf('one();\n')],
      ['gone.ts', 0, ''],
    ]);
    expect([...states.keys()]).toEqual(['kept.ts']);
  });

  it('are not excluded or secret files, links, or files behind linked folders', () => {
    for (const path of ['key.pem', 'src/secret/a.ts', '.env', 'x/.env.local', 'real/a.ts'])
      write(path, 'one();');
    symlinkSync('real', join(root, 'linked'));
    symlinkSync('real/a.ts', join(root, 'link.ts'));
    const { states, written } = read([
      ...['key.pem', 'src/secret/a.ts', '.env', 'x/.env.local', 'linked/a.ts', 'link.ts', 'real/a.ts'],
      'environment.ts',
    ]);
    expect([...states.keys()]).toEqual(['real/a.ts']);
    expect(written.map(({ path }) => path)).toEqual(['real/a.ts', 'environment.ts']);
  });

  it('are read up to a number of bytes; the others have no lines', () => {
    for (const path of ['a', 'b', 'c', 'd']) write(path, path === 'c' ? 'ten bytes.' : 'four');
    const { states, written } = read(['a', 'b', 'c', 'd'], undefined, 12);
    expect(written.map(({ path }) => path)).toEqual(['a', 'b', 'd']);
    expect(states.get('c')).toEqual({ size: 10, mtimeMs: 100_000 });
  });

  it('have no lines if they are binary or larger than a megabyte', () => {
    write('binary', 'a\0b');
    write('large', Buffer.alloc(2 ** 20 + 1, 'x'));
    const { states, written } = read(['binary', 'large']);
    expect(written).toEqual([]);
    expect([...states.values()].map(({ size, lines }) => [size, lines])).toEqual([
      [3, undefined],
      [2 ** 20 + 1, undefined],
    ]);
  });
});

it('the id of a file is the one that git gives it, also in a repository with long ids', () => {
  expect(blobId(Buffer.from(''), 'c'.repeat(40))).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
  expect(blobId(Buffer.from(''), 'c'.repeat(64))).toBe(
    '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
  );
});

describe('the changes since a comparison', () => {
  const state = (...lines: string[]) => ({ size: 1, mtimeMs: 1, lines: hashesOf(text(...lines)) });
  const written = (path: string, ...lines: string[]) => ({ path, at: 9, lines: hashesOf(text(...lines)) });
  const none = () => undefined;
  const hashes = (...lines: string[]) => lines.map(lineHash);

  it('are the lines that differ, with their places and the times of both comparisons', () => {
    const files = { 'a.ts': state('one();', 'two();', 'three();') };
    const now = [written('a.ts', 'one();', 'other();', 'more();', 'three();')];
    expect(changesBetween({ at: 5, files }, now, none, 10)).toEqual([
      {
        path: 'a.ts',
        at: 9,
        since: 5,
        seen: 10,
        created: false,
        hunks: [
          { oldStart: 2, newStart: 2, removed: hashes('two();'), added: hashes('other();', 'more();') },
        ],
      },
    ]);
  });

  it('of a file that the comparison before did not know are those since its commit, or all of it', () => {
    const committed = (path: string) => (path === 'a.ts' ? text('one();') : undefined);
    const now = [written('a.ts', 'one();', 'two();'), written('new.ts', 'one();')];
    const [changed, created] = changesBetween({ at: 5, files: {} }, now, committed, 10);
    expect(changed).toMatchObject({ created: false, hunks: [{ added: hashes('two();'), removed: [] }] });
    expect(created).toMatchObject({ created: true, hunks: [{ added: hashes('one();', '') }] });
  });

  it('are not known if the file was not text before, or too large, and none if its lines are the same', () => {
    const files = { 'a.ts': { size: 1, mtimeMs: 1 }, 'b.ts': state('one();') };
    const now = [written('a.ts', 'one();'), written('b.ts', 'one();')];
    expect(changesBetween({ at: 5, files }, now, none, 10)).toEqual([]);
  });

  it('do not include lines that left another file, or files that are gone', () => {
    const files = { 'a.ts': state('one();', 'two();'), 'gone.ts': state('three();') };
    const gone = { path: 'gone.ts', at: 0, lines: '' };
    const now = [
      written('a.ts', 'two();', 'fresh();'),
      gone,
      written('new.ts', 'one();', 'three();'),
      written('more.ts', 'one();', 'own();'),
    ];
    const found = changesBetween({ at: 5, files }, now, none, 10);
    expect(found.map(({ path, hunks }) => [path, hunks.flatMap(({ added }) => added)])).toEqual([
      ['a.ts', hashes('fresh();')],
      ['more.ts', hashes('own();')],
    ]);
  });
});
