import { describe, expect, it } from 'vitest';
import { lineHash } from '../base/hash.ts';
import type { Edit } from '../domain/edit.ts';
import { createFileHasher } from '../text/line-index.ts';
import { candidatesOf, minScoreElsewhere, type WrittenLine, writerOf } from './attribute-lines.ts';

const edit = (
  agentSession: string,
  at: number,
  added: string[],
  more: Partial<Edit['hunks'][number]> = {},
): Edit => ({
  id: agentSession,
  at,
  agent: 'claude-code',
  agentSession,
  turn: '',
  branch: '',
  head: '',
  path: 'a.js',
  isCreation: false,
  hunks: [{ oldStart: 3, newStart: 3, removed: [], ...more, added: added.map(lineHash) }],
});
const lineIn = (lines: string[], place: number, more: Partial<WrittenLine> = {}): WrittenLine => ({
  file: createFileHasher()(lines),
  place,
  path: 'a.js',
  writtenBefore: 1_000_000,
  authoredAt: 1_000_000,
  current: createFileHasher()(lines),
  before: undefined,
  ...more,
});
const writer = (line: WrittenLine, ...edits: Edit[]) =>
  writerOf(candidatesOf(line, edits))?.edit.agentSession;

const file = ['function load() {', '  const answer = fetchIt();', '  return answer;', '}'];
const whole = { oldStart: 0, newStart: 1 };

describe('the writer of a line', () => {
  it('is the first edit that overwrote the whole file, if no edit has a diff', () => {
    const line = lineIn(file, 1);
    expect(writer(line, edit('first', 1, file, whole), edit('second', 2, file, whole))).toBe('first');
    expect(writer(line, edit('first', 1, file, whole), edit('diff', 2, file.slice(1, 2)))).toBe('diff');
  });

  it('is never an edit made after the commit', () => {
    expect(writer(lineIn(file, 1), edit('late', 2_000_000, file))).toBeUndefined();
  });

  it('is never an edit whose lines were in the file before the commit', () => {
    const before = { file: createFileHasher()(file), at: 500 };
    const twice = [...file, '', ...file];
    expect(writer(lineIn(twice, 6, { before }), edit('landed', 100, file))).toBeUndefined();
    expect(writer(lineIn(twice, 6, { before }), edit('later', 600, file, { newStart: 6 }))).toBe('later');
  });

  it('is never an edit that only reported an unchanged line', () => {
    const kept = edit('kept', 1, file, { removed: file.map(lineHash) });
    expect(writer(lineIn(file, 1), kept)).toBeUndefined();
  });

  it('is, for a closing brace, the edit that wrote the lines around it', () => {
    expect(writer(lineIn(file, 3), edit('brace', 1, ['}']))).toBeUndefined();
    expect(writer(lineIn(file, 3), edit('block', 1, file.slice(1)))).toBe('block');
  });

  it('is found for the one of two equal lines whose surroundings the edit wrote', () => {
    const lines = ['one();', 'shared();', 'other();', 'two();', 'shared();', 'more();'];
    const agent = edit('agent', 1, ['two();', 'shared();', 'more();'], {
      newStart: 0,
      oldStart: 0,
      removed: ['x'],
    });
    expect(writer(lineIn(lines, 4), agent)).toBe('agent');
    expect(writer(lineIn(lines, 1), agent)).toBeUndefined();
  });

  it('is not an edit after the commit was made whose lines fit better elsewhere now', () => {
    const first = ['function load() {', '  const tree = readTree();', '  return tree.first;', '}'];
    const second = ['function save() {', '  const tree = readTree();', '  return tree.second;', '}'];
    const later = edit('later', 5 * 60_000, second);
    const rebased = { authoredAt: 60_000, current: createFileHasher()([...first, ...second]) };
    expect(writer(lineIn(first, 1), later)).toBe('later');
    expect(writer(lineIn(first, 1, rebased), later)).toBeUndefined();
    expect(writer(lineIn(second, 1, { authoredAt: 60_000 }), later)).toBe('later');
  });

  it('may have edited up to a minute after the commit, because clocks differ', () => {
    const wrote = (at: number) => writer(lineIn(file, 1), edit('one', at, file));
    expect([wrote(1_060_000), wrote(1_060_001)]).toEqual(['one', undefined]);
    const other = ['function save() {', '  const answer = fetchIt();', '  return answer.saved;', '}'];
    const rebased = lineIn(other, 1, {
      writtenBefore: 9_000_000,
      current: createFileHasher()([...other, ...file]),
    });
    const late = (at: number) => writer(rebased, edit('one', at, file));
    expect([late(1_060_000), late(1_060_001)]).toEqual(['one', undefined]);
  });

  it('edited after the version before the commit, if that version has the line or the edit kept it', () => {
    const had = { before: { file: createFileHasher()(file), at: 500 } };
    const lacked = { before: { file: createFileHasher()(['other();']), at: 500 } };
    const kept = { removed: file.map(lineHash) };
    const at = (ms: number, more: Partial<WrittenLine>, hunk = {}) =>
      candidatesOf(lineIn(file, 1, more), [edit('one', ms, file, hunk)]).map(({ isOld }) => isOld);
    expect([at(500, had), at(501, had)]).toEqual([[true], [false]]);
    expect([at(500, lacked, kept), at(501, lacked, kept)]).toEqual([[], [false]]);
  });

  it('wrote the line nearest to where the edit reports it, if all fit equally well', () => {
    const lines = ['shared();', 'shared();', 'shared();'];
    const placesOf = (hunk: Edit) => lines.flatMap((_, at) => (writer(lineIn(lines, at), hunk) ? [at] : []));
    const at = (newStart: number, added = ['shared();']) => placesOf(edit('one', 1, added, { newStart }));
    expect([at(1), at(2), at(3)]).toEqual([[0], [1], [2]]);
    expect(at(2, ['gone();', 'shared();'])).toEqual([2]);
    expect(at(0), 'unknown').toEqual([0, 1, 2]);
  });

  it('is scored by the place in the edit that fits best, if the edit has the line twice', () => {
    const [good, poor] = [
      ['first();', 'shared();', 'second();'],
      ['third();', 'shared();', 'fourth();'],
    ];
    for (const added of [
      [...good, '', ...poor],
      [...poor, '', ...good],
    ])
      expect(candidatesOf(lineIn(good, 1), [edit('one', 1, added, { newStart: 0 })])[0]?.score).toBe(3);
  });

  it('is one that wrote the line rather than one that reported it unchanged', () => {
    const line = lineIn(file, 1, { before: { file: createFileHasher()(['other();']), at: 0 } });
    const kept = edit('kept', 2, file, { removed: file.map(lineHash) });
    expect(writer(line, edit('wrote', 1, file), kept)).toBe('wrote');
    expect(writer(line, kept)).toBe('kept');
  });

  it('is the last with a diff and, of two at the same time, the one that fits better', () => {
    const [one, two] = [edit('one', 1, file), edit('two', 2, file)];
    expect([writer(lineIn(file, 1), one, two), writer(lineIn(file, 1), two, one)]).toEqual(['two', 'two']);
    const part = edit('part', 1, file.slice(1, 2));
    expect([writer(lineIn(file, 1), one, part), writer(lineIn(file, 1), part, one)]).toEqual(['one', 'one']);
  });

  it('overwrote the whole file only if the edit began at its first line and removed nothing', () => {
    const first = edit('first', 1, file, whole);
    const then = (hunk: object, more: object = {}) =>
      writer(lineIn(file, 1), first, { ...edit('then', 2, file, { ...whole, ...hunk }), ...more });
    expect(then({})).toBe('first');
    expect(then({}, { isCreation: true })).toBe('then');
    for (const hunk of [{ newStart: 0 }, { newStart: 2 }, { oldStart: 1 }, { removed: [lineHash('x')] }])
      expect(then(hunk), JSON.stringify(hunk)).toBe('then');
  });
});

describe('how well an edit fits a line', () => {
  const scoreOf = (lines: string[], place: number, added: string[]) =>
    candidatesOf(lineIn(lines, place), [edit('one', 1, added, { newStart: 0 })])[0]?.score;
  const words = ['first();', 'second();', 'third();'];

  it('is the number of its distinctive lines around it, a little less if lines are between', () => {
    expect([1, 2, 3].map((count) => scoreOf(words.slice(0, count), 0, words))).toEqual([1, 2, 3]);
    expect([0, 1, 2].map((place) => scoreOf(words, place, words))).toEqual([3, 3, 3]);
    expect(scoreOf(['first();', 'new();', 'second();'], 0, words)).toBe(1.96);
    expect(scoreOf(['first();', '}'], 1, ['first();', '}'])).toBe(1);
    expect(scoreOf(['first();', 'new();', 'new();', 'second();'], 0, words)).toBe(1.92);
    expect(scoreOf(['first();', '}', 'second();'], 0, ['first();', '}', 'second();'])).toBe(2.01);
  });

  it('suffices in a file of the same name with one line next to it, and of another name with two', () => {
    const [one, two, three] = [1, 2, 3].map((count) => scoreOf(words.slice(0, count), 0, words) as number);
    const least = (path: string) => minScoreElsewhere({ ...edit('one', 1, words), path: 'src/a.js' }, path);
    for (const path of ['a.js', 'lib/a.js']) {
      expect(least(path)).toBeGreaterThan(one as number);
      expect(least(path)).toBeLessThan(two as number);
    }
    for (const path of ['src/b.js', 'src/ba.js', 'aXjs', 'src/a.js/a']) {
      expect(least(path)).toBeGreaterThan(two as number);
      expect(least(path)).toBeLessThan(three as number);
    }
  });
});
