import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { git } from '../../../test/support/sandbox.ts';
import { sourceLabel } from '../../recall/render.ts';
import { quickLimits, withIndex } from '../../recall/with-index.ts';
import { listAgentSessions } from '../sessions/agent-sessions.ts';
import { importEntire } from './import-entire.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const rule = 'We always keep invoices for ten years.';
const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const said = [rule, `The token is ${secret}, use it.`, 'One more thing: add a test.'];
const lines = (count: number, session = '77aa-1'): string =>
  said
    .slice(0, count)
    .map((content, at) => ({
      type: 'user',
      uuid: `${session} u${at}`,
      promptId: `p${at}`,
      sessionId: session,
      timestamp: `2026-11-14T11:0${at}:00Z`,
      message: { role: 'user', content },
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

function repository(): string {
  const root = join(memory.home, 'repository');
  mkdirSync(root);
  git(root, 'init', '-q', '-b', 'entire/checkpoints/v1', '.');
  const store = (folder: string, agent: string, session: string, transcript: string): void => {
    const path = join(root, folder, 'metadata.json');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ session_id: session, agent }));
    writeFileSync(join(root, folder, 'full.jsonl'), transcript);
  };
  store('aa/0123456789/0', 'Claude Code', '77aa-1', lines(3));
  store('bb/0123456789/0', 'Claude Code', '77aa-1', lines(1));
  store('ab/0123456789/0', 'Claude Code', '88bb-1', lines(1, '88bb-1'));
  store('cc/0123456789/0', 'OpenCode', 'ses_1', '{}');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'Checkpoint', '--author', 'Eve <eve@example.com>');
  git(root, 'checkout', '-q', '--orphan', 'main');
  return root;
}

describe('importEntire', () => {
  it("[import-entire] takes each session once, as a teammate's, and tells it to no session", async () => {
    const root = repository();
    memory.prompt('Hello there, please list the files.');
    await memory.drain();
    const parts = memory.open();
    const expected = { sessions: 2, events: 4, skipped: 1 };
    expect(await importEntire(parts, root)).toEqual(expected);
    expect(await importEntire(parts, root)).toMatchObject({ sessions: 0, events: 0 });
    await memory.drain();
    const imported = memory.events().filter(({ origin }) => origin === 'teammate');
    expect(imported.map(({ trust, actor }) => [trust, actor])).toEqual(Array(4).fill([0, 'Eve']));
    expect(JSON.stringify(imported)).not.toContain(secret);
    const found = await withIndex(
      memory.open(),
      quickLimits,
      async (index) => (await index?.list({ kinds: ['prompt'] }, 10)) ?? [],
    );
    const [hit] = found.filter(({ text }) => text === rule);
    expect(hit && sourceLabel(hit)).toContain('Eve, a teammate, not trusted');
    expect((await listAgentSessions(memory.open(), {}, 10)).sessions).toHaveLength(1);
    expect(readFileSync(memory.paths.project(parts.project).prelude, 'utf8')).not.toMatch(/invoice|77aa/);
    expect((await parts.notes.list()).filter(({ text }) => text.includes('invoice'))).toEqual([]);
  });
});
