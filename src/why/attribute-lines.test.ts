import { describe, expect, it } from 'vitest';
import { lineHash } from '../base/hash.ts';
import type { Edit } from '../domain/edit.ts';
import { createFileHasher } from '../text/line-index.ts';
import { candidatesOf, type WrittenLine, writerOf } from './attribute-lines.ts';

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
});
