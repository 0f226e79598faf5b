import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gitAt, put } from '../../test/support/agent-edits.ts';
import { git } from '../../test/support/sandbox.ts';
import { lineHash } from '../base/hash.ts';
import type { Anchor } from '../domain/anchor.ts';
import { linesHash } from '../text/file-lines.ts';
import { checkAnchors } from './check-drift.ts';
import { type CheckedCode, CurrentCode } from './current-code.ts';

const block = [
  'export function retry(task, times) {',
  '  const outcome = task.attemptOnce(times);',
  '  if (outcome.isSettled()) return outcome;',
  '  return outcome.valueOrThrow(times);',
  '}',
];
const other = (name: string): string[] => [
  `export function ${name}(queue) {`,
  `  const file = queue.${name}File();`,
  `  queue.${name}All(file);`,
  '}',
];
const [above, below] = [other('drain'), other('flush')];
const file = [...above, '', ...block, '', ...below, '', ...other('load')];
const start = above.length + 2;

let work: string;
let second = Date.parse('2026-11-14T12:00:00Z') / 1000;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'backstory-trace-'));
  git(work, 'init', '-q', '-b', 'main', '.');
  write('a.js', file);
  write('b.js', other('settle'));
  commit('base');
  git(work, 'tag', 'base');
});
afterAll(() => rmSync(work, { recursive: true }));
beforeEach(() => {
  git(work, 'checkout', '-q', '-f', '-B', 'main', 'base');
  git(work, 'clean', '-q', '-fd');
});

const write = (path: string, lines: string[]) => put({ work }, path, `${lines.join('\n')}\n`);
const now = (): number => {
  second += 10;
  return second * 1000;
};
function commit(message: string): string {
  git(work, 'add', '-A');
  gitAt(now(), work, 'commit', '-q', '--allow-empty', '-m', message);
  return git(work, 'rev-parse', 'HEAD').trim();
}
/** The lines of `retry`, as an agent read them in the first commit. */
const readThen = (more: Partial<Anchor> = {}): Anchor => ({
  path: 'a.js',
  start,
  lines: { kind: 'span', count: block.length, hash: linesHash('key', block) },
  commit: git(work, 'rev-parse', 'base').trim(),
  branch: '',
  at: now(),
  ...more,
});
async function driftOf(anchor: Anchor, more: Partial<CheckedCode> = {}) {
  const current = new CurrentCode({ root: work, key: 'key', budgetMs: 60_000, ...more });
  return (await checkAnchors([anchor], current)).get(anchor);
}
const replaced = (from: number, to: number, ...lines: string[]): string[] => [
  ...file.slice(0, from - 1),
  ...lines,
  ...file.slice(to),
];

describe('code after an uncommitted change', () => {
  it('that renamed its file is looked for in the new file, also if the code changed', async () => {
    const anchor = readThen();
    rmSync(join(work, 'a.js'));
    write('unrelated.js', [...other('close'), ...other('open')]);
    write('renamed.js', file.with(start, '  const outcome = task.attemptTwice(times);'));
    expect(await driftOf(anchor)).toMatchObject({
      state: 'changed',
      path: 'renamed.js',
      was: 'a.js',
      by: 'uncommitted',
      keptLines: 3,
      of: 4,
    });
    rmSync(join(work, 'renamed.js'));
    expect(await driftOf(anchor)).toMatchObject({ state: 'gone', path: 'a.js', keptLines: 0, of: 5 });
  });

  it('is looked for in a file with half of the lines of the old one, and not in one with fewer', async () => {
    const six = ['x', 'y'].flatMap((name) => other(name).slice(0, 3));
    write('half.js', six);
    const commitHash = commit('half');
    const read = { kind: 'span' as const, count: 2, hash: linesHash('key', six.slice(0, 2)) };
    const anchor = readThen({ path: 'half.js', start: 1, lines: read, commit: commitHash });
    rmSync(join(work, 'half.js'));
    const pathWith = async (lines: string[]) => {
      write('half2.js', [...lines, 'lost();']);
      return (await driftOf(anchor))?.path;
    };
    expect(await pathWith(six.slice(1, 4))).toBe('half2.js');
    expect(await pathWith(six.slice(1, 3))).toBe('half.js');
  });

  it('is found in the file with the most lines of the old one', async () => {
    const anchor = readThen();
    rmSync(join(work, 'a.js'));
    write('c.js', [...above, ...below, ...block.slice(0, 2), 'lost();']);
    write('d.js', [...above, ...below, ...block.slice(0, 4), 'lost();']);
    write('e.js', [...above, ...below]);
    expect(await driftOf(anchor)).toMatchObject({ path: 'd.js', was: 'a.js' });
  });

  it('is gone, or changed, by how much of it is left and what took its place', async () => {
    const anchor = readThen();
    write('a.js', replaced(start, start + 4));
    expect(await driftOf(anchor)).toMatchObject({ state: 'gone', by: 'uncommitted', keptLines: 0, of: 4 });
    write('a.js', replaced(start + 1, start + 2));
    expect(await driftOf(anchor)).toMatchObject({ state: 'changed', keptLines: 2, of: 4 });
    write('a.js', replaced(start, start + 4, ...other('wait')));
    expect(await driftOf(anchor)).toMatchObject({ state: 'gone' });
    write(
      'a.js',
      replaced(
        start,
        start + 4,
        'function retryTask(task, times) {',
        '  return task.attemptOnce(times).valueOrThrow();',
        '}',
      ),
    );
    expect(await driftOf(anchor)).toMatchObject({ state: 'changed', keptLines: 0 });
  });

  it('is changed and not gone if a parser finds its function, and gone if it does not', async () => {
    const anchor = readThen();
    const symbols = (isDefined: boolean) => ({
      symbols: async (_: string, text: string) =>
        [
          { text: 'attemptOnce', defined: true },
          { text: '', defined: isDefined },
        ]
          .filter((each) => text.includes(each.text))
          .slice(0, 1)
          .filter(({ defined }) => defined)
          .map(() => ({
            kind: 'function' as const,
            name: 'retry',
            container: '',
            startLine: start,
            endLine: start + 4,
            line: start,
            column: 1,
            signature: '',
          })),
    });
    write('a.js', replaced(start, start + 4, 'const again = withBackoff(queue);'));
    expect(await driftOf(anchor)).toMatchObject({ state: 'gone' });
    expect(await driftOf(anchor, symbols(true))).toMatchObject({ state: 'changed' });
    expect(await driftOf(anchor, symbols(false))).toMatchObject({ state: 'gone' });
    write('a.js', replaced(start, start + 4));
    expect(await driftOf(anchor, symbols(true)), 'nothing took its place').toMatchObject({ state: 'gone' });
    write('a.js', replaced(start, start + 3, 'const again = withBackoff(queue);', block[3] as string));
    expect(await driftOf(anchor, symbols(true))).toMatchObject({ state: 'changed', keptLines: 1 });
    expect(await driftOf(anchor, symbols(false))).toMatchObject({ state: 'gone', keptLines: 1 });
    expect(await driftOf(anchor), 'without a parser').toMatchObject({ state: 'changed', keptLines: 1 });
  });

  it('is moved if it is in a changed file that did not have it, and not in one that had it before', async () => {
    write('copy.js', [...block, ...other('copy')]);
    commit('copy');
    const anchor = readThen();
    write('a.js', replaced(start, start + 4));
    write('copy.js', [...block, ...other('copied')]);
    expect(await driftOf(anchor)).toMatchObject({ state: 'gone' });
    write('new.js', ['// moved here', ...block]);
    expect(await driftOf(anchor)).toMatchObject({
      state: 'moved',
      path: 'new.js',
      was: 'a.js',
      from: 2,
      to: 6,
      of: 5,
    });
  });

  it('at the same place after other changes is current, and at another place of the file moved', async () => {
    const anchor = readThen();
    write('a.js', ['// above', ...file]);
    expect(await driftOf(anchor)).toMatchObject({ state: 'current', path: 'a.js', from: start + 1 });
    expect(await driftOf(anchor)).not.toHaveProperty('was');
    write('a.js', [...above, '', ...below, '', ...other('load'), ...block]);
    expect(await driftOf(anchor)).toMatchObject({ state: 'moved', path: 'a.js', from: 15, to: 19 });
  });
});

describe('code after commits', () => {
  it('is followed through renames, which the commit may combine with a change', async () => {
    const anchor = readThen();
    renameSync(join(work, 'a.js'), join(work, 'c.js'));
    commit('rename');
    expect(await driftOf(anchor)).toMatchObject({ state: 'moved', path: 'c.js', was: 'a.js', from: start });
    rmSync(join(work, 'c.js'));
    write('d.js', file.with(start, '  const outcome = task.attemptTwice(times);'));
    const renamed = commit('rename and change');
    expect(await driftOf(anchor)).toMatchObject({
      state: 'changed',
      path: 'd.js',
      was: 'a.js',
      by: renamed,
      keptLines: 3,
    });
    for (const [from, to] of ['de', 'ef', 'fg', 'gh'].map((pair) => [...pair])) {
      renameSync(join(work, `${from}.js`), join(work, `${to}.js`));
      commit(`rename to ${to}`);
    }
    expect((await driftOf(anchor))?.path, 'after more renames than are followed').toBe('f.js');
  });

  it('was changed by the first commit after which a line is missing, or most of them if most are gone', async () => {
    const anchor = readThen();
    write('a.js', ['// first', ...file]);
    commit('above');
    write('a.js', replaced(start + 3, start + 3));
    const changed = commit('one line');
    write('a.js', [...replaced(start + 3, start + 3), '// last']);
    commit('below');
    expect(await driftOf(anchor)).toMatchObject({ state: 'changed', by: changed, keptLines: 3 });
    write('a.js', replaced(start, start + 4));
    const removed = commit('all lines');
    write('a.js', [...replaced(start, start + 4), '// last']);
    commit('below again');
    expect(await driftOf(anchor)).toMatchObject({ state: 'gone', by: removed });
  });

  it('is gone with its file, by the commit that deleted it', async () => {
    const anchor = readThen();
    rmSync(join(work, 'a.js'));
    const deleted = commit('delete');
    expect(await driftOf(anchor)).toMatchObject({ state: 'gone', by: deleted, keptLines: 0, of: 5 });
  });

  it('is found where the commit moved it, and said to be on the branch that alone has it', async () => {
    const anchor = readThen();
    write('a.js', replaced(start, start + 4));
    write('b.js', [...other('settle'), ...block]);
    commit('move');
    write('b.js', ['// above', ...other('settle'), ...block]);
    commit('later');
    expect(await driftOf(anchor)).toMatchObject({ state: 'moved', path: 'b.js', was: 'a.js', from: 6 });
  });
});

describe('code that was never committed', () => {
  const written = other('wait').map((line) => `${line} // slow`);
  /** Four lines in place of the first four of `retry`. */
  const edited = (more: Partial<Anchor> = {}): Anchor =>
    readThen({
      lines: {
        kind: 'hashes',
        hashes: written.map(lineHash),
        replaced: { start, hashes: block.slice(0, 4).map(lineHash) },
      },
      ...more,
    });

  it('is changed where about as many other lines are, and else gone', async () => {
    expect(await driftOf(edited()), 'the old lines').toMatchObject({
      state: 'changed',
      by: 'uncommitted',
      keptLines: 0,
      of: 4,
    });
    const stateWith = async (lines: string[]) => {
      write('a.js', replaced(start, start + 3, ...lines));
      return (await driftOf(edited()))?.state;
    };
    const lines = ['x', 'y'].flatMap((name) => other(name).slice(0, 3));
    expect([
      await stateWith([]),
      await stateWith(lines.slice(0, 2)),
      await stateWith(lines.slice(0, 3)),
      await stateWith(lines.slice(0, 5)),
      await stateWith(lines.slice(0, 6)),
    ]).toEqual(['gone', 'gone', 'changed', 'changed', 'gone']);
    expect(await stateWith(['}', ');', '}', '});']), 'nothing distinctive').toBe('gone');
  });

  it('of an unknown commit is compared with the last commit before it, on its own branch', async () => {
    expect(await driftOf(edited({ commit: '' }))).toMatchObject({ state: 'changed', keptLines: 0, of: 4 });
    expect(await driftOf(edited({ commit: '', branch: 'main' }))).toMatchObject({
      state: 'changed',
      keptLines: 0,
    });
    expect(await driftOf(edited({ commit: '', branch: 'gone' }))).toMatchObject({
      state: 'elsewhere',
      branch: 'gone',
    });
  });

  it('and whose version before is unknown counts the distinctive lines that are left', async () => {
    const unknown = (...lines: string[]): Anchor =>
      edited({ commit: 'f'.repeat(40), lines: { kind: 'hashes', hashes: lines.map(lineHash) } });
    const [first, second] = block as [string, string];
    expect(await driftOf(unknown('  nowhere.inIt();'))).toMatchObject({
      state: 'gone',
      by: 'uncommitted',
      of: 1,
    });
    expect(await driftOf(unknown(first, '  nowhere.inIt();', '}'))).toMatchObject({
      state: 'changed',
      keptLines: 1,
      of: 3,
    });
    // They are all somewhere in the file, but apart, so they may be other lines.
    expect((await driftOf(unknown(above[1] as string, below[1] as string)))?.state).toBe('unchecked');
    expect((await driftOf(unknown(first, second)))?.state).toBe('unchecked');
    write('a.js', ['// committed']);
    commit('other');
    const after = await driftOf({ ...unknown('  nowhere.inIt();'), at: 0 });
    expect(after?.state).toBe('gone');
    expect(after).not.toHaveProperty('by');
    rmSync(join(work, 'a.js'));
    expect(await driftOf(readThen({ commit: 'f'.repeat(40) }))).toMatchObject({ state: 'gone', of: 5 });
  });

  it('here is elsewhere if its branch has it, or had it', async () => {
    git(work, 'checkout', '-q', '-B', 'feature');
    write('a.js', replaced(start, start + 3, ...written));
    commit('feature');
    const anchor = edited({ branch: 'feature' });
    git(work, 'checkout', '-q', 'main');
    expect(await driftOf(anchor)).toEqual({
      state: 'elsewhere',
      branch: 'feature',
      path: 'a.js',
      keptLines: 0,
      of: 4,
    });
    expect(await driftOf({ ...anchor, branch: 'main' })).toMatchObject({ state: 'changed' });
    git(work, 'branch', '-q', '-D', 'feature');
    expect(await driftOf(anchor)).toMatchObject({ state: 'elsewhere', branch: 'feature', path: 'a.js' });
  });
});
