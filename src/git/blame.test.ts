import { mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from '../../test/support/sandbox.ts';
import { type BlamedLine, blame, readPorcelain } from './blame.ts';
import { commitLines } from './commit-lines.ts';
import { readObjects } from './objects.ts';

let root: string;
const commits: string[] = [];
const commit = (message: string): void => {
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', message);
  commits.push(git(root, 'rev-parse', 'HEAD').trim());
};
const block = [
  'def settle(queue):',
  '    pause = 5',
  '    queue.wait_for_everybody(pause)',
  '    return queue.close_all()',
];
const write = (path: string, lines: string[]): void =>
  writeFileSync(join(root, path), `${lines.join('\n')}\n`);
const lineAt = async (path: string, line: number): Promise<BlamedLine> => {
  const found = await blame(root, path, { range: { from: line, to: line } });
  if (found.kind !== 'lines' || found.lines[0] === undefined) throw new Error(JSON.stringify(found));
  return found.lines[0];
};

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'backstory-blame-')));
  git(root, 'init', '-q', '-b', 'main', '.');
  write('a.py', ['import os', '', ...block, '', 'print(os.name)']);
  write('b.py', ['import sys', '', 'print(sys.path)']);
  commit('one');
  renameSync(join(root, 'a.py'), join(root, 'ä b.py'));
  commit('rename');
  write('ä b.py', ['import os', '', 'print(os.name)']);
  write('b.py', ['import sys', '', 'print(sys.path)', '', ...block]);
  commit('move');
});
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));

describe('blame', () => {
  it('follows renames, with names that git would quote', async () => {
    expect(await lineAt('ä b.py', 1)).toMatchObject({
      commit: commits[0],
      path: 'a.py',
      originalLine: 1,
      summary: 'one',
    });
  });

  it('shows the lines as an earlier commit had them', async () => {
    const found = await blame(root, 'b.py', { range: { from: 3, to: 9 }, revision: commits[0] as string });
    expect(found).toMatchObject({ kind: 'lines', lines: [{ text: 'print(sys.path)', commit: commits[0] }] });
  });

  it('reports uncommitted lines, and the reason of a failure', async () => {
    write('b.py', ['import sys', 'changed = 1', 'print(sys.path)', '', ...block]);
    expect(await lineAt('b.py', 2)).toMatchObject({
      commit: '',
      previous: { commit: commits[2], path: 'b.py' },
    });
    expect(await blame(root, 'none.py')).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('none.py'),
    });
  });

  it('reads the lines that commits added, and nothing for none', async () => {
    const [found, ...others] = await commitLines(root, [commits[0] as string], 10_000);
    expect(found?.added.map(({ path, lines }) => [path, lines.length])).toEqual([
      ['a.py', 8],
      ['b.py', 3],
    ]);
    expect(others).toEqual([]);
    expect(await commitLines(root, ['--all'], 10_000)).toEqual([]);
  });

  it('reads objects by name with one process, without those that are missing', async () => {
    const names = [`${commits[0]}:b.py`, `${commits[0]}:none`, commits[1] as string, 'a\nb'];
    const found = await readObjects(root, names);
    expect([...found.keys()]).toEqual([names[0], names[2]]);
    expect(found.get(names[0] as string)).toBe('import sys\n\nprint(sys.path)\n');
  });
});

describe('reading the output of git blame', () => {
  const [first, second] = ['1'.repeat(40), '2'.repeat(64)] as const;
  const read = (...lines: string[]): BlamedLine[] => {
    const reader = readPorcelain();
    for (const line of lines) reader.read(line);
    return reader.lines;
  };

  it('has the fields of a commit at each of its lines, though git prints them once', () => {
    const lines = read(
      ...[
        `${first} 3 1 2`,
        'author Ada L',
        'author-time 5',
        'committer-time 7',
        'summary Round  yen',
        'boundary',
      ],
      ...['filename a b.ts', '\t\tone\r', `${first} 4 2`, '\ttwo'],
    );
    const common = {
      commit: first,
      path: 'a b.ts',
      author: 'Ada L',
      at: 7_000,
      summary: 'Round  yen',
      previous: undefined,
    };
    expect(lines).toEqual([
      { ...common, line: 1, originalLine: 3, text: '\tone' },
      { ...common, line: 2, originalLine: 4, text: 'two' },
    ]);
  });

  it('has the commit before it, and none if it created the file', () => {
    const lines = read(
      ...[`${second} 1 1 1`, `previous ${first} old name.ts`, 'filename a.ts', '\tone'],
      ...[`${second} 1 2 1`, 'filename b.ts', '\ttwo'],
    );
    expect(lines.map(({ path, previous }) => [path, previous])).toEqual([
      ['a.ts', { commit: first, path: 'old name.ts' }],
      ['b.ts', undefined],
    ]);
  });

  it('has no commit for a line that is not committed', () => {
    const [line] = read(`${'0'.repeat(40)} 1 1 1`, 'author Not Committed Yet', 'filename a.ts', '\tone');
    expect(line).toMatchObject({ commit: '', author: 'Not Committed Yet', path: 'a.ts' });
  });
});
