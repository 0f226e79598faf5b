import { describe, expect, it } from 'vitest';
import { lineHash } from '../base/hash.ts';
import type { CodeSymbol } from '../code/symbols/symbol.ts';
import type { Anchor, AnchorLines } from '../domain/anchor.ts';
import type { PathChange } from '../git/path-history.ts';
import type { CurrentCode } from './current-code.ts';
import { SourceText } from './source-text.ts';
import { findRenamed, stateOf, withoutHistory } from './trace-anchors.ts';

const text = (...lines: string[]) => new SourceText(lines.join('\n'));

describe('lost code', () => {
  const [then, file] = [text('load() {', '  read();', '}'), text('save() {', '}')];
  const symbol = { name: 'load', container: '', startLine: 1, endLine: 3 } as CodeSymbol;
  interface Lost {
    kept?: number;
    of?: number;
    lines?: number;
    similarity?: number;
    isDistinctive?: boolean;
    /** Whether its symbol is still in the file; undefined without a parser. */
    isDefined?: boolean;
    isHashed?: boolean;
    isFileGone?: boolean;
  }
  const state = ({
    kept = 0,
    of = 100,
    lines = 100,
    similarity = 0,
    isDistinctive = true,
    ...more
  }: Lost) => {
    const symbols = async (_: string, source: string) =>
      source === then.lines.join('\n') || more.isDefined === true ? [symbol] : [];
    const now = {
      code: more.isDefined === undefined ? {} : { symbols },
      remainingMs: 1_000,
    } as unknown as CurrentCode;
    return stateOf(
      { keys: then.index.keys, block: [0, 1, 2], ...(more.isHashed ? {} : { text: then }) },
      'a.js',
      { kind: 'lost', keptLines: kept, of, replacement: { lines, similarity, isDistinctive } },
      more.isFileGone ? undefined : file,
      now,
    );
  };
  const states = (...all: Lost[]) => Promise.all(all.map(state));

  it('is gone with its file', async () => {
    expect(await states({ isFileGone: true, kept: 90, similarity: 1 })).toEqual(['gone']);
  });

  it('is changed if a third of its lines is left, or half of its words, whatever a parser says', async () => {
    const isDefined = false;
    expect(await states({ kept: 34, isDefined }, { kept: 33, isDefined })).toEqual(['changed', 'gone']);
    expect(await states({ similarity: 0.5, isDefined }, { similarity: 0.49, isDefined })).toEqual([
      'changed',
      'gone',
    ]);
  });

  it('is changed if its symbol is still defined and something took its place, or if a line is left', async () => {
    expect(
      await states(
        { isDefined: true },
        { isDefined: true, isDistinctive: false },
        { isDefined: true, isDistinctive: false, kept: 1 },
        { kept: 1, isDistinctive: false },
      ),
    ).toEqual(['changed', 'gone', 'changed', 'changed']);
  });

  it('without a parser is changed if the lines in its place have three tenths of its words', async () => {
    expect(
      await states({ similarity: 0.3 }, { similarity: 0.29 }, { similarity: 0.3, isDistinctive: false }),
    ).toEqual(['changed', 'gone', 'gone']);
  });

  it('of which only hashes are known is changed if about as many lines took its place', async () => {
    const sized = (lines: number, isDistinctive = true): Lost => ({
      of: 8,
      lines,
      isDistinctive,
      isHashed: true,
    });
    expect(await states(sized(5), sized(6), sized(8), sized(10), sized(11), sized(8, false))).toEqual([
      'gone',
      'changed',
      'changed',
      'changed',
      'gone',
      'gone',
    ]);
  });
});

describe('code of which no version is found', () => {
  const lines = ['first();', 'second();', '}'];
  const find = (of: AnchorLines, disk: string[] | undefined, changes: PathChange[] = []) => {
    const now = { file: () => disk && text(...disk) } as unknown as CurrentCode;
    return withoutHistory({ path: 'a.js', lines: of } as Anchor, changes, now);
  };
  const written: AnchorLines = { kind: 'hashes', hashes: lines.map(lineHash) };
  const read: AnchorLines = { kind: 'span', count: 7, hash: 'h' };
  const by = { by: 'uncommitted' };

  it('is gone with its file, and not known if it was read and the file exists', () => {
    expect(find(read, undefined)).toEqual({ state: 'gone', path: 'a.js', ...by, keptLines: 0, of: 7 });
    expect(find(read, lines)).toBeUndefined();
    expect(find(written, undefined)).toEqual({ state: 'gone', path: 'a.js', ...by, keptLines: 0, of: 3 });
  });

  it('was written and is changed if some of its distinctive lines are left, and gone if none are', () => {
    expect(find(written, ['first();', '}'])).toEqual({
      ...{ state: 'changed', path: 'a.js', ...by, keptLines: 1, of: 3 },
    });
    expect(find(written, ['}', 'other();'])).toMatchObject({ state: 'gone', keptLines: 0 });
  });

  it('is not known if all of its lines are somewhere in the file', () => {
    expect(find(written, ['x();', ...lines])).toBeUndefined();
    const distinctive: AnchorLines = { kind: 'hashes', hashes: lines.slice(0, 2).map(lineHash) };
    expect(find(distinctive, ['second();', 'first();'])).toBeUndefined();
  });

  it('names no change if the file was committed since', () => {
    const change: PathChange = { commit: 'c', at: 1, path: 'a.js', status: 'modified' };
    expect(find(written, ['other();'], [change])).not.toHaveProperty('by');
  });
});

describe('a renamed file', () => {
  const keys = ['a1();', 'b1();', 'c1();', 'd1();'].map(lineHash);
  const files: Record<string, string[]> = {
    half: ['a1();', 'b1();', 'x();'],
    less: ['a1();', 'x();', 'y();', 'z();'],
    most: ['a1();', 'b1();', 'c1();'],
    same: ['b1();', 'c1();', 'd1();'],
  };
  const find = (...touched: string[]) =>
    findRenamed(
      { keys },
      touched.map((path) => ({ path })),
      { file: (path: string) => files[path] && text(...files[path]) } as unknown as CurrentCode,
    );

  it('is the changed file with the most lines in common, and at least half of them', () => {
    expect(find('less', 'half', 'gone')).toBe('half');
    expect(find('half', 'most', 'same')).toBe('most');
    expect([find('less'), find('gone'), find()]).toEqual([undefined, undefined, undefined]);
  });

  it('is looked for in sixty files', () => {
    const others = (count: number) => Array.from({ length: count }, () => 'gone');
    expect([find(...others(59), 'most'), find(...others(60), 'most')]).toEqual(['most', undefined]);
  });
});
