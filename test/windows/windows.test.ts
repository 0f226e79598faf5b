import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { replaceFile } from '../../src/base/files.ts';
import { startMcp } from '../support/mcp.ts';
import { pastSessionCount, writePastSessions } from '../support/past-sessions.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';
import { startServe } from '../support/serve.ts';

/** What only Windows does: drive letters, CRLF, reserved names, open files, cmd.exe. Needs the installed package. */
let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox(inject('installedPackage'));
});
afterEach(() => sandbox.remove());

const settings = (): string => join(sandbox.home, '.claude', 'settings.json');
const put = (path: string, text: string): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const done = (...args: string[]): string => {
  const { status, stdout, stderr } = sandbox.cli(...args);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${status} ${stdout}${stderr}`);
  return stdout;
};
const hook = (event: string, fields: object, cwd = sandbox.repo) => {
  const common = { session_id: 'session-1', transcript_path: '', cwd, hook_event_name: event };
  const ran = sandbox.hook({ ...common, prompt_id: 'turn-1', ...fields });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  return ran.stdout;
};
const decision =
  'We decided to keep retries in Postgres instead of Redis, because Redis lost jobs on failover.';

describe('on Windows', () => {
  it('installs with settings in CRLF, runs the hook by cmd.exe, and uninstalls byte for byte', () => {
    const before = '{\r\n  "model": "opus",\r\n  "hooks": {}\r\n}\r\n';
    put(settings(), before);
    done('install', 'claude-code');
    const installed = JSON.parse(readFileSync(settings(), 'utf8'));
    const { command } = installed.hooks.Stop[0].hooks[0] as { command: string };
    expect(command).toMatch(/^"[A-Z]:\/.+\.exe" "[A-Z]:\/.+hook\.cjs"$/);
    const input = JSON.stringify({ hook_event_name: 'BackstoryProbe', session_id: 's', cwd: sandbox.repo });
    const ran = spawnSync(command, { shell: true, env: sandbox.env, input, encoding: 'utf8' });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, '', '']);
    expect(sandbox.events().map(({ kind }) => kind)).toContain('probe');
    const { checks } = sandbox.json<{ checks: { name: string; ok: boolean; detail: string }[] }>('doctor');
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    done('uninstall', 'claude-code');
    expect(readFileSync(settings(), 'utf8')).toBe(before);
  });

  it('takes every way to write a Windows path for the same folder and the same file', () => {
    done('install', 'claude-code');
    const drive = sandbox.repo.slice(0, 1);
    const rest = sandbox.repo.slice(2).replaceAll('\\', '/');
    const forms = [
      sandbox.repo,
      `${drive.toLowerCase()}${sandbox.repo.slice(1)}`,
      `${drive}:${rest}`,
      `/${drive.toLowerCase()}${rest}`,
      `/${drive.toLowerCase()}:${rest}`,
      sandbox.repo.replace(/repo$/, 'REPO'),
    ];
    put(join(sandbox.repo, 'src', 'worker.ts'), 'b\n');
    for (const [at, cwd] of forms.entries()) {
      const name = at % 2 === 0 ? 'worker.ts' : 'Worker.TS';
      const file_path = `${cwd}${cwd.includes('/') ? '/' : '\\'}src${cwd.includes('/') ? '/' : '\\'}${name}`;
      const patch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] }];
      hook(
        'PostToolUse',
        {
          tool_name: 'Edit',
          tool_use_id: `tool-${at}`,
          tool_input: { file_path, old_string: 'a', new_string: `b${at}` },
          tool_response: { filePath: file_path, structuredPatch: patch },
        },
        cwd,
      );
    }
    const edits = sandbox.events().filter(({ kind }) => kind === 'edit');
    expect(edits.map(({ body }) => (body as { path: string }).path)).toEqual(
      forms.map(() => 'src/worker.ts'),
    );
    expect(new Set(edits.map(({ checkout }) => checkout)).size).toBe(1);
    expect(sandbox.json<unknown[]>('capture', 'projects')).toHaveLength(1);
  });

  it('captures, recalls, and answers over MCP and HTTP, with a running server that does not block the index', async () => {
    done('install', 'claude-code');
    put(join(sandbox.repo, 'queue.js'), 'export function queue() {\r\n  return "postgres";\r\n}\r\n');
    git(sandbox.repo, 'add', '-A');
    git(sandbox.repo, 'commit', '-qm', 'Add the queue');
    hook('SessionStart', { source: 'startup' });
    hook('UserPromptSubmit', { prompt: decision });
    hook('Stop', { last_assistant_message: 'Done as decided.' });
    hook('SessionEnd', { reason: 'other' });
    settle(sandbox);
    expect(done('recall', 'why postgres')).toContain('keep retries in Postgres');
    expect(hook('SessionStart', { source: 'startup', session_id: 'session-2' })).toContain(
      'keep retries in Postgres',
    );

    const mcp = await startMcp(sandbox, inject('installedPackage'));
    const answer = await mcp.call('recall', { query: 'why postgres' });
    expect(JSON.stringify(answer.content)).toContain('keep retries in Postgres');
    const served = await startServe(sandbox, inject('installedPackage'));
    expect((await served.fetch('/api/v1/projects')).status).toBe(200);
    for (let times = 0; times < 2; times++) done('doctor', '--reindex');
    expect(JSON.stringify(await mcp.call('recall', { query: 'why postgres' }))).toContain(
      'keep retries in Postgres',
    );
    expect(await mcp.stop()).toBe(0);
    await served.stop();
  });

  it('answers from past sessions once they are imported', () => {
    writePastSessions(sandbox);
    done('install', 'claude-code');
    expect(done('import')).toContain(`from ${pastSessionCount} transcripts of 1 project`);
    expect(done('recall', 'why postgres')).toContain('because Redis lost jobs on failover');
  });

  it('searches files with CRLF, long paths and letters of any language, with git and without', () => {
    const deep = Array.from({ length: 30 }, (_, at) => `folder-${at}`).join('/');
    put(join(sandbox.repo, 'src', 'näme 1.ts'), 'const a = 1;\r\nconst needleHere = 2;\r\n');
    put(join(sandbox.repo, deep, 'long.ts'), 'const needleHere = 3;\r\n');
    const { PATH = '' } = sandbox.env;
    const withoutGit = PATH.split(';').filter((folder) => !existsSync(join(folder, 'git.exe')));
    for (const path of [PATH, withoutGit.join(';')]) {
      const { status, stdout, stderr } = sandbox.cliWith({ PATH: path }, 'search', 'needleHere');
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain('src/näme 1.ts');
      expect(stdout).toContain(`${deep}/long.ts`);
      expect(stdout).not.toContain('\r');
    }
  });

  it('is not confused by names that are devices', () => {
    done('install', 'claude-code');
    for (const [at, name] of ['nul', 'CON', 'aux.ts', 'COM1', 'src\\prn.txt'].entries())
      hook('PostToolUse', {
        tool_name: 'Read',
        tool_use_id: `read-${at}`,
        tool_input: { file_path: join(sandbox.repo, name) },
        tool_response: { file: { content: 'x' } },
      });
    expect(sandbox.cli('search', 'x', '--path', 'nul').status).not.toBeNull();
    expect(readIfAny(join(sandbox.home, '.backstory', 'failures.jsonl'))).toBe('');
  });

  it('starts by the files that npm writes, with spaces and quotes in arguments', () => {
    const command = join(dirname(inject('installedPackage')), '.commands', 'backstory.cmd');
    const run = (...args: string[]) =>
      execFileSync(`"${command}"`, args, {
        shell: true,
        env: sandbox.env,
        cwd: sandbox.repo,
        encoding: 'utf8',
      });
    expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\s*$/);
    run('remember', '"Deploys happen on Tuesday & never on Friday"');
    expect(run('recall', '"when do deploys happen"')).toContain('Tuesday & never on Friday');
  });

  it('replaces a file while another program has it open', async () => {
    const file = put(join(sandbox.home, 'open.txt'), 'old');
    const worker = new Worker(holdOpen, { eval: true, workerData: file });
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    replaceFile(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    await worker.terminate();
  });
});

/**
 * In a thread, because `replaceFile` blocks. cmd.exe opens the file for its redirection and lets nobody delete it until
 * the command ends, which happens a moment after it has written something.
 */
const holdOpen = `
  const { spawn } = require('node:child_process');
  const { readFileSync } = require('node:fs');
  const { parentPort, workerData: file } = require('node:worker_threads');
  const command = '"' + process.execPath + '" -e "process.stdin.resume();console.log(1)" >"' + file + '"';
  const holder = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const timer = setInterval(() => {
    if (!readFileSync(file, 'utf8').startsWith('1')) return;
    clearInterval(timer);
    parentPort.postMessage('held');
    setTimeout(() => holder.stdin.end(), 150);
  }, 10);
`;

const readIfAny = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
