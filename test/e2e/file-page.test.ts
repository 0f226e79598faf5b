import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findChromium } from '../../bench/viewer/browser.ts';
import { overflow, violationsIn } from '../../bench/viewer/pages.ts';
import { looks, noPageErrors, type Visitor, visit } from '../../bench/viewer/visitor.ts';
import { makeSignInCode } from '../../src/base/sign-in-codes.ts';
import { filePage, workedFiles } from '../../src/wire/answers/file-page.ts';
import { openBrowser } from '../support/browser.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';
import { type Served, startServe } from '../support/serve.ts';

const lacking = findChromium() === undefined ? 'Chromium is not installed' : undefined;
if (lacking !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(lacking);

const installed = () => inject('installedPackage');
const path = 'src/queue.ts';
const prompt = 'Take jobs with skip locked, so that two workers never wait for each other.';
const added = [
  '/** Takes the oldest free job. */',
  'export async function takeJob(worker: string): Promise<Job | undefined> {',
  "  return query('select * from jobs for update skip locked', [worker]);",
  '}',
  '',
];
const person = Array.from({ length: 1_995 }, (_, at) => `export const limit${at} = ${at}; // case ${at}`);

/** A file of 2,000 lines: a person wrote it, and an agent added a function at line 101. */
function worked(): { sandbox: Sandbox; first: string } {
  const sandbox = createSandbox(installed());
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(sandbox.repo, name)), { recursive: true });
    writeFileSync(join(sandbox.repo, name), text);
  };
  put('.gitignore', 'secret.env\n');
  put('secret.env', 'KEY=1\n');
  put('src/<b>odd</b> & name.ts', 'export const odd = 1;\n');
  put('src/bidi.ts', 'const a = 1; // \u202E hidden\n');
  symlinkSync('/etc/passwd', join(sandbox.repo, 'src/out.ts'));
  put(path, `${person.join('\n')}\n`);
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-qm', 'Limits of the queue');
  const first = git(sandbox.repo, 'rev-parse', 'HEAD').trim();
  expect(sandbox.cli('install', 'claude-code').status).toBe(0);
  const hook = (hook_event_name: string, more: object) =>
    sandbox.hook({ hook_event_name, session_id: 'agent-1', prompt_id: 'turn-1', cwd: sandbox.repo, ...more });
  hook('UserPromptSubmit', { prompt });
  put(path, `${[...person.slice(0, 100), ...added, ...person.slice(100)].join('\n')}\n`);
  hook('PostToolUse', {
    tool_name: 'Edit',
    tool_use_id: 'use-1',
    tool_input: { file_path: join(sandbox.repo, path) },
    tool_response: {
      structuredPatch: [{ oldStart: 101, newStart: 101, lines: added.map((line) => `+${line}`) }],
    },
  });
  hook('Stop', { last_assistant_message: 'Jobs are taken with skip locked now.' });
  git(sandbox.repo, 'commit', '-qam', 'Take jobs without waiting');
  const noted = sandbox.cli('remember', 'Jobs are taken with skip locked', '--files', `${path}:101-104`);
  expect(noted.status).toBe(0);
  settle(sandbox);
  return { sandbox, first };
}

describe('the page of a file', () => {
  let sandbox: Sandbox;
  let served: Served;
  let first: string;
  let browser: Browser | undefined;
  beforeAll(async () => {
    ({ sandbox, first } = worked());
    served = await startServe(sandbox, installed());
    if (lacking === undefined) browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await served.stop();
    sandbox.remove();
  });
  const fileOf = (name: string, query: Record<string, string> = {}) =>
    served.fetch(`/api/v1/viewer/file?${new URLSearchParams({ path: name, ...query })}`);
  const storyOf = (name: string, query: Record<string, string> = {}) =>
    served.fetch(`/api/v1/viewer/file/story?${new URLSearchParams({ path: name, ...query })}`);

  it('[file-page-confined] reads no file outside the checkout, behind a link, or ignored by git', async () => {
    const refused = [
      '../repo/src/queue.ts',
      '/etc/passwd',
      'src/out.ts',
      'secret.env',
      '.git/config',
      'none.ts',
    ];
    for (const name of refused)
      for (const query of [{}, { commit: first }])
        for (const answer of [fileOf, storyOf]) {
          const response = await answer(name, query as Record<string, string>);
          expect([name, response.status >= 400 && response.status < 500]).toEqual([name, true]);
          expect(await response.text()).not.toMatch(/root:|KEY=|repositoryformatversion/);
        }
    expect((await fileOf(path, { commit: `${first}:secret.env` })).status).toBe(400);
    expect((await fileOf(path, { commit: '0'.repeat(40) })).status).toBe(404);
  });

  it('[file-page] lists the files that agents edited, with the share of their lines', async () => {
    const { items } = workedFiles.parse(await (await served.fetch('/api/v1/viewer/files')).json());
    expect(items).toEqual([
      { path, at: expect.any(Number), lines: 1_998, agentLines: 3, decisions: 1, failures: 0 },
    ]);
  });

  it('shows characters that hide code by their number, without colours', async () => {
    const page = filePage.parse(await (await fileOf('src/bidi.ts')).json());
    expect(page.lines[0]).not.toContain('\u202E');
    expect(page.tokens[0]).toEqual([]);
  });

  describe.skipIf(lacking !== undefined)(`in Chromium${lacking === undefined ? '' : ` (${lacking})`}`, () => {
    const mishaps = noPageErrors();
    const open = async (at: number): Promise<Visitor> => {
      const port = Number(new URL(served.url).port);
      const code = makeSignInCode(join(sandbox.home, '.backstory'), {
        port,
        isPerson: true,
        now: Date.now(),
      });
      return visit(
        browser as Browser,
        `${served.url}/login?code=${code}`,
        looks[at] as (typeof looks)[number],
        mishaps,
      );
    };

    it('[file-page] shows the turn that wrote a block on hover and by key, and opens its session', async () => {
      const { page, go, close } = await open(0);
      await go(`file/${path}?line=101`);
      await page.locator('.line[data-line="101"][data-target] .t-comment').waitFor();
      await page
        .locator('.margin-link')
        .filter({ hasText: prompt.slice(0, 20) })
        .hover();
      await page.locator('.story-card').filter({ hasText: prompt }).waitFor();
      expect(await page.locator('.story-card').textContent()).toContain('Code unchanged');
      expect(await violationsIn(page)).toEqual([]);
      await page.mouse.move(300, 5);
      await page.locator('.story-card').waitFor({ state: 'detached' });
      await page.keyboard.press('j');
      await page.locator('.story-card').filter({ hasText: prompt }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.said-prompt').filter({ hasText: prompt }).waitFor();
      expect(page.url()).toContain('#/session/agent-1?at=');
      // The session leads back to the line's file, from the diff of the edit.
      await page.locator('.work .edit > summary').first().click();
      await page.locator('.work a.file-name').first().click();
      await page.locator('.file .line').first().waitFor();
      await close();
    });

    it('[file-page] shows the code before its backstory, does not move it when that arrives, and is accessible', async () => {
      for (const at of looks.keys()) {
        const { page, go, close } = await open(at);
        const { promise: isRead, resolve: letAnswer } = Promise.withResolvers<void>();
        await page.route('**/api/v1/viewer/file/story?*', async (asked) => {
          await isRead;
          await asked.continue();
        });
        await go(`file/${path}?line=1500`);
        const line = page.locator('.line[data-line="1500"][data-target]');
        await line.waitFor();
        expect(await page.locator('.margin-wait').count()).toBe(1);
        const before = await line.boundingBox();
        letAnswer();
        await page.locator('.margin-link').first().waitFor({ state: 'attached' });
        const moved = async () => Math.abs(((await line.boundingBox())?.y ?? 0) - (before?.y ?? 0));
        await expect.poll(moved).toBeLessThan(2);
        expect([looks[at], await violationsIn(page), await overflow(page)]).toEqual([looks[at], [], 0]);
        await close();
      }
    });

    it('[file-page] colours by session, person and age, and shows a past state', async () => {
      const { page, go, close } = await open(0);
      await go(`file/${path}?line=101`);
      const block = page.locator('.block').filter({ has: page.locator('[data-line="101"]') });
      await block.waitFor();
      expect(await block.getAttribute('data-tone')).toBe('1');
      await page.getByText('Age', { exact: true }).click();
      await page.locator('[data-colouring="age"] .block[data-tone="1"]').first().waitFor();
      await page.locator('summary').filter({ hasText: 'Past states' }).click();
      await page.locator('.states a').filter({ hasText: 'Limits of the queue' }).click();
      await page
        .locator('.past-state')
        .filter({ hasText: first.slice(0, 8) })
        .waitFor();
      expect(await page.locator('.file-head').textContent()).toContain('1,995 lines');
      await close();
    });

    it('loads nothing from elsewhere and logs no error', () => {
      expect(mishaps).toEqual(noPageErrors());
    });
  });
});
