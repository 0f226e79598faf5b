import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { callsOf } from '../../scripts/coverage.ts';
import { designs } from '../../scripts/source-designs.ts';
import { hookCalls } from '../support/hook-calls.ts';
import { type McpServerUnderTest, startMcp } from '../support/mcp.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';
import { type Served, startServe } from '../support/serve.ts';
import { until } from '../support/until.ts';

let sandbox: Sandbox;
let mcp: McpServerUnderTest | undefined;
let served: Served | undefined;
/** Ids of earlier answers. */
const ids = new Map<string, string>();

beforeAll(async () => {
  sandbox = createSandbox(inject('installedPackage'));
  mkdirSync(join(sandbox.repo, 'src'));
  const code = '// A failed job is queued again.\nexport function retryJob() {}\n';
  writeFileSync(join(sandbox.repo, 'src/queue.ts'), code);
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-qm', 'queue: retry failed jobs');
  expect(sandbox.cli('install', 'claude-code').status).toBe(0);
  for (const call of hookCalls(sandbox.repo)) sandbox.hook(call);
  settle(sandbox);
});
afterAll(async () => {
  await stopServers();
  sandbox?.remove();
});

/** A running server keeps the code index to itself. */
async function stopServers(): Promise<void> {
  await Promise.all([mcp?.stop(), served?.stop()]);
  mcp = undefined;
  served = undefined;
}

/** Makes a call and returns the answer. */
async function answerTo(call: string): Promise<string> {
  const [, method, path, body] = /^(GET|POST) (\S+)(?: (.*))?$/.exec(call) ?? [];
  if (method !== undefined && path !== undefined) {
    const headers = { 'content-type': 'application/json' };
    served ??= await startServe(sandbox, inject('installedPackage'));
    const { fetch } = served;
    const answer = await fetch(path, body === undefined ? { method } : { method, headers, body });
    const text = await answer.text();
    expect(answer.status, text).toBeLessThan(300);
    ids.set(
      '$hit',
      /"(?:items|records|results)":.*?"id":"([0-9a-f]{16,})"/.exec(text)?.[1] ?? ids.get('$hit') ?? '',
    );
    return text;
  }
  const [, tool, given] = /^(\w+) (\{.*\})$/.exec(call) ?? [];
  if (tool !== undefined && given !== undefined) {
    mcp ??= await startMcp(sandbox, inject('installedPackage'));
    const answer = await mcp.call(tool, JSON.parse(given));
    const text = `${answer.content[0]?.text} ${JSON.stringify(answer.structuredContent)}`;
    for (const [, name, id] of text.matchAll(/"(session|snapshot)_id":"([^"]+)"/g))
      ids.set(`$${name}`, `${id}`);
    return text;
  }
  if (/build \.|reindex code/.test(call)) await stopServers();
  const words = [...call.matchAll(/"((?:\\.|[^"\\])*)"|\S+/g)].map(([all, quoted]) => quoted ?? all);
  const args = words.slice(1).map((word) => word.replaceAll('\\"', '"'));
  let ran = sandbox.cli(...args);
  await until(() => {
    const isLocked = ran.stderr.includes('is indexing this project');
    if (isLocked) ran = sandbox.cli(...args);
    return !isLocked;
  });
  const { status, stdout, stderr } = ran;
  expect(status, stderr).toBe(0);
  return stdout;
}

const withIds = (text: string): string => text.replaceAll(/\$\w+/g, (name) => ids.get(name) ?? name);

describe.each(Object.entries(designs))('%s', (_, rows) => {
  it.each(rows)('[source-designs] %s', async (...row) => {
    for (const call of callsOf(row).filter(({ isTeams }) => !isTeams))
      expect(await answerTo(withIds(call.text)), call.text).toContain(withIds(call.wanted));
  });
});
