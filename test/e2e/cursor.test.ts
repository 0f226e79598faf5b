import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { createSandbox, type Sandbox, settle } from '../support/sandbox.ts';

/** Cursor cannot run offline. The tests check the files it reads and the responses it gets. */
interface HooksFile {
  version: number;
  hooks: Record<string, { command: string; matcher?: string }[]>;
}

const before = '{\n  "version": 1,\n  "hooks": {\n    "stop": [{ "command": "say done" }]\n  }\n}\n';

describe('Cursor', () => {
  let sandbox: Sandbox;
  afterEach(() => sandbox.remove());

  const start = (): string => {
    sandbox = createSandbox(inject('installedPackage'));
    mkdirSync(join(sandbox.home, '.cursor'));
    const hooks = join(sandbox.home, '.cursor/hooks.json');
    writeFileSync(hooks, before);
    expect(sandbox.cli('install', 'cursor').status).toBe(0);
    return hooks;
  };
  const callHook = (event: string, more: object = {}) =>
    sandbox.hook({
      hook_event_name: event,
      conversation_id: 'conversation-1',
      generation_id: 'generation-1',
      cursor_version: '2.4.7',
      workspace_roots: [sandbox.repo],
      transcript_path: null,
      ...more,
    });

  it('[cursor-install] gets the same hook command as Claude Code next to existing entries, and uninstall restores the file byte for byte', () => {
    const hooks = start();
    const { version, hooks: lists } = JSON.parse(readFileSync(hooks, 'utf8')) as HooksFile;
    expect(version).toBe(1);
    expect(lists.stop?.map(({ command }) => command)[0]).toBe('say done');
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    const settings = JSON.parse(readFileSync(join(sandbox.home, '.claude/settings.json'), 'utf8')) as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    const commands = Object.values(lists).map((list) => list.at(-1)?.command);
    expect(new Set([...commands, settings.hooks.Stop?.[0]?.hooks[0]?.command]).size).toBe(1);
    const server = JSON.parse(readFileSync(join(sandbox.home, '.cursor/mcp.json'), 'utf8')) as object;
    expect(server).toMatchObject({ mcpServers: { backstory: { command: process.execPath } } });
    expect(sandbox.cli('uninstall', 'cursor').status).toBe(0);
    expect(readFileSync(hooks, 'utf8')).toBe(before);
    expect(() => readFileSync(join(sandbox.home, '.cursor/mcp.json'))).toThrow();
  });

  it('[cursor-prelude] gets earlier decisions in the format it expects', () => {
    start();
    const decision = 'We decided to keep the cache in memory because the disk cache served stale pages.';
    expect(callHook('sessionStart').stdout).toBe('');
    callHook('beforeSubmitPrompt', { prompt: decision });
    callHook('afterAgentResponse', { text: 'Noted.' });
    callHook('stop', { status: 'completed' });
    settle(sandbox);
    const response = JSON.parse(
      callHook('sessionStart', { conversation_id: 'conversation-2' }).stdout,
    ) as object;
    expect(Object.keys(response)).toEqual(['additional_context']);
    expect(JSON.stringify(response)).toContain(decision);
  });
});
