import { describe, expect, it } from 'vitest';
import { definitionChunks } from './definition-chunks.ts';

const body = (name: string): string[] => Array.from({ length: 9 }, (_, at) => `  ${name}(${at});`);

describe('definitionChunks', () => {
  it('cuts a file at its definitions, each with the comment above it', () => {
    const text = [
      'export function first() {',
      ...body('one'),
      '}',
      '',
      '/** Says what second does. */',
      'export class Second {',
      ...body('two'),
      '}',
      '',
    ].join('\n');
    const [first, second, ...rest] = definitionChunks(text);
    expect(rest).toEqual([]);
    expect(first).toMatchObject({ from: 1, to: 12, names: [{ name: 'first', line: 1, isType: false }] });
    expect(second).toMatchObject({ from: 13, names: [{ name: 'Second', line: 14, isType: true }] });
    expect(second?.text.startsWith('/** Says what second does. */')).toBe(true);
  });

  it('keeps short definitions together and cuts long ones, without losing a line', () => {
    const short = Array.from({ length: 6 }, (_, at) => `def short${at}(): pass`);
    const long = ['def long():', ...Array.from({ length: 200 }, (_, at) => `    call(${at})`)];
    const text = [...short, ...long].join('\n');
    const chunks = definitionChunks(text);
    expect(chunks.map(({ text: own }) => own).join('\n')).toBe(text);
    expect(chunks[0]?.names.map(({ name }) => name)).toContain('short5');
    for (const { from, to } of chunks) expect(to - from).toBeLessThan(60);
  });

  it('finds nothing in an empty file', () => {
    expect(definitionChunks('')).toEqual([]);
    expect(definitionChunks('\n\n')).toEqual([]);
  });
});
