import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { callToolsIn, type ToolResult } from '../support/call-tools.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';

interface Packed extends ToolResult {
  structuredContent?: Record<string, unknown> & {
    items: {
      path: string;
      score: number;
      reasons: string[];
      snippets: { line: number; preview: string }[];
    }[];
    notes?: { id: string; title: string; path: string }[];
    estimated_tokens: number;
    missing?: string[];
  };
}

let sandbox: Sandbox;
const goal = 'fix auth panic for service accounts';
beforeAll(() => {
  sandbox = createSandbox(inject('installedPackage'));
  sandbox.cli('install', 'claude-code');
  put(
    'src/auth/router.rs',
    'use std::io;\n\npub fn route_service_account(id: u64) {\n    panic!("auth panic");\n}\n',
  );
  put('src/cli/parser.rs', 'pub fn parse_arguments(args: &[String]) -> Config {}\n');
  put('src/net/backoff.rs', 'pub const LIMIT: u32 = 7;\n');
  put('tests/auth_test.rs', 'fn panics_for_service_accounts() { route_service_account(1); }\n');
  commit('Add the router');
  put('src/net/backoff.rs', 'pub const LIMIT: u32 = 9;\n');
  commit('Stop hammering the upstream gateway when it is overloaded');
  sandbox.cli('remember', 'Nine was agreed with the gateway team.', '--files', 'src/net/backoff.rs');
});
afterAll(() => sandbox.remove());

const put = (path: string, text: string): void => {
  mkdirSync(join(sandbox.repo, path, '..'), { recursive: true });
  writeFileSync(join(sandbox.repo, path), text);
};
function commit(message: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: sandbox.repo,
      env: sandbox.env,
    });
  git('add', '.');
  git('commit', '-qm', message);
}
const packs = (
  calls: object[],
  { folder = sandbox.repo, env = {} }: { folder?: string; env?: Record<string, string> } = {},
): Promise<Packed[]> =>
  callToolsIn<Packed>(
    sandbox,
    calls.map((given) => ['context_pack', given]),
    env,
    folder,
  );
const pathsOf = (packed: Packed | undefined): string[] =>
  packed?.structuredContent?.items.map(({ path }) => path) ?? [];

describe('context_pack over MCP', () => {
  it('[pack-mcp] returns its envelope', async () => {
    const [packed] = await packs([
      { goal, intent: 'bugfix', budget_tokens: 1200, max_files: 4, changed_files: [] },
    ]);
    expect(packed?.structuredContent).toMatchObject({
      version: '1',
      repo_root: expect.any(String),
      intent: 'bugfix',
      goal,
      budget_tokens: 1200,
      max_files: 4,
      estimated_tokens: expect.any(Number),
      items: expect.any(Array),
      suggested_next_steps: [expect.any(String)],
      truncated: expect.any(Boolean),
    });
    expect(packed?.structuredContent?.items[0]).toEqual({
      path: 'src/auth/router.rs',
      score: expect.any(Number),
      reasons: expect.arrayContaining(['content_match', 'path_match']),
      snippets: [
        { line: 3, column: 8, preview: 'pub fn route_service_account(id: u64) {' },
        { line: 4, column: 5, preview: 'panic!("auth panic");' },
      ],
    });
    expect(packed?.content[0]?.text).toContain('src/auth/router.rs');
  });

  it('[pack-mcp] has the documented defaults and limits', async () => {
    const [usual, huge] = await packs([{ goal }, { goal, budget_tokens: 1_000_000, max_files: 1_000 }]);
    expect(usual?.structuredContent).toMatchObject({ intent: 'bugfix', budget_tokens: 1200, max_files: 4 });
    expect(huge?.structuredContent).toMatchObject({ budget_tokens: 4000, max_files: 12 });
    const wrong = await packs([{}, { goal: '' }, { goal, intent: 'poem' }, { goal, max_files: 0 }]);
    for (const { isError, content } of wrong) {
      expect(isError).toBe(true);
      expect(JSON.parse(content[0]?.text ?? '').error.code).toBe('INVALID_QUERY');
    }
  });

  it('[pack-alone] works without git and memory, says so, and writes nothing where it may not', async () => {
    const folder = join(sandbox.home, 'plain');
    mkdirSync(folder);
    writeFileSync(join(folder, 'walrus.py'), 'def feed_walrus():\n    pass\n');
    const home = join(sandbox.home, 'nothing');
    const [packed] = await packs([{ goal: 'feed the walrus' }], {
      folder,
      env: { BACKSTORY_OFF: '1', BACKSTORY_HOME: home },
    });
    expect(pathsOf(packed)).toEqual(['walrus.py']);
    expect(packed?.structuredContent?.missing).toEqual(['git_history', 'memory']);
    expect(spawnSync('find', [home, '-name', '*.words'], { encoding: 'utf8' }).stdout).toBe('');
  });
});

describe('backstory search --task', () => {
  it('[pack-mcp] prints the same for a person', () => {
    const { stdout, status } = sandbox.cli('search', '--task', goal);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^src\/auth\/router\.rs {2}content match/);
    expect(stdout).toContain('     4  panic!("auth panic");');
    expect(sandbox.cli('search', '--task').status).toBe(2);
    expect(
      sandbox.json<{ items: { path: string }[] }>('search', '--task', goal, '--limit', '1').items,
    ).toHaveLength(1);
    expect(sandbox.cli('search', '--task', 'xyzzy').status).toBe(1);
  });

  it('[pack-alone] stores the word index next to the code index, and nowhere else', () => {
    expect(sandbox.cli('doctor', '--reindex', 'code').status).toBe(0);
    sandbox.cli('search', '--task', goal);
    const kept = spawnSync('find', [sandbox.home, '-name', '*.words'], { encoding: 'utf8' }).stdout.trim();
    expect(kept.split('\n').every((path) => path.includes('/code/'))).toBe(true);
    expect(kept).not.toBe('');
  });
});
