import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { violationsIn } from '../../bench/viewer/pages.ts';
import { type Look, looks, noPageErrors, type Visitor, visit } from '../../bench/viewer/visitor.ts';
import { systemClock } from '../../src/base/clock.ts';
import { homePaths } from '../../src/base/paths.ts';
import { notePartsOf } from '../../src/memory/notes/note-parts.ts';
import { rememberNote } from '../../src/memory/notes/remember.ts';
import { createHome, type Home, openDrain } from '../harness/home.ts';
import { type Serving, startServing } from '../harness/serving.ts';
import { openBrowser } from '../support/browser.ts';
import { sampleEvent } from '../support/sample-event.ts';

const removed =
  'We decided to keep sessions in cookies instead of local storage because scripts can read the latter.';
const choice =
  "Let's use Postgres for the job queue instead of Redis, because jobs and rows must commit together.";
const wide = looks[0] as Look;

let home: Home;
let server: Serving;
let browser: Browser;
const errors = noPageErrors();

beforeAll(async () => {
  home = createHome({ folder: inject('installedPackage'), prefix: '', tarballBytes: 0 });
  for (const [at, prompt] of [removed, choice].entries()) {
    const turn = { session_id: `session-${at}`, prompt_id: `turn-${at}`, cwd: home.repo };
    home.hook({ ...turn, hook_event_name: 'UserPromptSubmit', prompt });
  }
  home.json('remember', 'Proposed: retry a failed job three times.');
  await home.startDrain().ended;
  server = await startServing(home);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.child.kill();
  home?.remove();
});

const open = (look = wide): Promise<Visitor> => visit(browser, server.login(), look, errors);
const preludeText = (): string => home.json<{ text: string }>('prelude').text;

const git = (...args: string[]): Buffer =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], { cwd: home.repo });

/** Writes two proposals of an agent, both made from the first prompt. */
async function propose(...texts: string[]): Promise<void> {
  const project = basename(home.projectFolder());
  const parts = openDrain(homePaths(home.backstory), project, { userHome: home.home, clock: systemClock });
  const prompt = home.events().find(({ kind }) => kind === 'prompt');
  const context = sampleEvent({ kind: 'probe', body: { nonce: '' }, project });
  for (const text of texts)
    await rememberNote(notePartsOf(parts, context), {
      text,
      kind: 'decision',
      concepts: [],
      files: [],
      trust: 1,
      author: 'x',
      derivedFrom: [prompt?.id ?? ''],
    });
}

describe('the first page of the viewer', () => {
  it('[viewer-today] shows each line that the next session is told, with the turn it came from', async () => {
    const { page, close } = await open();
    const line = page.locator('.told').filter({ hasText: 'in cookies' });
    await line.waitFor();
    expect(await line.textContent()).toContain('A prompt of yours');
    expect((await line.textContent())?.split('in cookies').length).toBe(2);
    await line.locator('.evidence').click();
    await page.locator('.said[data-wanted]').filter({ hasText: 'in cookies' }).waitFor();
    await close();
  });

  it('[viewer-today] says first what happened on the last day with a session', async () => {
    const { page, close } = await open();
    const digest = page.locator('.digest').filter({ hasText: '2 sessions, 2 prompts' });
    await digest.getByRole('link', { name: 'Postgres' }).click();
    await page.locator('.said, .turn').filter({ hasText: 'Postgres' }).first().waitFor();
    await close();
  });

  it('[viewer-today] removes a line on "Not here", and puts it back on undo', async () => {
    const { page, close, press } = await open();
    const line = page.locator('.told').filter({ hasText: 'in cookies' });
    await line.hover();
    await line.getByRole('button', { name: 'Not here' }).click();
    await line.waitFor({ state: 'detached' });
    await press('u');
    await line.waitFor();
    expect(preludeText()).toContain('in cookies');
    await line.hover();
    await line.getByRole('button', { name: 'Not here' }).click();
    await page.waitForResponse((response) => response.url().endsWith('/mute') && response.ok());
    await expect.poll(preludeText).not.toContain('in cookies');
    expect(preludeText()).toContain('Postgres');
    expect(JSON.stringify(home.json('recall', 'sessions in cookies'))).toContain('in cookies');
    await close();
  });
});

describe('topics and review', () => {
  it('[viewer-topics] writes a note, finds it, replaces it and shows what was valid before', async () => {
    const { page, close, go, press } = await open();
    await go('topics');
    await page.getByRole('button', { name: 'New note' }).click();
    await page.locator('.editor textarea').fill('Deploys go out on Mondays.');
    await page.getByLabel('Kind').selectOption('rule');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.topic .topic-text').filter({ hasText: 'Mondays' }).waitFor();
    await page.locator('.topic-filter [type=search]').fill('deploys mond');
    await page.locator('.topic').filter({ hasText: 'Mondays' }).locator('.topic-text').click();
    await page.locator('.note-actions').waitFor();
    await press('w');
    await page.locator('.note textarea').fill('Deploys go out on Tuesdays.');
    await press('Control+Enter');
    await page.locator('.note .standing a').filter({ hasText: 'Tuesdays' }).click();
    await page.locator('.topic-story li').filter({ hasText: 'Mondays' }).waitFor();
    await close();
    expect(preludeText()).toContain('Tuesdays');
    expect(preludeText()).not.toContain('go out on Mondays');
  });

  it('[viewer-topics] forgets a note after a preview of everything that goes', async () => {
    const text = 'The staging password is rotated on Fridays.';
    const { id } = home.json<{ id: string }>('remember', text);
    await propose('Proposed from a prompt: rotate the password.');
    const { page, close, go, press } = await open();
    await go(`note/${id}`);
    await page.locator('.note-actions').waitFor();
    await press('x');
    await page.locator('.forget-list li').filter({ hasText: 'staging password' }).waitFor();
    await page.locator('dialog').getByRole('button', { name: 'Forget' }).click();
    await page.locator('.toast').filter({ hasText: 'Forgotten' }).waitFor();
    await press('u');
    await page.locator('.note-actions').waitFor();
    await press('x');
    await page.locator('dialog').getByRole('button', { name: 'Forget' }).click();
    await page.waitForResponse((response) => response.request().method() === 'DELETE' && response.ok());
    expect(JSON.stringify(home.json('recall', 'staging password rotated'))).not.toContain(text);
    await close();
  });

  it('[viewer-review] shows the words that proposals come from, and accepts all of a session at once', async () => {
    await propose('Cookies are renewed daily.', 'Cookies are bound to a device.');
    const { page, close, go, press } = await open();
    await go('review');
    await page.locator('.inbox button').filter({ hasText: 'renewed daily' }).click();
    await page.locator('.proposal .quote').filter({ hasText: 'in cookies' }).waitFor();
    const proposals = page.locator('.inbox button[aria-current], .inbox button:not([class])');
    const before = await proposals.count();
    await press('r');
    await press('r');
    await expect.poll(() => proposals.count()).toBe(before - 2);
    await press('u');
    await press('u');
    await expect.poll(() => proposals.count()).toBe(before);
    // A browser that ends at once has lost no decision.
    const saved = page.waitForResponse((response) => response.url().endsWith('/review/accept'));
    await press('A');
    expect((await saved).ok()).toBe(true);
    await close();
    expect(preludeText()).toContain('renewed daily');
    expect(preludeText()).toContain('bound to a device');
  });
});

describe('the page of a session', () => {
  it('[viewer-session] shows edits as diffs, the output of commands, and how it ended', async () => {
    const turn = { session_id: 'edit-session', prompt_id: 'edit-1', cwd: home.repo };
    const file = join(home.repo, 'queue.js');
    writeFileSync(file, 'const a = 1;\n');
    git('add', '.');
    git('commit', '-qm', 'start');
    home.hook({ ...turn, hook_event_name: 'UserPromptSubmit', prompt: 'Raise the number.' });
    writeFileSync(file, 'const a = 2;\n');
    const structuredPatch = [
      { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-const a = 1;', '+const a = 2;'] },
    ];
    // A command counts as a check only if a second session ran it.
    for (const of of [{ ...turn, session_id: 'number-before', prompt_id: 'number-before-1' }, turn]) {
      home.hook({
        ...of,
        hook_event_name: 'PostToolUse',
        tool_name: 'Edit',
        tool_use_id: `edit-${of.session_id}`,
        tool_input: { file_path: file, old_string: 'const a = 1;', new_string: 'const a = 2;' },
        tool_response: { filePath: file, structuredPatch },
      });
      home.hook({
        ...of,
        hook_event_name: 'PostToolUseFailure',
        tool_name: 'Bash',
        tool_use_id: `test-${of.session_id}`,
        tool_input: { command: 'npm test' },
        error: 'Exit code 1\nexpected 2, got 3',
      });
    }
    // A long line of code in a list must not widen the page on a phone.
    const code = `\`\`\`sh\n   ${'npm test '.repeat(30)}\n   \`\`\``;
    home.hook({ ...turn, hook_event_name: 'Stop', last_assistant_message: `Run:\n\n1. ${code}` });
    await home.startDrain().ended;
    const { page, close, go } = await open();
    await go('session/edit-session');
    const find = page.getByLabel('Find in this session');
    await find.fill('no such word');
    await page.locator('.turn').waitFor({ state: 'detached' });
    await find.fill('got 3');
    await page.locator('.output pre').filter({ hasText: 'expected 2, got 3' }).waitFor();
    await find.fill('');
    await page.locator('.ending .bad').filter({ hasText: 'npm test' }).waitFor();
    if (!(await page.locator('.edit').isVisible())) await page.locator('.work > summary').click();
    await page.locator('.edit > summary').click();
    await page.locator('.diff .came').filter({ hasText: 'const a = 2;' }).waitFor();
    expect(await page.locator('.diff .went').textContent()).toBe('const a = 1;');
    expect(await violationsIn(page)).toEqual([]);
    await close();
  });
});

describe('search', () => {
  it('[viewer-search] loads more than twenty hits, filters them, and restores them on going back', async () => {
    // Recall merges equal texts, so each has words of its own.
    const word = (at: number) => `table${at * 7_919}`;
    const texts = Array.from({ length: 45 }, (_, at) =>
      [
        `The catalogue shard of ${word(at)} is rebuilt`,
        ...[1, 2, 3, 4].map((by) => word(at + by * 100)),
      ].join(' '),
    );
    await propose(...texts);
    const { page, close, go } = await open();
    await go('search?q=shard%20of%20the%20catalogue');
    await page.locator('.answer-note').filter({ hasText: 'first 20 results' }).waitFor();
    await page.getByRole('button', { name: 'More results' }).click();
    await page.locator('.hit >> nth=40').waitFor();
    expect(await page.locator('.reason ul').count()).toBe(0);
    await page.locator('.reason summary').first().click();
    await page.locator('.reason ul').first().waitFor();
    await page.locator('.hit-text >> nth=40').click();
    await page.locator('.note').waitFor();
    await page.goBack();
    await page.locator('.hit >> nth=40').waitFor();
    await page.getByRole('button', { name: 'Commits' }).click();
    await page.locator('.hit').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('.hit').first().waitFor();
    await close();
  });

  it('[viewer-search] answers a question about a day with what was asked, decided, changed and failed', async () => {
    const { page, close, go } = await open();
    await go('search?q=what%20did%20we%20do%20today');
    const part = (title: string) => page.locator('.summary-parts section').filter({ hasText: title });
    await part('Still failing').filter({ hasText: 'npm test' }).waitFor();
    await part('Changed').filter({ hasText: 'queue.js' }).waitFor();
    await part('Decided').filter({ hasText: 'Postgres' }).waitFor();
    await page.locator('.session').filter({ hasText: 'Raise the number' }).waitFor();
    await go('search');
    await page.getByRole('button', { name: 'Yesterday', exact: true }).click();
    await page.locator('.digest').filter({ hasText: 'No agent session' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await close();
  });
});

describe('the palette', () => {
  it('[viewer-search] opens files, lines, symbols, sessions and pages by their names, also by Enter at once', async () => {
    writeFileSync(
      join(home.repo, 'retry.js'),
      'const limit = 3;\n\nfunction retryLater() {\n  return limit;\n}\n',
    );
    git('add', '.');
    git('commit', '-qm', 'retry');
    await home.startDrain().ended;
    const hash = git('rev-parse', '--short=7', 'HEAD').toString().trim();
    const { page, close, press } = await open();
    for (const [typed, shown, opened] of [
      ['retry.js:3', '', '.line[data-line="3"][data-target]'],
      ['retryLat', 'retryLater', '.line[data-line="3"][data-target]'],
      ['raise number', 'Raise the number.', '.page-session .turns'],
      ['heal', 'Health', '.checks'],
      [hash, `commit ${hash}`, '.page-event .note-main'],
    ] as const) {
      await press('/');
      await page.locator('.palette input').fill(typed);
      if (shown === '') await page.keyboard.press('Enter');
      else await page.locator('.choice:not(#all)').filter({ hasText: shown }).first().click();
      await page.locator(opened).first().waitFor();
    }
    const at = (address: string) => page.goto(`${new URL(page.url()).origin}/#/${address}`);
    // Names that arrive after the hits of memory are added below them, and each place is one row.
    let release = () => {};
    const isRead = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v1/code/files*', async (route) => {
      await isRead;
      await route.continue();
    });
    await press('/');
    await page.locator('.palette input').fill('retry');
    const rows = page.locator('.choice');
    await rows.filter({ hasText: 'retry a failed job' }).first().waitFor();
    const before = await rows.allTextContents();
    release();
    await rows.filter({ hasText: 'retry.js' }).first().waitFor();
    await page.locator('#all').waitFor();
    const after = await rows.allTextContents();
    expect(after.slice(0, before.length)).toEqual(before);
    const ids = await rows.evaluateAll((all) => all.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    await page.unroute('**/api/v1/code/files*');
    await page.keyboard.press('Escape');
    await at('file');
    await page.locator('.finder input').fill('retry');
    await page.locator('.found a').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.line[data-line="3"]').waitFor();
    // A day without sessions has the way back to all days, and no steps of a first run.
    await at('timeline?from=2020-01-01&to=2020-01-01');
    await page.getByText('No agent session.').waitFor();
    expect(await page.locator('.next-steps').count()).toBe(0);
    await page.getByText('Show all days').click();
    await page.locator('.session').first().waitFor();
    await close();
  });
});

describe('the viewer', () => {
  it('follows no events in a hidden tab, and shows what happened meanwhile once it is shown', async () => {
    const { page, close } = await open();
    await page.goto(`${new URL(page.url()).origin}/#/topics`);
    const said = page.getByText('name queues in the plural').first();
    const hide = (isHidden: boolean): Promise<void> =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await page.getByText('Live', { exact: true }).waitFor();
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/v1/live'));
    await hide(true);
    // From now on the page is told nothing.
    await ended;
    home.json('remember', 'Proposed while the tab is hidden: name queues in the plural.');
    expect(await said.count()).toBe(0);
    await hide(false);
    await said.waitFor();
    await close();
  });

  it('causes no error and no request to another machine', () => {
    expect(errors).toEqual(noPageErrors());
  });
});
