import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type McpServerUnderTest, startMcp } from '../support/mcp.ts';
import { createSandbox, git, type Sandbox } from '../support/sandbox.ts';

interface Status {
  session: { session_id: string; agents: string[]; goal: string };
  action_log_size: number;
}

describe('an MCP client for which no hook runs', () => {
  let sandbox: Sandbox;
  let mcp: McpServerUnderTest;
  beforeEach(async () => {
    sandbox = createSandbox(inject('installedPackage'));
    sandbox.cli('install', 'claude-code');
    writeQueue(30);
    git(sandbox.repo, 'add', '.');
    git(sandbox.repo, 'commit', '-qm', 'queue');
    mcp = await start('Zed Editor');
  });
  afterEach(async () => {
    await mcp.stop();
    sandbox.remove();
  });

  const writeQueue = (lease: number): void => {
    const retries = Array.from({ length: 40 }, (_, at) => `export const retry${at} = ${at};\n`);
    writeFileSync(join(sandbox.repo, 'queue.ts'), [`export const lease = ${lease};\n`, ...retries].join(''));
  };
  const start = (name: string): Promise<McpServerUnderTest> =>
    startMcp(sandbox, inject('installedPackage'), 'all', name);
  const ask = async <T>(tool: string, given: object, server = mcp): Promise<T> => {
    const { structuredContent, isError, content } = await server.call(tool, given);
    if (isError === true) throw new Error(content[0]?.text);
    return structuredContent as T;
  };
  const search = (server = mcp) =>
    ask<{ cache: string; search_id: string }>('search_content', { query: 'lease' }, server);

  it('[mcp-without-hooks] has a session with its calls as action log and its own name as the agent', async () => {
    await ask('session_open', { goal: 'Shorten the lease' });
    await search();
    await ask('find_files', { query: 'queue' });
    await mcp.call('recall', { query: 'lease' });
    await ask('memo_check', { path: 'queue.ts' });
    const status = await ask<Status>('session_status', {});
    expect(status).toMatchObject({
      session: { goal: 'Shorten the lease', agents: ['zed-editor'] },
      action_log_size: 3,
    });
    const served = sandbox.events().filter((event) => event.kind === 'served');
    expect(new Set(served.map(({ agentSession }) => agentSession)).size).toBe(1);
    expect(served[0]).toMatchObject({
      agent: 'zed-editor',
      agentSession: expect.stringMatching(/^mcp-[0-9a-f]{16}$/),
      origin: 'system',
    });
    expect(await ask('session_snapshot', {})).toMatchObject({ snapshot_id: expect.any(String) });
    expect(sandbox.cli('handoff', '--brief').stdout).toContain('Shorten the lease');
  });

  it('[mcp-without-hooks] is named in each call if it speaks the protocol without a handshake', async () => {
    const child = spawn(
      process.execPath,
      [join(inject('installedPackage'), 'dist/mcp.js'), '--tools', 'all'],
      {
        cwd: sandbox.repo,
        env: sandbox.env,
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const call = async (id: number, name: string, given: object) => {
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'goose', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const params = { name, arguments: given, _meta: meta };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
      const { value } = await lines.next();
      return JSON.parse(value as string).result.structuredContent;
    };
    try {
      await call(1, 'search_content', { query: 'lease' });
      expect(await call(2, 'search_content', { query: 'lease' })).toMatchObject({ cache: 'hit' });
      await call(3, 'memo_session', {});
    } finally {
      const ended = new Promise((done) => child.on('close', done));
      child.stdin.end();
      await ended;
    }
    expect(sandbox.events().find(({ kind }) => kind === 'served')?.agent).toBe('goose');
  });

  it('[mcp-without-hooks] learns from memo_check whether a file changed since it was told to read it', async () => {
    const check = () => ask<Record<string, unknown>>('memo_check', { path: 'queue.ts' });
    expect(await check()).toMatchObject({ status: 'unknown', recommendation: 'reread' });
    expect(await check()).toMatchObject({
      status: 'fresh',
      recommendation: 'skip_reread',
      message: expect.stringContaining('if you did'),
    });
    writeQueue(20);
    // The committed file is what it was told to read, so the diff is known.
    expect(await check()).toMatchObject({
      status: 'stale',
      diff: expect.stringContaining('+export const lease = 20;'),
    });
    expect(await check()).toMatchObject({ status: 'fresh' });
    const memo = await ask<Record<string, unknown>>('memo_session', {});
    // Whether the client skipped the file is not known, so nothing counts as saved.
    expect(memo).toMatchObject({
      tracked_files: 1,
      rereads_avoided: 0,
      session_id: expect.stringMatching(/^mcp-/),
    });
    expect(await ask('memo_status', { files: ['other.ts'] })).toMatchObject({
      results: [{ status: 'unknown' }],
    });
  });

  it('[mcp-without-hooks] belongs to the session of its hooks as soon as one runs', async () => {
    await search();
    const call = { session_id: 'hooked', cwd: sandbox.repo, transcript_path: '' };
    sandbox.hook({ ...call, hook_event_name: 'SessionStart', source: 'startup' });
    sandbox.hook({
      ...call,
      hook_event_name: 'UserPromptSubmit',
      prompt_id: 'p1',
      prompt: 'shorten the lease',
    });
    expect((await search()).cache).toBe('miss');
    expect(await ask('memo_session', {})).toMatchObject({ session_id: 'hooked' });
  });
});
