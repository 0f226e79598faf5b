import { describe, expect, it } from 'vitest';
import { createWordTests, rankHits, wordOf } from './rank.ts';

describe('ranking lines', () => {
  it.each([
    ['parseArgs', 'export function parseArgs(argv) {'],
    ['parseArgs', '  async parseArgs(argv) {'],
    ['Parser', 'class Parser:'],
    ['Parser', 'pub struct Parser<T> {'],
    ['parse', 'def parse(self, text):'],
    ['Parse', 'func (p *Parser) Parse(text string) error {'],
    ['LIMIT', '#define LIMIT 20'],
    ['limit', 'export const limit = 20;'],
    ['limit', 'const other = limit;', false],
    ['mutex_lock', 'void __sched mutex_lock(struct mutex *lock)'],
    ['mutex_lock', 'extern void mutex_lock(struct mutex *lock);', false],
    ['mutex_lock', '\tmutex_lock(&lock);', false],
    ['mutex_lock', 'return mutex_lock(a', false],
    ['list_head', 'struct list_head {'],
    ['Shape', 'type Shape = Circle'],
    ['Shape', 'interface Shape {'],
    ['constructor', '    "constructor": 1,', false],
  ])('knows whether %s is defined by: %s', (word, line, isDefinition = true) => {
    expect(createWordTests(word).defines(line)).toBe(isDefinition);
  });

  it('puts definitions first and tests last', () => {
    const hit = (text: string) => ({ line: 1, column: 1, text, matchAt: 0 });
    const files = [
      { path: 'a_test.go', tier: 2, hits: [hit('func Parse() {')] },
      { path: 'a.go', tier: 0, hits: [hit('x := Parse()')] },
      { path: 'z.go', tier: 0, hits: [hit('func Parse() {')] },
    ];
    expect(rankHits(files, createWordTests('Parse')).map(({ path }) => path)).toEqual([
      'z.go',
      'a_test.go',
      'a.go',
    ]);
  });

  it.each([
    ['parse_arguments', 'literal', 'parse_arguments'],
    ['foo(', 'literal', 'foo'],
    ['^#define\\s+[A-Z_]+', 'regex', 'define'],
    ['\\d+', 'regex', undefined],
  ] as const)('finds what %s is about', (text, mode, word) => {
    expect(wordOf(text, mode)).toBe(word);
  });
});
