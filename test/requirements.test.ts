import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { promises } from './requirements.ts';

const titles = globSync('{src,web,test}/**/*.test.ts')
  .concat(globSync('test/contract/*.ts'))
  .flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    return [...source.matchAll(/\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*[`'"]\[([\w-]+)\]/g)].map(
      (match) => match[1] as string,
    );
  });

describe('what is promised', () => {
  it('is shown by a test that names it', () => {
    const shown = new Set(titles);
    expect(promises.map(({ tag }) => tag).filter((tag) => !shown.has(tag))).toEqual([]);
  });

  it('is written down wherever a test claims to show it', () => {
    const promised = new Set(promises.map(({ tag }) => tag));
    expect([...new Set(titles)].filter((tag) => !promised.has(tag))).toEqual([]);
  });

  it('is promised once', () => {
    expect(new Set(promises.map(({ tag }) => tag)).size).toBe(promises.length);
  });
});
