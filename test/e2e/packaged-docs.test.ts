import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';

/** Relative links of a page, except in code. */
const linksIn = (page: string): string[] =>
  [...page.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(
    ([, link]) => link as string,
  );

describe('The documentation in the package', () => {
  const folder = inject('installedPackage');
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: folder });

  it('[packaged-docs] contains the pages that the README links to, and every page that they link to', () => {
    expect(pages).toContain('README.md');
    expect(linksIn(readFileSync(join(folder, 'README.md'), 'utf8')).length).toBeGreaterThan(5);
    const missing = pages.flatMap((page) =>
      linksIn(readFileSync(join(folder, page), 'utf8'))
        .filter((link) => !existsSync(join(folder, dirname(page), link)))
        .map((link) => `${page}: ${link}`),
    );
    expect(missing).toEqual([]);
  });
});
