import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readPage } from '../../scripts/site/page.ts';

/** Pictures in two themes are HTML. */
const htmlPictures = /<(?:source|img) [^>]*?\bsrc(?:set)?="(?![a-z]+:)([^"]+)"/g;

const pathsIn = (page: string): string[] => [
  ...readPage(page).links.flatMap((link) => link.replace(/#.*/, '') || []),
  ...[...page.matchAll(htmlPictures)].map(([, path = '']) => path),
];

describe('The documentation in the package', () => {
  const folder = inject('installedPackage');
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: folder });

  it('[packaged-docs] contains the pages that the README links to, and every page that they link to', () => {
    expect(pages).toContain('README.md');
    expect(pathsIn(readFileSync(join(folder, 'README.md'), 'utf8'))).toContain(
      'docs/pictures/repository-light.png',
    );
    const missing = pages.flatMap((page) =>
      pathsIn(readFileSync(join(folder, page), 'utf8'))
        .filter((link) => !existsSync(join(folder, dirname(page), link)))
        .map((link) => `${page}: ${link}`),
    );
    expect(missing).toEqual([]);
  });

  it('contains the pictures and the files for operators, and no decision records', () => {
    const has = (pattern: string): boolean => globSync(pattern, { cwd: folder }).length > 0;
    expect(['docs/pictures/*.png', 'deploy/compose.yaml', 'docs/adr'].map(has)).toEqual([true, true, false]);
  });
});
