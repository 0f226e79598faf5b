import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type McpServerUnderTest, startMcp } from '../support/mcp.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';

let sandbox: Sandbox;
let server: McpServerUnderTest;
let calls = 0;
beforeAll(async () => {
  sandbox = createSandbox(inject('installedPackage'));
  sandbox.cli('install', 'claude-code');
  put('src/auth/router.rs', router);
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-qm', 'first');
  server = await startMcp(sandbox, inject('installedPackage'));
  hook('SessionStart', { source: 'startup' });
});
afterAll(async () => {
  await server.stop();
  settle(sandbox);
  sandbox.remove();
});

const router = Array.from({ length: 60 }, (_, at) => `pub fn route_${at}() -> Result<(), Error> {}`).join(
  '\n',
);
const put = (path: string, text: string): string => {
  const file = join(sandbox.repo, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
let session = 'session-123';
const hook = (event: string, more: object): void => {
  const common = { hook_event_name: event, session_id: session, prompt_id: 'turn-1', cwd: sandbox.repo };
  const ran = sandbox.hook({ ...common, ...more }, { CLAUDE_PID: String(process.pid) });
  expect(ran.status).toBe(0);
};
const read = (path: string, text: string): void => {
  const lines = text.split('\n').length;
  const file = {
    filePath: join(sandbox.repo, path),
    content: text,
    numLines: lines,
    startLine: 1,
    totalLines: lines,
  };
  hook('PostToolUse', {
    tool_name: 'Read',
    tool_input: {},
    tool_response: { type: 'text', file },
    tool_use_id: `toolu_${++calls}`,
  });
};
const check = async (path: string) => (await server.call('memo_check', { path })).structuredContent ?? {};
const statusOf = async (path: string) => (await check(path)).status;

describe('Memo over MCP', () => {
  it('[memo-mcp] memo_check answers as documented, and reads the disk at the time of the call', async () => {
    const path = 'src/auth/router.rs';
    expect(await check(path)).toMatchObject({ status: 'unknown', recommendation: 'reread' });
    read(path, router);
    expect(await check(path)).toEqual({
      path,
      status: 'fresh',
      recommendation: 'skip_reread',
      tokens_at_last_read: expect.any(Number),
      last_read_ago_seconds: expect.any(Number),
      message: expect.any(String),
    });
    put(path, router.replace('route_7()', 'route_seven()'));
    const stale = await check(path);
    expect(stale).toMatchObject({
      path,
      status: 'stale',
      recommendation: 'reread_with_diff',
      tokens_at_last_read: expect.any(Number),
      last_read_ago_seconds: expect.any(Number),
      current_tokens: expect.any(Number),
    });
    expect(stale.diff).toContain('-pub fn route_7() -> Result<(), Error> {}');
    expect(stale.diff).toContain('+pub fn route_seven() -> Result<(), Error> {}');
    // The text form says the same.
    const [shown] = (await server.call('memo_check', { path })).content;
    expect(shown?.text).toContain('+pub fn route_seven');
    put(path, 'something else altogether\n');
    expect(await check(path)).toMatchObject({ status: 'stale', recommendation: 'reread' });
    put(path, router);
    expect(await statusOf(path)).toBe('fresh');
  });

  it('[memo-mcp] memo_status answers as documented', async () => {
    const path = 'src/auth/router.rs';
    put(path, router.replace('route_9()', 'route_nine()'));
    const { structuredContent } = await server.call('memo_status', { files: [path, 'never.rs'] });
    expect(structuredContent).toEqual({
      session_id: 'session-123',
      results: [
        {
          path,
          status: 'stale',
          tokens: expect.any(Number),
          read_count: 1,
          message: expect.stringMatching(/^Changed since last read \(now ~\d+ tokens\); re-read file\.$/),
          current_tokens: expect.any(Number),
        },
        { path: 'never.rs', status: 'unknown', tokens: 0, read_count: 0, message: expect.any(String) },
      ],
    });
    put(path, router);
  });

  it('[memo-mcp] memo_session returns tracked files and saved tokens, labelled as estimates', async () => {
    const { structuredContent } = await server.call('memo_session', {});
    expect(structuredContent).toMatchObject({
      session_id: 'session-123',
      context_epoch: 0,
      tracked_files: 1,
      files: [{ path: 'src/auth/router.rs', status: 'fresh', read_count: 1 }],
      tokens_saved: expect.any(Number),
      tokens_spent: expect.any(Number),
      net_tokens: expect.any(Number),
      estimated: true,
    });
  });

  it('[memo-subagent] does not report to a subagent what only its parent has seen', async () => {
    expect(await statusOf('src/auth/router.rs')).toBe('fresh');
    hook('SubagentStart', { agent_id: 'a1', agent_type: 'explore' });
    expect(await check('src/auth/router.rs')).toMatchObject({ status: 'unknown', recommendation: 'reread' });
    hook('SubagentStop', { agent_id: 'a1', agent_type: 'explore', last_assistant_message: 'Explored.' });
    expect(await statusOf('src/auth/router.rs')).toBe('fresh');
  });

  it('[code-reuse] a search is referred to only while its result is in the context', async () => {
    const search = async (more: object = {}) =>
      (await server.call('search_content', { query: 'route_11', ...more })).structuredContent ?? {};
    const first = await search();
    expect(first).toMatchObject({ cache: 'miss', results: [{ path: 'src/auth/router.rs' }] });
    expect(await search()).toMatchObject({
      cache: 'hit',
      prior_search_id: first.search_id,
      search_id: first.search_id,
      reuse_status: 'fresh_duplicate',
      reuse_reason: 'unchanged',
      generation: expect.any(Number),
      context_epoch: 0,
      files_with_matches: 1,
      total_line_matches: 1,
      results: [],
      results_omitted: true,
      truncated: false,
    });
    expect(await search({ force_refresh: true })).toMatchObject({ cache: 'bypass' });
    put('src/other.rs', 'route_11\n');
    expect(await search()).toMatchObject({ cache: 'miss', files_with_matches: 2 });
    expect(await search()).toMatchObject({ cache: 'hit' });
    // A compaction of another session has no effect on this one.
    hookOf('somebody-else', 'PreCompact', { trigger: 'auto' });
    expect(await search()).toMatchObject({ cache: 'hit' });
    hook('PreCompact', { trigger: 'auto' });
    const again = await search();
    expect(again).toMatchObject({ cache: 'miss' });
    expect(again.search_id).not.toBe(first.search_id);
    expect(await search()).toMatchObject({ cache: 'hit', context_epoch: 1 });
  });

  it('[stats] counts only reads that were really skipped, minus what Backstory cost', async () => {
    read('src/auth/router.rs', router);
    expect(await statusOf('src/auth/router.rs')).toBe('fresh');
    interface Stats {
      sessions: {
        agentSession: string;
        rereadsAvoided: number;
        searchesAvoided: number;
        rereadTokens: number;
      }[];
      total: {
        netTokens: number;
        answerTokens: number;
        rereadTokens: number;
        searchTokens: number;
        preludeTokens: number;
        definitionTokens: number;
      };
    }
    const ownOf = ({ sessions }: Stats) =>
      sessions.find(({ agentSession }) => agentSession === 'session-123');
    const stats = () => sandbox.json<Stats>('status', '--tokens');
    // The record is written after each response.
    await expect.poll(() => ownOf(stats())).toMatchObject({ rereadsAvoided: 2, searchesAvoided: 2 });
    const before = stats();
    const own = ownOf(before);
    const { total } = before;
    expect(total.netTokens).toBe(
      total.rereadTokens +
        total.searchTokens -
        total.preludeTokens -
        total.answerTokens -
        total.definitionTokens,
    );
    // A file that is read anyway was not avoided.
    read('src/auth/router.rs', router);
    const after = ownOf(stats());
    expect(after?.rereadsAvoided).toBe(1);
    expect(after?.rereadTokens).toBeLessThan(own?.rereadTokens ?? 0);
    expect(sandbox.cli('status', '--tokens').stdout).toContain('estimated');
  });
});

const hookOf = (other: string, event: string, more: object): void => {
  const own = session;
  session = other;
  const common = { hook_event_name: event, session_id: other, prompt_id: 't', cwd: sandbox.repo };
  sandbox.hook({ ...common, ...more }, { CLAUDE_PID: '1' });
  session = own;
};
