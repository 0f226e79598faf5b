import { describe, expect, it } from 'vitest';
import type { MemoStep } from '../domain/memo.ts';
import { fileLines, linesHash } from '../text/file-lines.ts';
import { contentsAfter, fileKey, freshness } from './context-contents.ts';

const key = 'k';
let at = 0;
const step = (more: object): MemoStep =>
  ({
    id: `e${++at}`,
    at,
    seq: at,
    agent: 'claude-code',
    agentSession: 's',
    subagent: '',
    clientPid: 1,
    checkout: 'c',
    head: '',
    ...more,
  }) as MemoStep;
const read = (text: string, startLine = 1, isWhole = true): MemoStep => {
  const lines = fileLines(text);
  const total = isWhole ? { total: lines.length } : {};
  return step({
    kind: 'read',
    path: 'a.ts',
    startLine,
    lines: lines.length,
    hash: linesHash(key, lines),
    tokens: 5,
    ...total,
  });
};
const statusOf = (steps: MemoStep[], disk: string | undefined): string =>
  freshness(
    contentsAfter(steps).files.get(fileKey('c', 'a.ts')),
    disk === undefined ? undefined : fileLines(disk),
    key,
  ).status;

describe('the context of an agent session', () => {
  it('[memo-fresh] is fresh while all lines that were read are unchanged and in place', () => {
    expect(statusOf([read('one\ntwo\n')], 'one\ntwo\n')).toBe('fresh');
    expect(statusOf([read('one\ntwo\n')], 'one\r\ntwo')).toBe('fresh');
    expect(statusOf([read('one\ntwo\n')], 'one\nTWO\n')).toBe('stale');
    expect(statusOf([read('one\ntwo\n')], 'one\ntwo\nthree\n')).toBe('stale');
    expect(statusOf([read('one\ntwo\n')], undefined)).toBe('stale');
    expect(statusOf([], 'one\n')).toBe('unknown');
  });

  it('is fresh for lines that were read, whatever happens to the rest of the file', () => {
    const part = read('two\nthree', 2, false);
    expect(statusOf([part], 'one\ntwo\nthree\nfour\n')).toBe('fresh');
    expect(statusOf([part], 'ONE\ntwo\nthree\n')).toBe('fresh');
    expect(statusOf([part], 'zero\none\ntwo\nthree\n')).toBe('stale');
    expect(statusOf([part], 'one\ntwo\n')).toBe('stale');
  });

  it('[memo-compaction] is empty after a compaction or a clear, and complete after a resume', () => {
    const before = read('one\n');
    expect(statusOf([before, step({ kind: 'compaction' })], 'one\n')).toBe('unknown');
    const start = (cause: string) => step({ kind: 'session', phase: 'start', cause, preludeTokens: 0 });
    expect(statusOf([before, start('clear')], 'one\n')).toBe('unknown');
    expect(statusOf([before, start('resume')], 'one\n')).toBe('fresh');
    expect(statusOf([before, step({ kind: 'compaction' }), start('compact'), read('one\n')], 'one\n')).toBe(
      'fresh',
    );
  });

  it('counts a compaction once if it is reported three times', () => {
    const again = step({ kind: 'session', phase: 'start', cause: 'compact', preludeTokens: 0 });
    const steps = [read('one\n'), step({ kind: 'compaction' }), again, step({ kind: 'compaction' })];
    expect(contentsAfter(steps).epoch).toBe(1);
    expect(contentsAfter([...steps, read('one\n'), step({ kind: 'compaction' })]).epoch).toBe(2);
  });

  it('includes its own edits, but not what a subagent read', () => {
    const [before, after] = [read('one\n'), fileLines('ONE\n')];
    const piece = { startLine: 1, lines: 1, total: 1, hash: linesHash(key, after), tokens: 1 };
    const was = before.kind === 'read' ? before.hash : '';
    const edit = step({ kind: 'edit', path: 'a.ts', holds: [{ ...piece, was }] });
    expect(statusOf([before, edit], 'ONE\n')).toBe('fresh');
    expect(statusOf([before, edit], 'one\n')).toBe('stale');
    // Somebody reverted the edit: the file has the text that was read, but not the text that the agent wrote.
    expect(statusOf([before, step({ kind: 'edit', path: 'a.ts', holds: [] })], 'one\n')).toBe('stale');
    expect(statusOf([{ ...before, subagent: 'helper' }], 'one\n')).toBe('unknown');
  });

  it('is empty after a period without capture, even if an edit follows', () => {
    const seen = read('one\n');
    const end = ++at;
    const after = step({ kind: 'session', phase: 'end' });
    const was = seen.kind === 'read' ? seen.hash : '';
    const hash = linesHash(key, ['two']);
    const holds = [{ was, startLine: 1, lines: 1, total: 1, hash, tokens: 1 }];
    const edit = step({ kind: 'edit', path: 'a.ts', holds });
    const pieces = (steps: MemoStep[], captureGapEnds: number[]) =>
      contentsAfter(steps, '', captureGapEnds).files.get(fileKey('c', 'a.ts'))?.pieces;
    expect(pieces([seen, after, edit], [])).toMatchObject([{ hash }]);
    expect(pieces([seen], [end])).toEqual([]);
    expect(pieces([seen, after], [end])).toEqual([]);
    expect(pieces([seen, after, edit], [end])).toEqual([]);
    expect(contentsAfter([seen, after], '', [end])).toMatchObject({ epoch: 1, emptiedAt: end });
  });
});
