import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { promises } from './requirements.ts';

const titles = globSync('{src,client,web,test}/**/*.test.ts')
  .concat(globSync('test/{contract,e2e/agents}/*.ts'))
  .flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    return [...source.matchAll(/\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*[`'"]\[([\w-]+)\]/g)].map(
      (match) => match[1] as string,
    );
  });

describe('promises', () => {
  it('are each cited by a test title', () => {
    const cited = new Set(titles);
    expect(promises.map(({ tag }) => tag).filter((tag) => !cited.has(tag))).toEqual([]);
  });

  it('exist for every tag in a test title', () => {
    const promised = new Set(promises.map(({ tag }) => tag));
    expect([...new Set(titles)].filter((tag) => !promised.has(tag))).toEqual([]);
  });

  it('have unique tags', () => {
    expect(new Set(promises.map(({ tag }) => tag)).size).toBe(promises.length);
  });
});
