import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { jsonShapes } from '../json-shapes.ts';
import { createSandbox, git, type Sandbox } from '../support/sandbox.ts';

describe('the output of --json', () => {
  let sandbox: Sandbox;
  const hook = (hook_event_name: string, more: object): void => {
    const call = { session_id: 'agent-1', prompt_id: 'turn-1', cwd: sandbox.repo, hook_event_name, ...more };
    expect(sandbox.hook(call).status).toBe(0);
  };

  beforeAll(() => {
    sandbox = createSandbox(inject('installedPackage'));
    mkdirSync(join(sandbox.repo, 'src'));
    const file = join(sandbox.repo, 'src/queue.ts');
    writeFileSync(file, 'export class Queue {\n  retry(): void {}\n}\nnew Queue().retry();\n');
    git(sandbox.repo, 'add', '.');
    git(sandbox.repo, 'commit', '-qm', 'queue: retries');
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    hook('SessionStart', { source: 'startup' });
    hook('UserPromptSubmit', { prompt: 'We decided to retry in Postgres because Redis lost jobs.' });
    hook('PostToolUse', {
      tool_name: 'Edit',
      tool_use_id: 'edit-1',
      tool_input: { file_path: file },
      tool_response: {
        filePath: file,
        structuredPatch: [
          { oldStart: 2, oldLines: 0, newStart: 2, newLines: 1, lines: ['+  retry(): void {}'] },
        ],
      },
    });
    hook('Stop', { last_assistant_message: 'I chose retries in Postgres. I rejected Redis: it lost jobs.' });
  });
  afterAll(() => sandbox.remove());

  it('[cli-json] is documented for every command, without undocumented fields', () => {
    const id = () => sandbox.json<{ hits: { id: string }[] }>('recall', 'retry Postgres').hits[0]?.id ?? '';
    const note = sandbox.json<{ id: string }>(
      'remember',
      'Retries stay in Postgres, because Redis lost jobs.',
    ).id;
    const archive = join(sandbox.home, 'kept.tar');
    const calls: string[][] = [
      ['recall', 'retry Postgres'],
      ['recall', '--kind', 'decision'],
      ['show', '--around', 'retry Postgres'],
      ['why', 'src/queue.ts:2'],
      ['attribution', 'write', 'HEAD', '--yes'],
      ['attribution', 'export', 'HEAD'],
      ['why', 'HEAD'],
      ['pr', 'HEAD', '--yes'],
      ['show', id(), note],
      ['remember', 'Another fact, because of a reason.'],
      ['edit', note, '--text', 'Retries stay in Postgres.'],
      ['edit', '--pin', note],
      ['enforce', note, '--path', 'legacy/**'],
      ['enforce'],
      ['learn', '--retry'],
      ['models'],
      ['review'],
      ['prelude'],
      ['share', note],
      ['share'],
      ['share', '--remove', note],
      ['share', '--trust', '--yes'],
      ['knowledge', '--yes'],
      ['knowledge'],
      ['team', 'status'],
      ['search', 'retry'],
      ['search', '--ask', 'retry'],
      ['search', '--files', 'queue'],
      ['search', '--task', 'fix the retry'],
      ['search', '--outline', 'src/queue.ts'],
      ['search', '--definition', 'Queue'],
      ['search', '--references', 'retry'],
      ['handoff', '--brief'],
      ['handoff', 'codex'],
      ['handoff', 'resume'],
      ['install', 'codex', '--dry-run'],
      ['install', 'codex'],
      ['uninstall', 'codex'],
      ['import', '--dry-run'],
      ['import', 'git'],
      ['doctor'],
      ['capture', 'off'],
      ['capture', 'on'],
      ['capture', 'pause', '1h'],
      ['capture', 'resume'],
      ['capture'],
      ['capture', 'exclude', '*.pem'],
      ['capture', 'projects'],
      ['status'],
      ['status', '--tokens'],
      ['config'],
      ['doctor', '--logs'],
      ['doctor', '--scan', '--dry-run'],
      ['doctor', '--verify'],
      ['doctor', '--reindex'],
      ['doctor', '--reindex', 'code'],
      ['export', archive],
      ['import', archive],
      ['remember', 'Answer in English.', '--everywhere'],
      ['edit', '--wrong', note, '--now', 'Retries stay in SQLite.'],
      ['show', note],
      ['edit', '--reopen', note],
      ['forget', note, '--yes'],
    ];
    const wrong: string[] = [];
    for (const args of calls) {
      const { stdout, stderr, status } = sandbox.cli(...args, '--json');
      const shape = jsonShapes[args[0] as string];
      const checked = (shape ?? z.never()).safeParse(JSON.parse(stdout));
      if (!checked.success) wrong.push(`${args.join(' ')}: ${z.prettifyError(checked.error)}`);
      expect(status === 0 || args[0] === 'doctor', `${args.join(' ')}: ${stderr}${stdout}`).toBe(true);
      expect(stderr, args.join(' ')).toBe('');
    }
    expect(wrong).toEqual([]);
    // `ui` starts a server; test/e2e/serve.test.ts covers it.
    expect(Object.keys(jsonShapes).filter((name) => !calls.some(([own]) => own === name))).toEqual(['ui']);
  });

  it('[cli-json] is the common envelope if the command fails', () => {
    for (const args of [
      ['show', 'ffffffff'],
      ['recal', 'x'],
      ['config', 'poem', 'x'],
    ]) {
      const { stdout, status } = sandbox.cli(...args, '--json');
      expect(status, args.join(' ')).toBeGreaterThan(0);
      expect(JSON.parse(stdout), args.join(' ')).toEqual({
        version: '1',
        error: {
          code: expect.stringMatching(/^[A-Z_]+$/),
          message: expect.any(String),
          retryable: expect.any(Boolean),
          suggested_action: expect.any(String),
        },
      });
    }
  });
});
