import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pictureFiles, pictureFolder } from '../scripts/pictures/manifest.ts';

const pages = globSync(['*.md', 'docs/**/*.md']);

/** The pictures of a page, relative to the repository, and their alternative texts. */
function picturesIn(page: string, text: string): { path: string; alt: string | undefined }[] {
  const elements = [...text.matchAll(/<(?:img|source) [^>]*>|!\[([^\]]*)\]\(([^)\s]+)\)/g)];
  return elements.map(([element, markdownAlt, markdownPath]) => {
    const [, path = markdownPath ?? ''] = /(?:src|srcset)="([^"]+)"/.exec(element) ?? [];
    const alt = element.startsWith('<source')
      ? undefined
      : (/alt="([^"]*)"/.exec(element)?.[1] ?? markdownAlt ?? '');
    return { path: join(dirname(page), path), alt };
  });
}

const shown = pages.flatMap((page) =>
  picturesIn(page, readFileSync(page, 'utf8')).map((picture) => ({ page, ...picture })),
);

describe('the pictures of the documentation', () => {
  it('[pictures] have texts that say what is to be seen', () => {
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter(({ alt }) => alt !== undefined && alt.length < 80)).toEqual([]);
  });

  it('[pictures] are those of the manifest, and each is on a page', () => {
    expect(readdirSync(pictureFolder).sort()).toEqual([...pictureFiles].sort());
    const unused = pictureFiles.filter(
      (name) => !shown.some(({ path }) => path === join(pictureFolder, name)),
    );
    expect(unused).toEqual([]);
    const onReadme = shown.filter(({ page }) => page === 'README.md').map(({ path }) => path);
    expect(onReadme).toEqual(expect.arrayContaining([join(pictureFolder, 'repository-light.png')]));
  });
});
