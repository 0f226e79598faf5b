import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildSite } from '../scripts/site/build-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'backstory-site-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the documentation site', () => {
  it('[docs-site] is built from the repository, and all its links, anchors and pictures lead somewhere', async () => {
    const { pages, broken } = await buildSite('.', join(folder, 'site'));
    expect(broken).toEqual([]);
    expect(pages).toBeGreaterThan(60);
    const llms = readFileSync(join(folder, 'site', 'llms.txt'), 'utf8');
    expect(llms).toMatch(/^# Backstory\n\n> .+\n\n## /);
    expect(llms).toContain('(docs/guides/import.md): ');
  });

  it('[docs-site] reports what leads nowhere', async () => {
    const files = {
      'README.md':
        '# One\n\n## A `b_c`: d\n\n## Twice\n\n## Twice\n\n[1](#a-b_c-d) [2](#twice-1) [3](docs/README.md#two)',
      'docs/README.md':
        '# Two\n\n[1](gone.md) [2](#gone) [3](../README.md#gone) ![4](gone.png) <img src="lost.png"> [5](../../x)\n\n`[6](gone.md)`',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, 'planted', path)), { recursive: true });
      writeFileSync(join(folder, 'planted', path), text);
    }
    const { broken } = await buildSite(join(folder, 'planted'), join(folder, 'out'));
    const links = ['gone.md', '#gone', '../README.md#gone', 'gone.png', 'lost.png', '../../x'];
    expect(broken).toEqual(links.map((link) => `docs/README.md: ${link}`));
  });
});
