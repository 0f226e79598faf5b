import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linksIn } from './support/markdown-links.ts';

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

  it('link only to pages and headings that exist', () => {
    const broken = pages.flatMap((page) =>
      linksIn(read(page))
        .filter(([path, heading]) => !leadsSomewhere(path === '' ? page : join(dirname(page), path), heading))
        .map((link) => `${page}: ${link.join('#')}`),
    );
    expect(broken).toEqual([]);
  });
});

const leadsSomewhere = (path: string, heading: string): boolean =>
  existsSync(path) && (heading === '' || headingsOf(read(path)).includes(heading));

const headingsOf = (page: string): string[] =>
  [...page.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
