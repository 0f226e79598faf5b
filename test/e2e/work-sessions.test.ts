import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { McpClient } from '../harness/mcp-client.ts';
import { differencesOf, type Example } from '../support/example-shapes.ts';
import { serveTools } from '../support/mcp.ts';
import { createSandbox, filesUnder, git, type Sandbox, settle } from '../support/sandbox.ts';

const examples = JSON.parse(readFileSync('test/fixtures/work-session-examples.json', 'utf8')) as Example[];

interface Resumed {
  session_id: string;
  payload_markdown: string;
  payload_token_estimate: number;
  hydration_report: {
    files_primed: number;
    searches_warmed: number;
    frecency_entries_restored: number;
    stale_files: string[];
  };
  searches: { query: string; files_with_matches: number }[];
}
interface Opened {
  session: { session_id: string; goal: string; status: string; agents: string[] };
}
interface Snapped {
  snapshot_id: string;
  snapshot_dir: string;
  manifest: { source_harness: string };
}

describe('work sessions over MCP', () => {
  let sandbox: Sandbox;
  let client: McpClient;
  const ask = <T>(tool: string, given: object = {}): Promise<T> => client.call(tool, given) as Promise<T>;
  const hook = (hook_event_name: string, more: object): void => {
    const call = { session_id: 'agent-1', prompt_id: 'turn-1', cwd: sandbox.repo, hook_event_name, ...more };
    expect(sandbox.hook(call).status).toBe(0);
  };
  const edited = (path: string, id: string): void =>
    hook('PostToolUse', {
      tool_name: 'Edit',
      tool_use_id: id,
      tool_input: { file_path: join(sandbox.repo, path) },
      tool_response: {
        filePath: join(sandbox.repo, path),
        structuredPatch: [{ oldStart: 1, newStart: 1, lines: ['-a', '+b'] }],
      },
    });
  const write = (path: string, content: string): void => {
    mkdirSync(join(sandbox.repo, path, '..'), { recursive: true });
    writeFileSync(join(sandbox.repo, path), content);
  };

  beforeEach(async () => {
    sandbox = createSandbox(inject('installedPackage'));
    write('src/auth/router.rs', Array.from({ length: 100 }, (_, line) => `// line ${line + 1}`).join('\n'));
    write('src/lib.rs', 'mod auth;\n');
    git(sandbox.repo, 'add', '.');
    git(sandbox.repo, 'commit', '-qm', 'first');
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    client = await serveTools(sandbox, inject('installedPackage'), '--tools', 'all');
  });
  afterEach(async () => {
    await client.close();
    sandbox.remove();
  });

  it('[session-shapes] returns every published example in its shape', async () => {
    expect(examples.map(({ tool }) => tool)).toEqual([
      'session_open',
      'session_status',
      'session_list',
      'session_close',
      'session_snapshot',
      'session_handoff',
      'session_snapshot_list',
      'session_snapshot_get',
      'session_snapshot_diff',
      'session_resume',
    ]);
    hook('UserPromptSubmit', { prompt: 'Debug the retry backoff config' });
    edited('src/auth/router.rs', 'edit-1');
    for (const id of ['session_1777803396000', 'session-123'])
      await ask('session_open', { goal: id, session_id: id });
    const first = await ask<Snapped>('session_snapshot', { session_id: 'session_1777803396000' });
    const second = await ask<Snapped>('session_snapshot', { session_id: 'session-123' });
    const idFor = (name: string, value: unknown): unknown => {
      if (name === 'snapshot_id' || name === 'snapshot_a') return first.snapshot_id;
      return name === 'snapshot_b'
        ? second.snapshot_id
        : name === 'session_id' && value === 'optional-stable-id'
          ? 'mine'
          : value;
    };
    const wrong: string[] = [];
    for (const { tool, input, output } of examples) {
      const given = Object.fromEntries(
        Object.entries(input).map(([name, value]) => [name, idFor(name, value)]),
      );
      const answer = await ask<Record<string, unknown>>(tool, given);
      wrong.push(...differencesOf(output, answer).map((difference) => `${tool}: ${difference}`));
    }
    expect(wrong).toEqual([]);
  });

  it('[session-implicit] opens a work session when an agent starts working, and finds it again by goal', async () => {
    hook('UserPromptSubmit', { prompt: 'Make the router answer in order.' });
    edited('src/lib.rs', 'edit-1');
    const { sessions } = await ask<{ sessions: Opened['session'][] }>('session_list');
    expect(sessions).toMatchObject([
      { goal: 'Make the router answer in order.', status: 'open', agents: ['claude-code'] },
    ]);
    const id = sessions[0]?.session_id ?? '';
    expect(await ask('session_status', { session_id: id })).toMatchObject({ action_log_size: 2 });
    const again = await ask<Opened>('session_open', { goal: 'make the router answer in order' });
    expect(again.session.session_id).toBe(id);
  });

  it('[session-lifecycle] keeps goal and status by id, lists the newest first, and clears the current one when it is closed', async () => {
    const { session } = await ask<Opened>('session_open', { goal: 'Debug retries' });
    expect(await ask('session_status')).toMatchObject({ session: { goal: 'Debug retries', status: 'open' } });
    await ask('session_open', { goal: 'Another thing', session_id: 'other' });
    await ask('session_open', { goal: 'Debug retries of jobs', session_id: session.session_id });
    const { sessions } = await ask<{ sessions: Opened['session'][] }>('session_list');
    expect(sessions.map(({ goal }) => goal)).toEqual(['Debug retries of jobs', 'Another thing']);
    expect(await ask('session_close', { status: 'abandoned' })).toMatchObject({
      session: { session_id: session.session_id, status: 'abandoned' },
    });
    await expect(ask('session_status')).rejects.toThrow('there is no current work session');
    await expect(ask('session_close', { session_id: 'other', status: 'open' })).rejects.toThrow(
      'INVALID_ARGUMENT',
    );
    await expect(ask('session_open', { session_id: '../x' })).rejects.toThrow('INVALID_ARGUMENT');
    await expect(ask('session_snapshot_get', { snapshot_id: '../../x' })).rejects.toThrow('NOT_FOUND');
  });

  it('[session-handoff] makes and resolves a snapshot, and an agent that resumes it is in the same work session', async () => {
    await ask('session_open', { goal: 'Debug retries', session_id: 'work' });
    const handed = await ask<Snapped>('session_handoff', { source_harness: 'claude_code' });
    expect(handed.manifest.source_harness).toBe('claude_code');
    expect(await ask('session_status', { session_id: 'work' })).toMatchObject({
      session: { status: 'resolved' },
    });
    // A server with the default tools has this one too, because work is waiting.
    const next = await serveTools(sandbox, inject('installedPackage'));
    const resumed = (await next.call('session_resume', {
      snapshot_id: handed.snapshot_id,
    })) as unknown as Resumed;
    expect(resumed).toMatchObject({
      session_id: 'work',
      payload_markdown: expect.stringContaining('Debug retries'),
    });
    await next.close();
    expect(await ask('session_status', { session_id: 'work' })).toMatchObject({
      session: { status: 'open' },
    });
  });

  it('[session-restores] [handoff-context] lists the files of the work first, and counts exactly what it restored', async () => {
    for (const folder of ['a', 'b', 'long-name']) write(`src/${folder}/handler.rs`, 'fn handle() {}\n');
    hook('UserPromptSubmit', { prompt: 'Make the handlers answer in order.' });
    edited('src/long-name/handler.rs', 'edit-1');
    edited('src/lib.rs', 'edit-2');
    const search = { query: 'fn handle', path: 'src/a' };
    await ask('search_content', search);
    const { session } = await ask<Opened>('session_open', { goal: 'Handlers in order' });
    const { snapshot_id } = await ask<Snapped>('session_snapshot', { session_id: session.session_id });
    // In a folder where nobody has worked yet.
    git(sandbox.repo, 'add', '.');
    git(sandbox.repo, 'commit', '-qm', 'second');
    const tree = join(sandbox.home, 'tree');
    git(sandbox.repo, 'worktree', 'add', '-q', tree, '-b', 'other');
    writeFileSync(join(tree, 'src/lib.rs'), 'mod auth;\nmod other;\n');
    const other = await serveTools({ ...sandbox, repo: tree }, inject('installedPackage'), '--tools', 'all');
    const found = async () => {
      const { results } = await other.call('find_files', { query: 'handler', force_refresh: true });
      return (results as { path: string }[]).map(({ path }) => path);
    };
    expect(await found()).toEqual(['src/a/handler.rs', 'src/b/handler.rs', 'src/long-name/handler.rs']);
    const { hydration_report, searches } = (await other.call('session_resume', {
      snapshot_id,
    })) as unknown as Resumed;
    expect(await found()).toEqual(['src/long-name/handler.rs', 'src/a/handler.rs', 'src/b/handler.rs']);
    expect(hydration_report).toEqual({
      files_primed: 1,
      searches_warmed: 1,
      frecency_entries_restored: 2,
      stale_files: ['src/lib.rs'],
    });
    expect(searches).toMatchObject([{ tool: 'search_content', ...search, files_with_matches: 1 }]);
    const check = async (path: string) => (await other.call('memo_check', { path })).status;
    expect(await check('src/long-name/handler.rs')).toBe('fresh');
    expect(await check('src/auth/router.rs')).toBe('unknown');
    await other.close();
  });

  it('[snapshot-private] contains no file and no secret, and nothing that was forgotten', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    write('src/config.rs', `const TOKEN: &str = "${secret}";\nfn heron() {}\n`);
    write('.env', 'SERVICE_PASSWORD=correct-horse-battery\n');
    hook('UserPromptSubmit', { prompt: 'Look at the ibis in the router, please.' });
    edited('src/config.rs', 'edit-1');
    await ask('session_open', { goal: 'Use correct-horse-battery for the heron' });
    const { snapshot_id, snapshot_dir } = await ask<Snapped>('session_snapshot', {
      pinned_snippet_paths: [{ path: 'src/config.rs', line_start: 1, line_end: 2 }],
    });
    const { payload_markdown } = await ask<Resumed>('session_resume', { snapshot_id });
    expect(payload_markdown).toContain('fn heron() {}');
    const kept = readFileSync(join(snapshot_dir, 'snapshot.json'), 'utf8');
    expect(readdirSync(snapshot_dir)).toEqual(['snapshot.json']);
    for (const text of [kept, payload_markdown]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain('correct-horse-battery');
    }
    expect(kept).toContain('ibis');
    expect(sandbox.cli('forget', '--containing', 'ibis', '--yes').status).toBe(0);
    for (const { path, bytes } of filesUnder(join(sandbox.home, '.backstory'))) {
      expect(bytes.includes('ibis'), path).toBe(false);
    }
    expect((await ask<Resumed>('session_resume', { snapshot_id })).payload_markdown).toContain('heron');
  });

  it('[snapshot-private] a goal taken from a prompt is forgotten with the prompt, even after a resume', async () => {
    hook('UserPromptSubmit', { prompt: 'Look at the ibis in the router, please.' });
    edited('src/lib.rs', 'edit-1');
    const { sessions } = await ask<{ sessions: Opened['session'][] }>('session_list');
    const { snapshot_id } = await ask<Snapped>('session_snapshot', {
      session_id: sessions[0]?.session_id,
    });
    await ask('session_resume', { snapshot_id });
    const prompt = sandbox.events().find(({ kind }) => kind === 'prompt');
    expect(sandbox.cli('forget', String(prompt?.id), '--yes').status).toBe(0);
    for (const { path, bytes } of filesUnder(join(sandbox.home, '.backstory')))
      expect(bytes.includes('ibis'), path).toBe(false);
  });

  it('[session-off] writes nothing where nothing may be stored, and still returns what is known', async () => {
    await ask('session_open', { goal: 'Debug retries', session_id: 'work' });
    const { snapshot_id } = await ask<Snapped>('session_snapshot');
    // The drain that the server started records commits.
    settle(sandbox);
    expect(sandbox.cli('capture', 'off').status).toBe(0);
    const kept = () =>
      [...filesUnder(join(sandbox.home, '.backstory'))]
        .filter(({ path }) => /[\\/](?:events|snapshots|notes)[\\/]|work-sessions/.test(path))
        .map(({ path, bytes }) => [path, bytes.length]);
    const before = kept();
    await expect(ask('session_open', { goal: 'x y z' })).rejects.toThrow('NOT_INSTALLED');
    await expect(ask('session_snapshot')).rejects.toThrow('NOT_INSTALLED');
    expect(sandbox.cli('handoff', 'codex').status).toBe(1);
    expect(await ask('session_resume', { snapshot_id })).toMatchObject({ session_id: 'work' });
    expect(sandbox.cli('handoff', '--brief').status).toBe(0);
    expect(kept()).toEqual(before);
  });
});
