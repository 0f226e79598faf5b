import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import { lineHash } from '../base/hash.ts';
import type { Anchor } from '../domain/anchor.ts';
import type { Evidence } from '../recall/evidence.ts';
import { anchorsOfCommits, checkAnchors, checkDrift, checkPlaces } from './check-drift.ts';
import type { CurrentCode } from './current-code.ts';
import { SourceText } from './source-text.ts';

const block = [
  'export function retry(task, times) {',
  '  const outcome = task.attemptOnce(times);',
  '  return outcome.valueOrThrow(times);',
];
const anchor = (path: string, lines = block): Anchor => ({
  path,
  start: 1,
  lines: { kind: 'hashes', hashes: lines.map(lineHash) },
  commit: '',
  branch: '',
  at: 0,
});

/** A checkout outside git with these files, of which `unread` may not be read, and how much time is left at each look. */
const folder = (files: Record<string, string[]>, left: number[] = [], onGit = () => {}) =>
  ({
    code: { root: '/nowhere', key: 'key' },
    get isInGit() {
      onGit();
      return false;
    },
    get remainingMs() {
      return left.shift() ?? 1_000;
    },
    file: (path: string) => files[path] && new SourceText(files[path].join('\n')),
    isAbsent: (path: string) => files[path] === undefined && path !== 'unread',
    isUnread: (path: string) => path === 'unread',
  }) as unknown as CurrentCode;
const statesOf = async (anchors: Anchor[], now: CurrentCode) => {
  const drifts = await checkAnchors(anchors, now);
  return anchors.map((each) => drifts.get(each)?.state);
};

describe('anchors outside git', () => {
  it('are current, gone with their file, or unchecked if their lines are not found or not read', async () => {
    const anchors = ['here', 'lost', 'other', 'unread', 'here'].map((path) => anchor(path));
    const now = folder({ here: block, other: ['x();'] });
    expect(await statesOf(anchors, now)).toEqual(['current', 'gone', 'unchecked', 'unchecked', 'current']);
    const gone = anchor('lost');
    const span: Anchor = { ...gone, lines: { kind: 'span', count: 7, hash: 'h' } };
    const drifts = await checkAnchors([gone, span], now);
    expect(drifts.get(gone)).toEqual({ state: 'gone', path: 'lost', keptLines: 0, of: 3 });
    expect(drifts.get(span)).toMatchObject({ of: 7 });
  });

  it('are current if their lines are elsewhere in the file, because only git could tell', async () => {
    expect(await statesOf([anchor('here')], folder({ here: ['a', 'b', 'c', 'd', 'e', ...block] }))).toEqual([
      'current',
    ]);
  });

  it('are looked up in git only if they are not at their place', async () => {
    const askedFor = async (path: string, file: string[]) => {
      let asked = 0;
      const now = folder({ here: file }, [], () => asked++);
      await checkAnchors([anchor(path)], now);
      return asked;
    };
    expect(await askedFor('here', block)).toBe(0);
    expect(await askedFor('unread', block)).toBe(0);
    expect(await askedFor('here', ['a', 'b', 'c', 'd', 'e', ...block])).toBe(1);
    expect(await askedFor('lost', block)).toBe(1);
  });

  it('are unchecked once the time is over', async () => {
    const anchors = ['a', 'b'].map((path) => anchor(path));
    const files = { a: block, b: block };
    expect(await statesOf(anchors, folder(files, [0]))).toEqual(['unchecked', 'unchecked']);
    expect(await statesOf(anchors, folder(files, [1, 0]))).toEqual(['current', 'unchecked']);
    expect(await statesOf(anchors, folder({}, [1, 1, 0]))).toEqual(['unchecked', 'unchecked']);
    expect(await statesOf(anchors, folder({}, [1, 1, 1]))).toEqual(['gone', 'gone']);
  });
});

describe('the anchors of a commit', () => {
  const commit = (...added: [path: string, start: number, lines: string[]][]) => ({
    hash: 'c'.repeat(40),
    at: 5,
    added: added.map(([path, start, lines]) => ({ path, start, lines })),
  });
  const short = 'c'.repeat(12);
  const anchorsOf = (added: ReturnType<typeof commit>): Anchor[] =>
    anchorsOfCommits([added], new Map([[short, 'main']])).get(short) ?? [];

  it('are the blocks that it added, without blank lines, the largest first', () => {
    const added = commit(
      ['a.js', 3, ['first();', '', ' ', 'second();']],
      ['b.js', 1, block],
      ['c.js', 1, ['}', '', '}', '}', '}']],
      ['d.js', 9, ['}', 'only();']],
    );
    expect(anchorsOf(added).map(({ path, start }) => [path, start])).toEqual([
      ['a.js', 3],
      ['b.js', 1],
      ['d.js', 9],
    ]);
    expect(anchorsOf(added)[0]).toEqual({
      path: 'a.js',
      start: 3,
      lines: { kind: 'hashes', hashes: ['first();', 'second();'].map(lineHash) },
      commit: 'c'.repeat(40),
      branch: 'main',
      at: 5,
    });
  });

  it('are known by the short hash of each commit that was read', () => {
    const other = { ...commit(), hash: 'd'.repeat(40) };
    const branches = new Map(['d', 'e', 'c'].map((letter) => [letter.repeat(12), letter]));
    const found = anchorsOfCommits([commit(['a.js', 1, block]), other], branches);
    expect([...found].map(([hash, anchors]) => [hash, anchors.map(({ branch }) => branch)])).toEqual([
      ['d'.repeat(12), []],
      [short, ['c']],
    ]);
  });

  it('are at most twelve', () => {
    const many = Array.from({ length: 14 }, (_, at): [string, number, string[]] => [
      `${at}.js`,
      1,
      Array.from({ length: at + 1 }, () => 'same();'),
    ]);
    const paths = anchorsOf(commit(...many)).map(({ path }) => path);
    expect([paths.length, paths[0], paths.at(-1)]).toEqual([12, '13.js', '2.js']);
  });
});

describe('memories whose code is compared', () => {
  // No repository is at this folder itself.
  const code = { root: import.meta.dirname, key: 'key' };
  const evidence = {
    tiesOf: async () => new Map(),
    events: async () => new Map(),
    ofTurns: async () => ({ edits: [], reads: [] }),
    chunksOf: async () => [],
  } as unknown as Evidence;
  const commit = aChunk({
    kind: 'commit',
    agentSession: '',
    turn: '',
    paths: ['a.js'],
    text: `commit ${'c'.repeat(12)}: x`,
  });

  it('are unchecked if their commit cannot be read, and unanchored without code', async () => {
    const prompt = aChunk();
    const checked = await checkPlaces([commit, prompt], evidence, code);
    expect(checked.get(commit)).toMatchObject({ drift: { state: 'unchecked' }, places: [] });
    expect(checked.get(prompt)).toMatchObject({ drift: { state: 'unanchored' }, places: [] });
  });

  it('have the state of the code that their turn wrote', async () => {
    const prompt = aChunk();
    const edits = [
      {
        ...{ id: 'e', at: 1, agent: 'claude-code', agentSession: prompt.agentSession, turn: prompt.turn },
        ...{ branch: '', head: '', path: 'lost.js', isCreation: true },
        hunks: [{ oldStart: 0, newStart: 1, removed: [], added: block.map(lineHash) }],
      },
    ];
    const having = { ...evidence, ofTurns: async () => ({ edits, reads: [] }) } as unknown as Evidence;
    const gone = { state: 'gone', path: 'lost.js', keptLines: 0, of: 3 };
    expect((await checkPlaces([prompt], having, code)).get(prompt)).toEqual({ drift: gone, places: [gone] });
    expect((await checkDrift([prompt], having, code)).get(prompt)).toEqual(gone);
  });

  it('are unchecked if that fails, but the caller learns of a damaged index', async () => {
    const failing = (error: Error) => ({ ...evidence, tiesOf: () => Promise.reject(error) }) as Evidence;
    const checked = await checkPlaces([commit], failing(new Error('x')), code);
    expect([...checked.values()]).toEqual([
      { drift: { state: 'unchecked', keptLines: 0, of: 0 }, places: [] },
    ]);
    const damage = Object.assign(new Error('damaged'), { errcode: 11 });
    await expect(checkPlaces([commit], failing(damage), code)).rejects.toBe(damage);
  });
});
