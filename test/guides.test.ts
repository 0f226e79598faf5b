import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const pages = globSync(['*.md', 'docs/**/*.md']);
const read = (path: string): string => readFileSync(path, 'utf8');

describe('the guides', () => {
  it('name only files of deploy that exist', () => {
    const names = pages.flatMap((page) =>
      [...read(page).matchAll(/`(deploy\/[\w./-]+)`/g)].map(([, name]) => name as string),
    );
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !existsSync(name))).toEqual([]);
  });

  it('are all listed in the index', () => {
    const index = read('docs/README.md');
    const unlisted = pages
      .filter((page) => /^docs\/(?:guides|explanation|reference)\//.test(page))
      .filter((page) => !index.includes(`(${page.slice('docs/'.length)})`));
    expect(unlisted).toEqual([]);
  });

  it('begin with a README of at most 700 words', () => {
    expect(read('README.md').trim().split(/\s+/).length).toBeLessThanOrEqual(700);
  });
});
