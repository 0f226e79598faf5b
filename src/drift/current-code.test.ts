import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeSymbol } from '../code/symbols/symbol.ts';
import { CurrentCode, headOf, isStillDefined, symbolOf } from './current-code.ts';
import { SourceText } from './source-text.ts';

const symbol = (name: string, startLine: number, endLine: number, container = ''): CodeSymbol => ({
  kind: 'function',
  name,
  container,
  startLine,
  endLine,
  line: startLine,
  column: 1,
  signature: '',
});

describe('the symbol of some lines', () => {
  const outer = symbol('Outer', 1, 20);
  const inner = symbol('inner', 5, 9);
  const small = symbol('small', 6, 7);
  const all = [outer, inner, small];

  it('is the largest within them, else the innermost around them', () => {
    expect(symbolOf(all, 5, 9)).toBe(inner);
    expect(symbolOf(all, 4, 10)).toBe(inner);
    expect(symbolOf([small, inner], 5, 9)).toBe(inner);
    expect(symbolOf(all, 6, 6)).toBe(small);
    expect(symbolOf([small, outer], 8, 8)).toBe(outer);
    expect(symbolOf(all, 8, 9)).toBe(inner);
    expect(symbolOf(all, 5, 6)).toBe(inner);
    expect(symbolOf(all, 9, 10)).toBe(outer);
    expect(symbolOf(all, 20, 21)).toBeUndefined();
    expect(symbolOf([], 1, 1)).toBeUndefined();
  });

  it('is, of two of the same size, the first within the lines and the last around them', () => {
    const [a, b] = [symbol('a', 2, 3), symbol('b', 4, 5)];
    expect(symbolOf([a, b], 1, 9)).toBe(a);
    const twin = symbol('twin', 5, 9);
    expect(symbolOf([inner, twin], 6, 6)).toBe(twin);
  });
});

describe('whether the symbol of old lines is still defined', () => {
  const old = new SourceText('function retry() {\n  attempt();\n}\n');
  const origin = { keys: old.index.keys, block: [0, 1, 2], text: old };
  const ask = (
    present: CodeSymbol[] | undefined,
    more: { text?: undefined; budgetMs?: number } = {},
    before = [symbol('retry', 1, 3, 'Queue')],
  ) => {
    const read: string[] = [];
    const now = new CurrentCode({
      root: '/',
      key: '',
      budgetMs: more.budgetMs ?? 60_000,
      symbols: async (_, text) => {
        read.push(text);
        return text.startsWith('function') ? before : present;
      },
    });
    return isStillDefined(
      'text' in more ? { keys: [], block: [0] } : origin,
      'a.js',
      new SourceText('now\n'),
      now,
    );
  };

  it('depends on its name and its class', async () => {
    expect(await ask([symbol('x', 1, 1), symbol('retry', 40, 50, 'Queue')])).toBe(true);
    expect(await ask([symbol('retry', 1, 3, 'Task')])).toBe(false);
    expect(await ask([symbol('retryAll', 1, 3, 'Queue')])).toBe(false);
    expect(await ask([])).toBe(false);
  });

  it('is asked of the symbol of exactly these lines, whatever the order of the others', async () => {
    const lines = [symbol('a', 4, 4), symbol('b', 5, 5), symbol('c', 6, 6)];
    const text = new SourceText(`function\n${'x();\n'.repeat(8)}`);
    const isDefined = (order: number[], present: string) => {
      const symbols = async (_: string, of: string) =>
        of.startsWith('function') ? order.map((at) => lines[at] as CodeSymbol) : [symbol(present, 1, 1)];
      const now = new CurrentCode({ root: '/', key: '', budgetMs: 60_000, symbols });
      return isStillDefined(
        { keys: text.index.keys, block: [4], text },
        'a.js',
        new SourceText('now\n'),
        now,
      );
    };
    for (const order of [
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      expect(await isDefined(order, 'b')).toBe(true);
      expect(await isDefined(order, 'a')).toBe(false);
    }
  });

  it('is unknown without a parser, a text or time, and outside all symbols', async () => {
    expect(await ask(undefined)).toBeUndefined();
    expect(await ask([], { text: undefined })).toBeUndefined();
    expect(await ask([], { budgetMs: 0 })).toBeUndefined();
    expect(await ask([], {}, [symbol('far', 2, 2)])).toBe(false);
    expect(await ask([], {}, [symbol('far', 9, 9)])).toBeUndefined();
    let asked = 0;
    const symbols = async () => {
      asked++;
      return [];
    };
    for (const remainingMs of [0, 1])
      await isStillDefined(origin, 'a.js', old, { code: { symbols }, remainingMs } as never);
    expect(asked, 'only with time left').toBe(1);
    const without = new CurrentCode({ root: '/', key: '' });
    expect(await isStillDefined(origin, 'a.js', old, without)).toBeUndefined();
  });
});

describe('files of the checkout', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'backstory-code-'));
    mkdirSync(join(root, 'folder'));
    writeFileSync(join(root, 'a.js'), 'one\n');
    writeFileSync(join(root, 'large.js'), 'x'.repeat(4 * 1024 * 1024 + 1));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('are read once, and are absent, or unread if they are too large or outside', () => {
    const now = new CurrentCode({ root, key: '' });
    const stateOf = (path: string) => [now.file(path)?.lines, now.isAbsent(path), now.isUnread(path)];
    expect(stateOf('a.js')).toEqual([['one'], false, false]);
    writeFileSync(join(root, 'a.js'), 'two\n');
    expect(stateOf('a.js')).toEqual([['one'], false, false]);
    for (const path of ['none.js', 'folder']) expect(stateOf(path)).toEqual([undefined, true, false]);
    for (const path of ['', join(root, 'a.js'), 'large.js'])
      expect(stateOf(path)).toEqual([undefined, false, true]);
  });

  it('outside git are on no branch', () => {
    const now = new CurrentCode({ root, key: '' });
    expect([now.isInGit, now.branch]).toEqual([false, '']);
    expect(headOf(root)).toEqual({ branch: '', head: '' });
    expect(now.remainingMs).toBeGreaterThan(0);
    expect(now.remainingMs).toBeLessThanOrEqual(1_000);
  });
});
