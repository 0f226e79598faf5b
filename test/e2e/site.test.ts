import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overflow, violationsIn } from '../../bench/viewer/pages.ts';
import { buildSite } from '../../scripts/site/build-site.ts';
import { openBrowser } from '../support/browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'backstory-site-'));
const addressOf = (path: string): string => pathToFileURL(join(folder, path)).href;
const compressed = (...paths: string[]): number =>
  paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path)), { level: 9 }).length, 0);

let browser: Browser;
beforeAll(async () => {
  await buildSite('.', folder);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** What people ask, and the pages that answer it. */
const questions: [question: string, pages: string[]][] = [
  ['how do I delete a memory', ['guides/capture', 'guides/notes']],
  ['does it send my code anywhere', ['explanation/what-is-sent']],
  ['git worktree', ['explanation/worktrees-and-branches']],
  ['what happens after import', ['guides/after-import', 'guides/import']],
  ['how much does a model cost', ['guides/models']],
  ['uninstall', ['guides/agents']],
  ['nothing is captured', ['guides/troubleshooting']],
  ['restore postgres backup', ['guides/team-backup']],
  ['block npm install of a package', ['guides/notes']],
  ['api key in prompt redacted', ['guides/secrets']],
];

describe('the documentation site in a browser', () => {
  it('[docs-search] finds the page that answers a question among the first three results', async () => {
    const page = await browser.newPage();
    await page.goto(addressOf('docs/guides/why.html'));
    const missed: string[] = [];
    for (const [question, wanted] of questions) {
      await page.keyboard.press('/');
      await page.getByRole('searchbox').fill(question);
      await page.locator('search li').first().waitFor();
      const links = await page.locator('search li a').evaluateAll((all) => all.map((link) => String(link)));
      if (!links.slice(0, 3).some((link) => wanted.some((path) => link.includes(`/${path}.html`))))
        missed.push(`${question}: ${links.slice(0, 3).join(' ')}`);
      await page.keyboard.press('Escape');
    }
    expect(missed).toEqual([]);
    await page.getByRole('searchbox').fill('worktrees');
    await page.locator('search li').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/worktrees-and-branches.html*');
    await page.close();
  });

  it('[docs-site] fits a phone, has no accessibility violations, and asks no other machine', async () => {
    const pages = ['index.html', ...globSync('docs/{guides,explanation,reference}/*.html', { cwd: folder })];
    const wrong: string[] = [];
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) wrong.push(request.url());
    });
    for (const [at, path] of pages.entries()) {
      await page.emulateMedia({ colorScheme: at % 12 === 0 ? 'light' : 'dark' });
      await page.goto(addressOf(path));
      // The pages have one layout, and a check takes seconds on a busy machine.
      if (at % 6 === 0) wrong.push(...(await violationsIn(page)).map((violation) => `${path}: ${violation}`));
      if ((await overflow(page)) > 0) wrong.push(`${path}: wider than a phone`);
    }
    await page.close();
    expect(wrong).toEqual([]);
  });

  it('[docs-site] can be read without JavaScript, and is small', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(addressOf('index.html'));
    await page.getByRole('link', { name: 'Worktrees and branches' }).click();
    expect(await page.title()).toBe('Worktrees and branches · Backstory');
    await context.close();
    expect(compressed('index.html', 'site.css', 'search.js', 'icon.svg')).toBeLessThan(15_000);
    expect(compressed('search-index.js')).toBeLessThan(110_000);
  });
});
