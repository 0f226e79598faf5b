import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cpuClock } from '../../../test/support/cpu-time.ts';
import { createSymbolReader } from './symbol-reader.ts';
import { tokenClasses } from './tokens.ts';

const read = createSymbolReader('assets/grammars', cpuClock);

/** The tokens of a text as `class:text`, by line. */
async function tokensOf(path: string, text: string): Promise<string[][]> {
  const { tokens = [] } = await read(path, text, { withTokens: true });
  return text.split('\n').map((line, at) => {
    const flat = tokens[at] ?? [];
    return Array.from({ length: flat.length / 3 }, (_, each) => {
      const [column = 0, length = 0, of = 0] = flat.slice(each * 3);
      return `${tokenClasses[of]}:${line.slice(column, column + length)}`;
    });
  });
}

describe('tokens for colours', () => {
  it('names keywords, types, functions, strings, numbers and comments of TypeScript', async () => {
    const text = [
      '/** Takes',
      ' * one job. */',
      'export async function take(queue: Queue): Promise<void> {',
      "  const row = await queue.query('select', 25); // later",
      '  return `got $' + '{row.id} of $' + '{count(true)}`;',
      '}',
    ].join('\n');
    expect(await tokensOf('a.ts', text)).toEqual([
      ['comment:/** Takes'],
      ['comment: * one job. */'],
      [
        'keyword:export',
        'keyword:async',
        'keyword:function',
        'function:take',
        'type:Queue',
        'type:Promise',
        'type:void',
      ],
      [
        'keyword:const',
        'keyword:await',
        'function:query',
        "string:'select'",
        'number:25',
        'comment:// later',
      ],
      [
        'keyword:return',
        'string:`',
        'string:got ',
        'property:id',
        'string: of ',
        'function:count',
        'constant:true',
        'string:`',
      ],
      [],
    ]);
  });

  it.each([
    [
      'a.py',
      'def take(n):\n    # one\n    return f"x {n}" if n else None',
      ['keyword:def', 'function:take', 'comment:# one', 'constant:None'],
    ],
    [
      'a.go',
      'func Take(n int) string {\n\treturn "x" // one\n}',
      ['keyword:func', 'function:Take', 'type:int', 'string:"x"', 'comment:// one'],
    ],
    [
      'a.rs',
      'fn take(n: u32) -> bool { true } // one',
      ['keyword:fn', 'function:take', 'type:u32', 'constant:true', 'comment:// one'],
    ],
    [
      'A.java',
      'class A { int take() { return go("x"); } }',
      ['keyword:class', 'type:A', 'function:take', 'function:go', 'string:"x"'],
    ],
    [
      'a.c',
      'int take(char *s) { return go("x", 1); }',
      ['type:int', 'function:take', 'function:go', 'string:"x"', 'number:1'],
    ],
    [
      'a.rb',
      'def take\n  # one\n  go("x")\nend',
      ['keyword:def', 'function:take', 'comment:# one', 'keyword:end'],
    ],
    [
      'a.php',
      '<?php function take() { return "x"; } // one',
      ['keyword:function', 'function:take', 'comment:// one'],
    ],
    [
      'A.cs',
      'class A { int Take() { return 1; } }',
      ['keyword:class', 'type:A', 'type:int', 'function:Take', 'number:1'],
    ],
  ])('colours %s', async (path, text, expected) => {
    const found = (await tokensOf(path, text)).flat();
    for (const token of expected) expect(found).toContain(token);
  });

  it('stays inside its lines, in order and without overlaps, also with characters outside the BMP', async () => {
    const text = `const a = '𝒳😀';\n${readFileSync('src/code/symbols/extract.ts', 'utf8')}`;
    const { tokens = [] } = await read('a.ts', text, { withTokens: true });
    const lines = text.split('\n');
    expect(tokens.length).toBe(lines.length);
    for (const [at, flat] of tokens.entries()) {
      let end = 0;
      for (let each = 0; each < flat.length; each += 3) {
        expect(flat[each]).toBeGreaterThanOrEqual(end);
        end = (flat[each] as number) + (flat[each + 1] as number);
      }
      expect(end).toBeLessThanOrEqual((lines[at] as string).length);
    }
  });

  it('has no tokens for a language without a parser', async () => {
    expect((await read('a.txt', 'one two', { withTokens: true })).tokens).toEqual([]);
  });
});
