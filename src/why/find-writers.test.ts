import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitAt, put } from '../../test/support/agent-edits.ts';
import { git } from '../../test/support/sandbox.ts';
import { lineHash } from '../base/hash.ts';
import type { Edit } from '../domain/edit.ts';
import type { BlamedLine } from '../git/blame.ts';
import { findWriters } from './find-writers.ts';

const block = [
  'export function retry(task, times) {',
  '  const outcome = task.attemptOnce(times);',
  '  return outcome.valueOrThrow(times);',
  '}',
];
const tail = ['function drain(queue) {', '  queue.drainEverything();', '}'];
const last = [
  'export function settle(queue) {',
  '  queue.settleEverything();',
  '  queue.closeAfterwards();',
  '}',
];
const minute = 60_000;
/** Commits and edits are this long apart, more than the tolerance for clocks. */
const hour = 60 * minute;
const start = Date.parse('2026-11-14T12:00:00Z');
const now = start + 10 * hour;

/** `parent` has a.js, b.js and e.js; `child` moved the block of b.js into c.js, and e.js to f.js. */
let root: string;
let parent: string;
let child: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'backstory-writers-'));
  git(root, 'init', '-q', '-b', 'main', '.');
  const commit = (at: number) => {
    git(root, 'add', '-A');
    gitAt(at, root, 'commit', '-q', '-m', 'x');
    return git(root, 'rev-parse', 'HEAD').trim();
  };
  write('a.js', [...block, ...tail]);
  write('b.js', block);
  write('e.js', last);
  parent = commit(start);
  write('b.js', ['export {};']);
  write('c.js', block);
  renameSync(join(root, 'e.js'), join(root, 'f.js'));
  child = commit(start + 4 * hour);
});
afterAll(() => rmSync(root, { recursive: true }));
const write = (path: string, lines: string[]) => put({ work: root }, path, `${lines.join('\n')}\n`);

let made = 0;
const edit = (
  agentSession: string,
  at: number,
  lines: string[],
  more: Partial<Edit> & { newStart?: number; removed?: string[] } = {},
): Edit => ({
  id: `edit ${++made}`,
  at,
  agent: 'claude-code',
  agentSession,
  turn: '',
  branch: '',
  head: '',
  path: 'a.js',
  isCreation: false,
  hunks: [
    {
      oldStart: 5,
      newStart: more.newStart ?? 0,
      removed: (more.removed ?? []).map(lineHash),
      added: lines.map(lineHash),
    },
  ],
  ...more,
});

/** The session of each of these lines of a file, from 1; `?` if it is unsure, and empty if there is none. */
async function sessionsOf(
  path: string,
  lines: string[],
  edits: Edit[],
  {
    at = lines.map((_, index) => index + 1),
    more = {},
    ofFile = [] as Edit[],
  }: { at?: number[]; more?: Partial<BlamedLine>; ofFile?: Edit[] } = {},
): Promise<string[]> {
  const blamed = at.map(
    (line): BlamedLine => ({
      line,
      text: lines[line - 1] as string,
      commit: '',
      path,
      originalLine: line,
      previous: undefined,
      author: '',
      at: now,
      summary: '',
      ...more,
    }),
  );
  const evidence = {
    isEmpty: false,
    editsWithLines: async (hashes: string[]) =>
      edits.filter(({ hunks }) => hunks.some(({ added }) => added.some((hash) => hashes.includes(hash)))),
    editsOfFile: async (of: string) => ofFile.filter((each) => each.path === of),
  };
  const origins = await findWriters(root, blamed, { path, disk: () => lines, now }, evidence);
  expect(origins.map(({ line }) => line)).toEqual(blamed);
  return origins.map(({ edit: by, isUnsure }) => (isUnsure ? '?' : (by?.agentSession ?? '')));
}
const all = (session: string, count = block.length): string[] => Array.from({ length: count }, () => session);
const inParent = () => ({ previous: { commit: parent, path: 'a.js' } });

describe('the writer of a line', () => {
  it('is nobody known where no agent wrote anything', async () => {
    const line = { line: 1, text: 'x' } as BlamedLine;
    const fail = () => Promise.reject(new Error('asked'));
    const evidence = { isEmpty: true, editsWithLines: fail, editsOfFile: fail };
    expect(await findWriters(root, [line], { path: 'a.js', disk: () => [], now }, evidence)).toEqual([
      { line },
    ]);
  });

  it('wrote it in its file, under its name then and now', async () => {
    const own = (path: string) => edit('one', start + hour, block, { path });
    expect(await sessionsOf('new.js', block, [own('new.js')])).toEqual(all('one'));
    const more = { path: 'then.js', previous: { commit: parent, path: 'earlier.js' } };
    for (const path of ['new.js', 'then.js', 'earlier.js'])
      expect(await sessionsOf('new.js', block, [own(path)], { more })).toEqual(all('one'));
  });

  it('wrote it before the commit that added it, and after the one before', async () => {
    const atCommit = { commit: child, path: 'c.js', at: start + 4 * hour, previous: undefined };
    const wrote = (at: number) =>
      sessionsOf('c.js', block, [edit('one', at, block, { path: 'c.js' })], { more: atCommit });
    expect(await wrote(start + hour)).toEqual(all('one'));
    expect(await wrote(start + 5 * hour)).toEqual(all(''));
  });

  it('is still known of lines that a person moved within their file, and not of a copy', async () => {
    const wrote = [edit('one', start - hour, block)];
    expect(await sessionsOf('a.js', [...tail, ...block], wrote, { at: [4, 5, 6], more: inParent() })).toEqual(
      all('one', 3),
    );
    write('a.js', [...block, ...tail, ...block]);
    const copied = [...block, ...tail, ...block];
    expect(await sessionsOf('a.js', copied, wrote, { at: [8, 9, 10], more: inParent() })).toEqual(all('', 3));
    write('a.js', [...block, ...tail]);
  });

  it('is known of lines that were moved to another file, and not if the other file still has them', async () => {
    const wrote = [edit('one', start - hour, block, { path: 'b.js' })];
    const atCommit = { commit: child, path: 'c.js', at: start + 4 * hour, previous: undefined };
    expect(await sessionsOf('c.js', block, wrote, { more: atCommit })).toEqual(all('one'));
    const inA = [edit('one', start - hour, block, { path: 'a.js' })];
    expect(await sessionsOf('c.js', block, inA, { more: atCommit })).toEqual(all(''));
    expect(await sessionsOf('d.js', block, inA), 'uncommitted').toEqual(all(''));
    write('a.js', tail);
    expect(await sessionsOf('d.js', block, inA), 'uncommitted').toEqual(all('one'));
    write('a.js', [...block, ...tail]);
  });

  it('is known of lines of a file that the commit renamed, and not of a name that the file got later', async () => {
    const more = { commit: child, path: 'f.js', at: start + 4 * hour, previous: undefined };
    const wrote = (path: string) => [edit('one', start - hour, last, { path })];
    expect(await sessionsOf('f.js', last, wrote('e.js'), { more })).toEqual(all('one'));
    write('new.js', block);
    const renamed = [edit('one', start - hour, block, { path: 'new.js' })];
    expect(await sessionsOf('new.js', block, renamed, { more: inParent() })).toEqual(all(''));
    rmSync(join(root, 'new.js'));
  });

  it('is known of lines of a file that was never committed, if it was written after the last commit', async () => {
    const wrote = (at: number) => [edit('one', at, block, { path: 'deleted.js' })];
    const more = { commit: child, path: 'c.js', at: start + 4 * hour, previous: undefined };
    expect(await sessionsOf('c.js', block, wrote(start + hour), { more })).toEqual(all('one'));
    expect(await sessionsOf('c.js', block, wrote(start - hour), { more })).toEqual(all(''));
    expect(await sessionsOf('c.js', block, wrote(start), { more })).toEqual(all(''));
  });

  it('is unsure if two sessions wrote lines that were moved', async () => {
    const paths = ['gone1.js', 'gone2.js'];
    const wrote = (...sessions: string[]) =>
      sessions.map((session, at) => edit(session, start + hour + at, block, { path: paths[at] as string }));
    expect(await sessionsOf('d.js', block.slice(0, 3), wrote('one', 'two'))).toEqual(all('?', 3));
    expect(await sessionsOf('d.js', block.slice(0, 3), wrote('one', 'one'))).toEqual(all('one', 3));
  });

  it('is known of one long line elsewhere only if no other edit wrote it', async () => {
    const line = ['const total = sum(all);'.padEnd(25, ';')];
    const wrote = (session: string, path: string) => edit(session, start + hour, line, { path });
    expect(await sessionsOf('d.js', line, [wrote('one', 'gone.js')])).toEqual(['one']);
    expect(await sessionsOf('d.js', line, [wrote('one', 'gone.js'), wrote('two', 'lost.js')])).toEqual(['']);
    const short = ['const total = sum(all)+1'];
    expect(short[0]).toHaveLength(24);
    expect(await sessionsOf('d.js', short, [edit('one', start + hour, short, { path: 'gone.js' })])).toEqual([
      '',
    ]);
    const common = [`${'}'.repeat(30)}`];
    expect(
      await sessionsOf('d.js', common, [edit('one', start + hour, common, { path: 'gone.js' })]),
    ).toEqual(['']);
  });

  it('is found by the lines around it if the line is in every file, up to six away', async () => {
    const far = (between: number) => [
      'const first = begin();',
      ...Array.from({ length: between }, () => '}'),
    ];
    const last = async (between: number) => {
      const lines = far(between);
      return sessionsOf('new.js', lines, [edit('one', start + hour, lines, { path: 'new.js' })], {
        at: [lines.length],
      });
    };
    expect([await last(1), await last(6), await last(7)]).toEqual([['one'], ['one'], ['']]);
    const lines = ['}', '}', '}', 'const first = begin();'];
    const wrote = [edit('one', start + hour, lines, { path: 'new.js' })];
    expect(await sessionsOf('new.js', lines, wrote, { at: [1] })).toEqual(['one']);
  });

  it('of a repeated line is the session of a unique line next to it, or nobody', async () => {
    const lines = [
      'const first = begin();',
      '  check();',
      'const last = end();',
      '  check();',
      'const more = end(2);',
    ];
    const wrote = [
      edit('one', start + hour, lines.slice(0, 2), { path: 'new.js' }),
      edit('two', start + 2 * hour, lines.slice(2), { path: 'new.js' }),
    ];
    expect(await sessionsOf('new.js', lines, wrote)).toEqual(['one', 'one', 'two', 'two', 'two']);
    const alone = [edit('one', start + hour, ['  check();'], { path: 'new.js' })];
    expect(await sessionsOf('new.js', lines, alone)).toEqual(['', '', '', '', '']);
    const repeated = ['  check();', '  check();'];
    expect(
      await sessionsOf('new.js', repeated, [edit('one', start + hour, repeated, { path: 'new.js' })]),
    ).toEqual(['one', 'one']);
  });

  it('of a repeated line is decided by a unique line at most six lines above or below', async () => {
    const lines = (away: number) => [
      'const first = begin();',
      ...Array.from({ length: away - 1 }, () => '}'),
      '  check();',
      '  check();',
    ];
    const edits = [
      edit('one', start + hour, ['  check();', '  check();'], { path: 'new.js' }),
      edit('two', start + hour, ['const first = begin();'], { path: 'new.js' }),
    ];
    const checks = async (away: number, isBelow: boolean) => {
      const text = isBelow ? lines(away).reverse() : lines(away);
      const found = await sessionsOf('new.js', text, edits);
      return found.filter((_, at) => text[at] === '  check();');
    };
    expect(await checks(5, false)).toEqual(['', '']);
    expect(await checks(6, false)).toEqual(['', 'one']);
    expect(await checks(7, false)).toEqual(['one', 'one']);
    expect(await checks(5, true)).toEqual(['', '']);
    expect(await checks(6, true)).toEqual(['one', '']);
    expect(await checks(7, true)).toEqual(['one', 'one']);
  });

  it('is looked up by file if very many edits wrote the line', async () => {
    const line = ['const total = sum(everything);'];
    const others = (count: number) =>
      Array.from({ length: count }, () => edit('many', start + hour, line, { path: 'other.js' }));
    const own = edit('one', start + hour, line, { path: 'new.js' });
    expect(await sessionsOf('new.js', line, others(49), { ofFile: [own] })).not.toEqual(['one']);
    expect(await sessionsOf('new.js', line, others(50), { ofFile: [own] })).toEqual(['one']);
  });
});
