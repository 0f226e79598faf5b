import { describe, expect, it } from 'vitest';
import { lineHash } from '../base/hash.ts';
import type { Anchor, AnchorLines } from '../domain/anchor.ts';
import type { PathChange } from '../git/path-history.ts';
import { linesHash } from '../text/file-lines.ts';
import type { CurrentCode } from './current-code.ts';
import { blockIn, findOldVersion, type Versions } from './old-version.ts';
import { SourceText } from './source-text.ts';

const lines = (...numbers: number[]): string[] => numbers.map((number) => `callNumber${number}(here);`);
const anchorOf = (of: AnchorLines, more: Partial<Anchor> = {}): Anchor => ({
  path: 'a.js',
  start: 2,
  lines: of,
  commit: 'base',
  branch: '',
  at: 0,
  ...more,
});
const hashes = (...numbers: number[]): AnchorLines => ({
  kind: 'hashes',
  hashes: lines(...numbers).map(lineHash),
});
const span = (count: number, hash = ''): AnchorLines => ({ kind: 'span', count, hash });

function find(anchor: Anchor, texts: Record<string, string[]>, commits: string[] = [], disk?: string[]) {
  const versions = new Map(
    Object.entries(texts).map(([commit, text]) => [`${commit}:a.js`, new SourceText(text.join('\n'))]),
  );
  const changes = commits.map((commit): PathChange => ({ commit, at: 1, path: 'a.js', status: 'modified' }));
  const now = {
    file: () => disk && new SourceText(disk.join('\n')),
    code: { key: 'key' },
  } as unknown as CurrentCode;
  const found = findOldVersion(
    anchor,
    changes,
    { get: (name: string) => versions.get(name) } as Versions,
    now,
  );
  return (
    found && {
      block: found.origin.block,
      keys: found.origin.keys,
      change: found.change,
      text: found.origin.text,
    }
  );
}

describe('the block of an anchor in a version', () => {
  const now = { code: { key: 'key' } } as unknown as CurrentCode;
  const text = new SourceText(['', ...lines(1), '', ...lines(2, 1), '  '].join('\n'));

  it('is, for lines that were read, the lines at the same place without blank ones', () => {
    expect(blockIn(text, anchorOf(span(3)), now)).toEqual([1, 3]);
    expect(blockIn(text, anchorOf(span(1), { start: 1 }), now)).toBeUndefined();
    expect(blockIn(text, anchorOf(span(1), { start: 6 }), now)).toBeUndefined();
    expect(blockIn(text, anchorOf(span(2), { start: 4 }), now)).toEqual([3, 4]);
    expect(blockIn(text, anchorOf(span(2), { start: 6 }), now)).toBeUndefined();
    expect(blockIn(text, anchorOf(span(3, linesHash('key', text.lines.slice(1, 4)))), now)).toEqual([1, 3]);
    expect(blockIn(text, anchorOf(span(3, linesHash('other', text.lines.slice(1, 4)))), now)).toBeUndefined();
  });

  it('is, for lines that were written, the nearest to their place, or the first if that is unknown', () => {
    const at = (start: number) => blockIn(text, anchorOf(hashes(1), { start }), now);
    expect([at(1), at(3), at(4), at(9), at(0)]).toEqual([[1], [1], [4], [4], [1]]);
    expect(blockIn(text, anchorOf(hashes(9)), now)).toBeUndefined();
  });
});

describe('the version that had an anchor’s lines', () => {
  it('is the first of the next three commits that has them', () => {
    const texts = {
      c1: lines(5, 6),
      c2: lines(5, 1, 2),
      c3: lines(1, 2),
      c4: lines(1, 2),
      base: lines(1, 2),
    };
    const commits = ['c1', 'c2', 'c3'];
    expect(find(anchorOf(hashes(1, 2)), texts, commits)).toMatchObject({ block: [1, 2], change: 1 });
    expect(find(anchorOf(hashes(1, 2)), { ...texts, c2: [], c3: [] }, [...commits, 'c4'])).toBeUndefined();
    expect(find(anchorOf(hashes(1, 2)), { c3: lines(1, 2) }, commits)).toMatchObject({ change: 2 });
  });

  it('is the recorded commit for lines that were read, and never for lines that were written', () => {
    const texts = { base: lines(4, 1, 2) };
    expect(find(anchorOf(span(2)), texts)).toMatchObject({
      block: [1, 2],
      change: -1,
      text: expect.anything(),
    });
    expect(find(anchorOf(hashes(1, 2)), texts)).toBeUndefined();
    expect(find(anchorOf(span(2)), { base: lines(4) })).toBeUndefined();
    expect(find(anchorOf(span(2), { commit: '' }), { '': lines(4, 1, 2) })).toMatchObject({ change: -1 });
  });

  it('is rebuilt from the version before the edit, with its lines in place of those it replaced', () => {
    const replaced = (start: number, ...numbers: number[]): AnchorLines => ({
      ...(hashes(8, 9) as Extract<AnchorLines, { kind: 'hashes' }>),
      replaced: { start, hashes: lines(...numbers).map(lineHash) },
    });
    const base = { base: lines(1, 2, 3, 4) };
    expect(find(anchorOf(replaced(2, 2, 3)), base)).toEqual({
      keys: lines(1, 8, 9, 4).map(lineHash),
      block: [1, 2],
      change: -1,
      text: undefined,
    });
    const twice = { base: lines(1, 2, 3, 4, 2, 5) };
    expect(find(anchorOf(replaced(5, 2)), twice)?.block).toEqual([4, 5]);
    expect(find(anchorOf(replaced(2, 2)), twice)?.keys).toEqual(lines(1, 8, 9, 3, 4, 2, 5).map(lineHash));
    expect(find(anchorOf(replaced(2, 7)), base)).toBeUndefined();
    expect(find(anchorOf(replaced(2, 2), { commit: '' }), { '': lines(1, 2) })).toBeUndefined();
    expect(find(anchorOf(hashes(8, 9)), base)).toBeUndefined();
  });

  it('has purely added lines where most of them are now, up to three lines below the reported one', () => {
    const added = (start: number): AnchorLines => ({
      ...(hashes(8, 9) as Extract<AnchorLines, { kind: 'hashes' }>),
      replaced: { start, hashes: [] },
    });
    const base = lines(1, 2, 3, 4, 5, 6);
    const place = (start: number, disk?: string[]) => find(anchorOf(added(start)), { base }, [], disk)?.block;
    // Without a file on disk, all places are equally good: the deepest is taken.
    expect(place(2)).toEqual([4, 5]);
    expect(place(0)).toEqual([2, 3]);
    expect(place(9)).toEqual([6, 7]);
    // One line too deep is as good: the diff then sees that line as moved.
    const edited = (at: number) => [...base.slice(0, at), ...lines(8, 77), ...base.slice(at)];
    expect([1, 2, 3, 4].map((at) => place(2, edited(at))?.[0])).toEqual([2, 3, 4, 4]);
  });
});
