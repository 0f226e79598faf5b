import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startLsp } from '../harness/lsp-client.ts';
import { openBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { createSandbox, git, type Sandbox, settle, storedFiles } from '../support/sandbox.ts';
import { hangMs } from '../support/until.ts';

const installed = () => inject('installedPackage');
const path = 'src/queue.ts';
const prompt = 'Take jobs with skip locked, so that two workers never wait for each other.';
const base = [
  'export const limit = 5;',
  '',
  'export async function countJobs(): Promise<number> {',
  '  return limit;',
  '}',
  '',
];
const added = [
  'export async function takeJob(worker: string): Promise<Job> {',
  "  return query('select * from jobs for update skip locked', [worker]);",
  '}',
];
const line = base.length + 2;
const lacks = (program: string): boolean => spawnSync('which', [program]).status !== 0;
/** Whether to skip the tests of an editor. */
const isLacking = (program: string, packages: string): boolean => {
  if (!lacks(program)) return false;
  if (process.env.BACKSTORY_REQUIRE_ALL === '1')
    throw new Error(`${program} is not installed: apt-get install ${packages}`);
  return true;
};
const hasNoNeovim = isLacking('nvim', 'neovim');
const hasNoEmacs = isLacking('emacs', 'emacs-nox elpa-eglot');

let sandbox: Sandbox;
let file: string;

beforeAll(() => {
  sandbox = createSandbox(installed());
  file = join(sandbox.repo, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${base.join('\n')}\n`);
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-qm', 'Count jobs');
  expect(sandbox.cli('install', 'claude-code').status).toBe(0);
  const hook = (hook_event_name: string, more: object) =>
    sandbox.hook({ hook_event_name, session_id: 'agent-1', prompt_id: 'turn-1', cwd: sandbox.repo, ...more });
  hook('UserPromptSubmit', { prompt });
  writeFileSync(file, `${[...base, ...added].join('\n')}\n`);
  hook('PostToolUse', {
    tool_name: 'Edit',
    tool_use_id: 'use-1',
    tool_input: { file_path: file },
    tool_response: {
      structuredPatch: [{ oldStart: 7, newStart: 7, lines: added.map((text) => `+${text}`) }],
    },
  });
  hook('Stop', { last_assistant_message: 'Jobs are taken with skip locked now.' });
  git(sandbox.repo, 'commit', '-qam', 'Take jobs without waiting');
  settle(sandbox);
  const bin = join(sandbox.home, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'backstory'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(installed(), 'dist', 'main.js')}" "$@"\n`,
  );
  chmodSync(join(bin, 'backstory'), 0o755);
  sandbox.env.PATH = `${bin}:${sandbox.env.PATH}`;
});
afterAll(() => sandbox.remove());

interface Seen {
  hover: string | string[];
  actions: string[];
  messages: string[];
  lenses?: string[];
}

/** Runs an editor to its end. Its last output is what it has seen. */
function seenBy(program: string, args: string[], input = ''): Seen {
  const { stdout, stderr } = spawnSync(program, args, {
    cwd: sandbox.repo,
    env: sandbox.env,
    encoding: 'utf8',
    input,
    timeout: hangMs,
  });
  const json = /\{"[\s\S]*\}/.exec(stdout)?.[0] ?? /\{"[\s\S]*\}/.exec(stderr)?.[0];
  if (json === undefined) throw new Error(`${program} printed no result: ${stdout}${stderr}`);
  return JSON.parse(json) as Seen;
}

const written = (text: string) =>
  sandbox.json<{ hits: { state?: string; concepts: string[]; text: string }[] }>(
    'recall',
    text,
    '--in',
    'notes',
  ).hits;

describe('the installed language server', () => {
  const program = () => join(installed(), 'dist', 'main.js');
  const start = () => startLsp(program(), { cwd: sandbox.repo, env: sandbox.env });

  /** Without the files with which SQLite coordinates readers; they hold no data. */
  const stored = () => [...storedFiles(sandbox)].filter(([name]) => !/-(?:shm|wal)$/.test(name)).sort();

  it('[lsp-read-only] explains a line, writes nothing, and ends when its editor closes it', async () => {
    // An event that is not indexed, for which every other command would update the index.
    sandbox.hook({
      hook_event_name: 'UserPromptSubmit',
      session_id: 'agent-2',
      cwd: sandbox.repo,
      prompt: 'Go on.',
    });
    const before = stored();
    const editor = await start();
    await editor.open(file);
    expect((await editor.hover(file, line)).replaceAll('\\', '')).toContain(prompt);
    const titles = await editor.ask<{ command: { title: string } }[]>('textDocument/codeLens', {
      textDocument: { uri: editor.uriOf(file) },
    });
    expect(titles.map(({ command }) => command.title)).toEqual([
      expect.stringMatching(/^Claude Code, .*: Take jobs with skip locked/),
    ]);
    expect(await editor.end()).not.toBeNull();
    expect(stored()).toEqual(before);
    expect(git(sandbox.repo, 'status', '--porcelain')).toBe('');
  });

  it('[lsp-off] shows nothing in a home without Backstory, and creates none', async () => {
    const env = {
      ...sandbox.env,
      HOME: join(sandbox.home, 'other'),
      USERPROFILE: join(sandbox.home, 'other'),
    };
    const editor = await startLsp(program(), { cwd: sandbox.repo, env });
    await editor.open(file);
    expect(await editor.hover(file, line)).toBe('');
    await editor.end();
    expect(spawnSync('ls', [env.HOME]).status).not.toBe(0);
  });
});

describe('in real editors', () => {
  it.skipIf(hasNoNeovim)(
    '[editors] Neovim shows the reason of a line and a lens, and asks what to remember',
    () => {
      const probe = resolve('test/support/editors/probe.lua');
      const seen = seenBy('nvim', [
        ...['--headless', '-u', 'NONE', '-i', 'NONE', '--cmd'],
        `lua arg = { [1] = ${JSON.stringify(resolve('editors/neovim'))}, [2] = ${JSON.stringify(file)}, [3] = '${line}' }`,
        ...['-c', `luafile ${probe}`, '-c', 'qa!'],
      ]);
      expect([seen.hover].flat().join('\n').replace(/\s+/g, ' ')).toContain(prompt);
      expect(seen.lenses?.[0]).toMatch(/^Claude Code, .*: Take jobs/);
      expect(seen.actions[0]).toContain('open in the viewer');
      expect(seen.messages[0]).toContain('review');
      expect(written('queue one worker')[0]?.text).toContain('one worker only');
    },
  );

  it.skipIf(hasNoEmacs)('[editors] Emacs with Eglot, configured as the guide says, does the same', () => {
    const guide = readFileSync('docs/guides/editors.md', 'utf8');
    const config = join(sandbox.home, 'init.el');
    // Emacs has no mode for TypeScript without further packages.
    const modes = "(add-to-list 'auto-mode-alist '(\"\\\\.ts\\\\'\" . js-mode))";
    writeFileSync(config, `${modes}\n${/```lisp\n([\s\S]*?)```/.exec(guide)?.[1]}`);
    const seen = seenBy(
      'emacs',
      [
        '--batch',
        '-f',
        'package-initialize',
        '-l',
        resolve('test/support/editors/probe.el'),
        config,
        file,
        `${line}`,
      ],
      'Jobs are taken in order of their age.\n',
    );
    expect(seen.hover).toContain(prompt);
    expect(seen.actions[1]).toContain('remember about this line');
    expect(seen.messages[0]).toContain('review');
    expect(written('jobs in order of their age')[0]?.text).toContain('order of their age');
  });

  // Only where this names the folder of the npm package code-server, which is too large for every run.
  const vsCode = process.env.BACKSTORY_CODE_SERVER;
  if (vsCode !== undefined)
    it('[editors] VS Code does the same, and nothing before the workspace is trusted', async () => {
      const settings = join(sandbox.home, '.local/share/code-server/Machine/settings.json');
      mkdirSync(dirname(settings), { recursive: true });
      // The server takes its PATH from a login shell.
      const program = join(sandbox.home, 'bin/backstory');
      writeFileSync(settings, JSON.stringify({ 'backstory.path': program, 'editor.hover.above': false }));
      const { env } = sandbox;
      const [extension = 'npm run editors'] = globSync('editors/vscode/dist/*.vsix');
      expect(spawnSync(process.execPath, [vsCode, '--install-extension', extension], { env }).status).toBe(0);
      const address = `127.0.0.1:${await freePort()}`;
      const server = spawn(process.execPath, [vsCode, '--auth', 'none', '--bind-addr', address], { env });
      const browser = await openBrowser();
      try {
        await new Promise((done) => server.stdout.on('data', (out) => /listening/.test(`${out}`) && done(0)));
        const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
        const shown = (selector: string, hasText: string | RegExp) =>
          page.locator(selector, { hasText }).first();
        await page.goto(`http://${address}/?folder=${sandbox.repo}`);
        for (const name of path.split('/'))
          await shown('.explorer-folders-view .monaco-list-row', name).click();
        const code = shown('.view-line', 'skip locked');
        await code.waitFor();
        const lens = shown('.codelens-decoration', /Claude.Code,.*:.Take.jobs/);
        // Longer than the extension takes to start.
        await page.waitForTimeout(10_000);
        expect(await lens.count()).toBe(0);
        await page.getByText('Manage', { exact: true }).first().click();
        await page.locator('.workspace-trust-editor').getByText('Trust', { exact: true }).click();
        await page.locator('.monaco-modal-editor-block .codicon-close').last().click();
        await lens.waitFor();
        await code.click();
        await code.hover();
        expect(await shown('.monaco-hover', 'asked').innerText()).toContain(prompt);
        await page.screenshot({ path: 'editors/vscode/dist/hover.png' });
        await page.keyboard.press('F1');
        await shown('.quick-input-list .monaco-list-row', '').waitFor();
        await page.keyboard.type('Source Action...');
        await shown('.quick-input-list .monaco-list-row.focused', 'Source Action').click();
        await shown('.action-widget .monaco-list-row', 'remember about this line').click();
        await shown('.quick-input-widget', 'Remember about this line').waitFor();
        await page.keyboard.type('A worker takes one job at a time.');
        await page.keyboard.press('Enter');
        await shown('.notification-list-item-message', 'Accept it: backstory review').waitFor();
      } finally {
        await browser.close();
        server.kill();
      }
      expect(written('one job at a time')[0]?.text).toContain('A worker takes one job at a time.');
    });
});
