import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { columnsOf } from '../../src/text/wrap.ts';
import { createSandbox, git, type Sandbox } from '../support/sandbox.ts';

describe('in a terminal', () => {
  let sandbox: Sandbox;
  const hook = (hook_event_name: string, more: object): void => {
    const call = { session_id: 'agent-1', prompt_id: 'turn-1', cwd: sandbox.repo, hook_event_name, ...more };
    expect(sandbox.hook(call).status).toBe(0);
  };
  beforeAll(() => {
    sandbox = createSandbox(inject('installedPackage'));
    mkdirSync(join(sandbox.repo, 'src/queue'), { recursive: true });
    const file = join(sandbox.repo, 'src/queue/worker.ts');
    writeFileSync(file, 'export const backoffMs = 250;\n');
    git(sandbox.repo, 'add', '.');
    git(sandbox.repo, 'commit', '-qm', 'queue: a worker that waits before it tries a failed job again');
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    hook('SessionStart', { source: 'startup' });
    hook('UserPromptSubmit', {
      prompt:
        'We decided to keep retries in Postgres instead of Redis because Redis lost jobs on failover. 我们决定把重试队列保存在数据库里，而不是放在缓存中，因为缓存在故障转移时丢失了任务。 Please never hold a job for longer than a minute, or the dashboards show it twice.',
    });
    hook('PostToolUse', {
      tool_name: 'Edit',
      tool_use_id: 'edit-1',
      tool_input: { file_path: file },
      tool_response: {
        filePath: file,
        structuredPatch: [
          { oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+export const backoffMs = 250;'] },
        ],
      },
    });
    hook('Stop', {
      last_assistant_message:
        'I chose an exponential backoff that starts at 250 ms because the broker restarts about that fast. I rejected a fixed delay: it hammered the database whenever more than a few jobs failed at once.',
    });
  });
  afterAll(() => sandbox.remove());

  const looked: string[][] = [
    ['recall', 'why postgres retries'],
    ['recall', '--explain', '--full', 'backoff'],
    ['show', '--around', 'why postgres retries'],
    ['why', 'src/queue/worker.ts:1'],
    ['status', '--tokens'],
    ['status'],
    ['review'],
    ['handoff', '--brief'],
    ['search', '--task', 'retry backoff'],
    ['search', '--files', 'queue'],
    ['search', '--outline', 'src/queue/worker.ts'],
    ['search', '--definition', 'backoffMs'],
    ['search', '--references', 'backoffMs'],
    ['config'],
    ['doctor', '--logs'],
    ['capture', 'projects'],
    ['import', '--dry-run'],
    ['doctor'],
    ['--help'],
    ['recall', '--help'],
    ['install', '--help'],
    ['recal', 'x'],
  ];

  it('[cli-width] wraps lines at 80 columns, and not at all for programs', () => {
    let broken = 0;
    for (const args of looked) {
      const output = (env: Record<string, string>) => {
        const { stdout, stderr } = sandbox.cliWith(env, ...args);
        return stdout + stderr;
      };
      const [narrow, whole] = [output({ COLUMNS: '80' }), output({})];
      const wide = narrow.split('\n').filter((line) => columnsOf(line) > 80);
      // A path or word that is too long cannot be wrapped between words, so it is broken anywhere.
      expect(wide, args.join(' ')).toEqual([]);
      broken += narrow.split('\n').length - whole.split('\n').length;
    }
    expect(broken).toBeGreaterThan(20);
    const words = (text: string) => text.replace(/\s+/g, '');
    const [narrow, whole] = [{ COLUMNS: '80' }, {}].map(
      // With a limit the answer is not cut to one screen, of which a narrow terminal has less.
      (env) => sandbox.cliWith(env, 'recall', 'why postgres', '--limit', '20').stdout,
    );
    expect(words(narrow ?? '')).toBe(words(whole ?? ''));
  });

  it('[cli-width] prints text for agents unchanged, however narrow the terminal is', () => {
    for (const args of [['prelude'], ['prelude', '--why']]) {
      const [narrow, whole] = [{ COLUMNS: '80' }, {}].map((env) => sandbox.cliWith(env, ...args).stdout);
      expect(narrow).toBe(whole);
    }
    const { text } = sandbox.json<{ text: string }>('prelude');
    expect(sandbox.cliWith({ COLUMNS: '80' }, 'prelude').stdout).toContain(text);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeGreaterThan(80);
  });

  it('[cli-colour] uses colours only on a terminal, and follows the environment variables', () => {
    const isColoured = (env: Record<string, string>) =>
      sandbox.cliWith(env, 'recall', 'why postgres').stdout.includes('\u001b[');
    expect(isColoured({})).toBe(false);
    expect(isColoured({ FORCE_COLOR: '1' })).toBe(true);
    expect(isColoured({ FORCE_COLOR: '0' })).toBe(false);
    const inTerminal = (env: Record<string, string>): string => {
      const program = join(inject('installedPackage'), 'dist/main.js');
      const command = `"${process.execPath}" "${program}" recall "why postgres"`;
      const run = spawnSync('script', ['-qec', command, '/dev/null'], {
        cwd: sandbox.repo,
        env: { ...sandbox.env, TERM: 'xterm', ...env },
        encoding: 'utf8',
        input: '',
      });
      return run.stdout;
    };
    expect(inTerminal({})).toContain('\u001b[1m');
    expect(inTerminal({ NO_COLOR: '1' })).not.toContain('\u001b[1m');
    expect(inTerminal({ TERM: 'dumb' })).not.toContain('\u001b[1m');
    expect(
      JSON.parse(sandbox.cliWith({ FORCE_COLOR: '1', COLUMNS: '40' }, 'recall', 'postgres', '--json').stdout),
    ).toHaveProperty('hits');
  });

  it('[cli-meant] suggests the most similar command', () => {
    const meant = (name: string) => sandbox.cli(name, 'postgres').stderr;
    expect(meant('recal')).toContain('try: backstory recall postgres');
    expect(meant('stat')).toContain('try: backstory status postgres');
    expect(meant('xyzzy')).toContain('try: backstory --help');
    expect(sandbox.cli('recal').status).toBe(2);
  });
});
