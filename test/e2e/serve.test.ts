import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openLedger } from '../../src/spend/ledger.ts';
import { createSandbox, filesUnder, git, type Sandbox, settle } from '../support/sandbox.ts';
import { type Served, startServe } from '../support/serve.ts';
import { until } from '../support/until.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const lacking = hasCurl ? undefined : 'curl is not installed';
if (lacking !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(lacking);

const installed = () => inject('installedPackage');
const fixedPort = 37_777;

/** A project with entries of every kind, as an agent's hooks create them. */
function remembered(): Sandbox {
  const sandbox = createSandbox(installed());
  git(sandbox.repo, 'remote', 'add', 'origin', 'https://git.example/team/claude-mem.git');
  mkdirSync(join(sandbox.repo, 'src'));
  writeFileSync(
    join(sandbox.repo, 'src/worker-service.ts'),
    'export function startWorker() {\n  return 1;\n}\n',
  );
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-qm', 'worker');
  expect(sandbox.cli('install', 'claude-code').status).toBe(0);
  const hook = (hook_event_name: string, more: object) =>
    sandbox.hook({ hook_event_name, session_id: 'agent-1', prompt_id: 'turn-1', cwd: sandbox.repo, ...more });
  hook('UserPromptSubmit', {
    prompt: 'We decided that authentication uses JWT because sessions do not scale.',
  });
  const bash = { tool_name: 'Bash', tool_input: { command: 'npm test' } };
  hook('PostToolUseFailure', { ...bash, tool_use_id: 'run-1', error: 'Exit code 1\n2 bugs: token expiry' });
  hook('PostToolUse', {
    tool_name: 'Edit',
    tool_use_id: 'edit-1',
    tool_input: { file_path: join(sandbox.repo, 'src/worker-service.ts') },
    tool_response: {
      structuredPatch: [{ oldStart: 1, newStart: 1, lines: ['-old', '+export function startWorker() {'] }],
    },
  });
  hook('PostToolUse', { ...bash, tool_use_id: 'run-2', tool_response: { stdout: 'fine', stderr: '' } });
  hook('Stop', { last_assistant_message: 'Done: the worker starts, and the test passes.' });
  sandbox.cli('remember', 'Authentication uses JWT, because sessions do not scale', '--kind', 'decision');
  settle(sandbox);
  return sandbox;
}

describe('backstory serve', () => {
  let sandbox: Sandbox;
  let served: Served;
  beforeAll(async () => {
    sandbox = remembered();
    served = await startServe(sandbox, installed());
  });
  afterAll(async () => {
    await served.stop();
    sandbox.remove();
  });

  it.skipIf(lacking !== undefined)(
    `[http-curl] the published curl lines of claude-mem work as they are, with the token header${lacking === undefined ? '' : ` (skipped: ${lacking})`}`,
    async (context) => {
      if (!(await isFree(fixedPort))) context.skip(`port ${fixedPort} is taken on this machine`);
      const other = remembered();
      const own = await startServe(other, installed(), ['--port', String(fixedPort)]);
      try {
        const lines = readFileSync('test/fixtures/claude-mem-curl-lines.txt', 'utf8').trim().split('\n');
        for (const line of lines) {
          const command = `${line} -s -f -H "Authorization: Bearer ${own.token}"`;
          const answer = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }));
          expect([line, answer.count ?? answer.status]).toEqual([
            line,
            line.includes('/health') ? 'ok' : expect.any(Number),
          ]);
          if (!line.includes('/health')) expect([line, answer.count]).not.toEqual([line, 0]);
        }
      } finally {
        await own.stop();
        other.remove();
      }
    },
  );

  it('[http-seed-003] supports every route and parameter of the search design', async () => {
    const project = 'project=claude-mem';
    for (const name of ['observations', 'sessions', 'prompts']) {
      const index = await served.get<Results>(
        `/api/search/${name}?query=authentication&${project}&limit=1&offset=0&format=index`,
      );
      expect([name, index.count]).toEqual([name, 1]);
      expect(index.results[0]).toMatchObject({
        type: { observations: 'decision', sessions: 'session', prompts: 'prompt' }[name],
        title: expect.stringMatching(/./),
        ...(name === 'sessions' ? { end: 'finished' } : { concepts: expect.any(Array) }),
      });
    }
    for (const types of ['type=decision&type=bugfix', 'type=decision,bugfix']) {
      const both = await served.get<Results>(`/api/search/by-type?${types}&${project}`);
      expect([types, [...new Set(both.results.map(({ type }) => type))].sort()]).toEqual([
        types,
        ['decision', 'fix'],
      ]);
    }
    const full = await served.get<Results>(
      `/api/search/observations?query=authentication&${project}&format=full&type=decision`,
    );
    expect(full.results[0]).toMatchObject({ type: 'decision', text: expect.stringContaining('JWT') });
    const byType = await served.get<Results>(
      `/api/search/by-type?type=bugfix&${project}&limit=5&format=full`,
    );
    expect(byType.results.map(({ type }) => type)).toEqual(['fix']);
    const byFile = await served.get<Results>(
      `/api/search/by-file?filePath=worker-service.ts&${project}&limit=5&format=index`,
    );
    expect(byFile.results[0]?.files).toEqual(['src/worker-service.ts']);
    const byConcept = await served.get<Results>(
      `/api/search/by-concept?concept=nothing-of-that-name&${project}&limit=5&format=index`,
    );
    expect(byConcept.results).toEqual([]);
    const recent = await served.get<{ sessions: { id: string }[] }>(`/api/context/recent?${project}&limit=3`);
    expect(recent.sessions.map(({ id }) => id)).toEqual(['agent-1']);
    const [hit] = (await served.get<Results>(`/api/search/prompts?query=authentication&${project}`)).results;
    const around = `depth_before=2&depth_after=2&limit=5&${project}`;
    const byId = await served.get<Around>(`/api/context/timeline?anchor=${hit?.id}&${around}`);
    expect(byId.records.some(({ isAnchor }) => isAnchor)).toBe(true);
    const byTime = await served.get<Around>(`/api/context/timeline?anchor=${hit?.date}&${around}`);
    const byEpoch = await served.get<Around>(
      `/api/context/timeline?anchor=${Date.parse(hit?.date ?? '')}&${around}`,
    );
    expect(byTime.records.length).toBeGreaterThan(0);
    expect(byEpoch.records).toEqual(byTime.records);
    const byQuery = await served.get<Around>(`/api/timeline/by-query?query=authentication&${around}`);
    expect(byQuery.anchor?.title).toContain('JWT');
    expect(
      (await served.get<{ sessions: unknown[] }>(`/api/context/recent?anchor=${hit?.id}&${around}`)).sessions,
    ).toHaveLength(1);
    const help = await served.get<{ endpoints: { path: string }[] }>('/api/search/help');
    expect(help.endpoints.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/api/search/by-file', '/api/context/recent', '/health']),
    );
    expect(await served.get('/health')).toMatchObject({ status: 'ok' });
  });

  it('[http-seed-002] searches, adds, removes and reindexes memory with the names of the memory design', async () => {
    const records = await served.get<{ results: Record<string, unknown>[] }>(
      '/api/projects/claude-mem/memory/search?q=token+expiry',
    );
    expect(Object.keys(records.results[0] ?? {})).toEqual(
      expect.arrayContaining([
        'documentId',
        'project',
        'source',
        'sourceRef',
        'text',
        'metadata',
        'embeddedAt',
      ]),
    );
    const json = { 'content-type': 'application/json' };
    const added = await served.fetch('/api/projects/claude-mem/memory', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ text: 'The zebra migration runs at night', metadata: { kind: 'fact' } }),
    });
    const { documentId } = (await added.json()) as { documentId: string };
    const find = async () =>
      (
        await served.get<{ results: { text: string }[] }>(
          '/api/projects/claude-mem/memory/search?q=zebra+migration',
        )
      ).results;
    expect((await find())[0]?.text).toContain('zebra');
    const refused = await served.fetch(`/api/memory/${documentId}`, { method: 'DELETE' });
    expect(refused.status).toBe(403);
    const removed = await served.fetchAsPerson(`/api/memory/${documentId}`, { method: 'DELETE' });
    expect(await removed.json()).toMatchObject({ notes: 1 });
    expect((await find()).filter(({ text }) => text.includes('zebra'))).toEqual([]);
    const again = await served.fetch('/api/projects/claude-mem/memory/reindex', { method: 'POST' });
    expect(await again.json()).toMatchObject({ status: 'started' });
    settle(sandbox);
    expect(
      (await served.get<Results>('/api/search/observations?query=authentication')).count,
    ).toBeGreaterThan(0);
  });

  it('[live-events] sends subscribers changes by other processes, and resumes after a disconnect', async () => {
    const first = await listen(served, '/api/v1/live');
    sandbox.cli('remember', 'Live events are told over one connection');
    await first.until(({ event }) => event === 'note:changed');
    sandbox.hook({
      hook_event_name: 'UserPromptSubmit',
      session_id: 'agent-2',
      prompt_id: 'turn-2',
      cwd: sandbox.repo,
      prompt: 'Never deploy on Fridays.',
    });
    settle(sandbox);
    sandbox.cli('prelude');
    await first.until(({ event }) => event === 'drain:progress');
    await first.until(({ event, data }) => event === 'memory:indexed' && data.isComplete === true);
    const usage = { inputTokens: 1_000, outputTokens: 200, usd: 0.01 };
    const ledger = openLedger(join(sandbox.home, '.backstory', 'ledger.jsonl'), { now: () => Date.now() });
    const purpose = { kind: 'distil' as const, project: 'p' };
    const call = ledger.begin({ provider: 'ollama', model: 'm', purpose, reserved: usage });
    ledger.end(call, { outcome: 'written', why: '', charged: usage, retryAfterMs: 0 });
    await first.until(({ event }) => event === 'spend');
    expect(await served.get('/api/v1/spend')).toMatchObject({
      today: { calls: 1, tokens: 1_200 },
      entries: [{ provider: 'ollama', tokensIn: 1_000, tokensOut: 200, costUsd: 0.01, outcome: 'written' }],
    });
    const seen = first.events.at(-1)?.id as string;
    first.close();
    sandbox.cli('remember', 'Something happened while nobody listened');
    const second = await listen(served, '/api/v1/live', { 'last-event-id': seen });
    await second.until(({ data }) => JSON.stringify(data).includes('nobody listened'));
    expect(second.events.every(({ event }) => event !== 'reset')).toBe(true);
    second.close();
    const third = await listen(served, '/api/v1/live', { 'last-event-id': 'another-run-1' });
    await third.until(({ event }) => event === 'reset');
    third.close();
  });

  it('[mcp-http] speaks MCP over HTTP with the tools of stdio', async () => {
    const call = async (method: string, params: object) => {
      const response = await served.fetch('/mcp?tools=all', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const text = await response.text();
      return JSON.parse(
        /^\{|(?<=^data: )\{/m.test(text) ? text.replace(/^(?:event: .*\n)?data: /m, '').trim() : '{}',
      ) as {
        result: Record<string, never>;
      };
    };
    const clientInfo = { name: 'test', version: '1' };
    const hello = await call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    expect(hello.result).toMatchObject({ serverInfo: { name: 'backstory' } });
    const { tools } = (await call('tools/list', {})).result as unknown as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['recall', 'search_content', 'session_open']),
    );
    const recalled = await call('tools/call', { name: 'recall', arguments: { query: 'authentication' } });
    expect(JSON.stringify(recalled.result)).toContain('JWT');
    const refused = await served.fetch('/mcp?tools=every', { method: 'POST', body: '{}' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('/mcp?tools=core|memory|code|all');
  });

  it('runs once per user, and ui finds it without revealing a token', async () => {
    const second = sandbox.cli('serve');
    expect([second.status, second.stderr]).toEqual([1, expect.stringContaining(served.url)]);
    const { url, mayApprove } = sandbox.json<{ url: string; mayApprove: boolean }>('ui', '--print');
    expect(mayApprove).toBe(false);
    expect(url).toMatch(new RegExp(`^${served.url}/login\\?code=[0-9a-f]{64}$`));
    expect(url).not.toContain(served.token);
    const entered = await fetch(url, { redirect: 'manual' });
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] as string;
    const page = await fetch(`${served.url}/api/v1/projects`, { headers: { cookie } });
    expect(page.status).toBe(200);
  });
});

describe('the lifecycle of the server', () => {
  it('[serve-ends] it exits when idle, and leaves neither its state file nor a process', async () => {
    const sandbox = remembered();
    const served = await startServe(sandbox, installed(), ['--idle', '0']);
    expect(await served.ended).toBe(0);
    expect([...filesUnder(join(sandbox.home, '.backstory'))].map(({ path }) => path)).not.toContain(
      join(sandbox.home, '.backstory', 'serve.json'),
    );
    sandbox.remove();
  });

  it('ui starts one if none is running, and ignores the state file of a killed one', async () => {
    const sandbox = remembered();
    const served = await startServe(sandbox, installed());
    served.child.kill('SIGKILL');
    await served.ended;
    expect(existsSync(join(sandbox.home, '.backstory', 'serve.json'))).toBe(true);
    const { url } = sandbox.json<{ url: string }>('ui', '--print');
    const { origin } = new URL(url);
    expect(origin).not.toBe(served.url);
    const token = readFileSync(join(sandbox.home, '.backstory', 'serve.token'), 'utf8').trim();
    const ended = await fetch(`${origin}/api/v1/shutdown`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(ended.status).toBe(200);
    await until(() => !existsSync(join(sandbox.home, '.backstory', 'serve.json')));
    sandbox.remove();
  });

  it('listens on a socket that only its user can open, and replaces the socket of a killed one', async () => {
    const sandbox = remembered();
    const path = join(sandbox.home, 'serve.sock');
    const served = await startServe(sandbox, installed(), ['--socket', path]);
    expect(statSync(path).mode & 0o077).toBe(0);
    if (hasCurl) {
      const answer = execFileSync('curl', [
        '-s',
        '--unix-socket',
        path,
        '-H',
        `Authorization: Bearer ${served.token}`,
        'http://localhost/health',
      ]);
      expect(JSON.parse(String(answer))).toMatchObject({ status: 'ok' });
    }
    served.child.kill('SIGKILL');
    await served.ended;
    expect(existsSync(path)).toBe(true);
    const next = await startServe(sandbox, installed(), ['--socket', path]);
    expect(await next.stop()).toBe(0);
    expect(existsSync(path)).toBe(false);
    sandbox.remove();
  });
});

interface Results {
  count: number;
  results: { id: string; type: string; title: string; date: string; files: string[]; text?: string }[];
}
interface Around {
  anchor: { title: string } | null;
  records: { isAnchor: boolean }[];
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.on('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });

interface Told {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** Reads a stream of events as a browser does. */
async function listen(served: Served, path: string, headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const response = await served.fetch(path, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: stop.signal,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const events: Told[] = [];
  void (async () => {
    let text = '';
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += Buffer.from(chunk).toString('utf8');
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
          const event = field('event');
          if (event !== undefined)
            events.push({ id: field('id') ?? '', event, data: JSON.parse(field('data') ?? '{}') });
        }
      }
    } catch {
      // The test has closed the stream.
    }
  })();
  const untilTold = (fits: (told: Told) => boolean): Promise<void> =>
    until(
      () => events.some(fits),
      () => `told ${fits}; heard ${JSON.stringify(events)}`,
    );
  await untilTold(({ event }) => event === 'ready');
  return { events, until: untilTold, close: () => stop.abort() };
}
