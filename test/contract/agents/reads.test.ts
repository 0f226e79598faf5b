import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshness } from '../../../src/memo/freshness.ts';
import { fileKey, heldAfter } from '../../../src/memo/held.ts';
import { textOnDisk } from '../../../src/memo/shown-lines.ts';
import { stepsOf } from '../../../src/memo/steps.ts';
import { resolvePlace } from '../../../src/memory/projects.ts';
import { fileLines } from '../../../src/text/file-lines.ts';
import { createMemoryHome, type MemoryHome } from '../../support/memory-home.ts';

/** Calls as each agent makes them; their fields are those of the recordings beside this file. */
interface Dialect {
  session: string;
  read(path: string, content: string): object;
  edit?(path: string, old: string, now: string, before: string): object;
  shell(command: string, output: string): object;
  compact(): object;
}

const content = 'export const cache = "disk";\nexport const size = 3;\nexport const age = 4;\n';
let memory: MemoryHome;
let calls = 0;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const put = (path: string, text: string): string => {
  const file = join(memory.work, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const claude = (more: object): object => ({
  session_id: 's-claude',
  prompt_id: 'turn-1',
  cwd: memory.work,
  hook_event_name: 'PostToolUse',
  tool_use_id: `toolu_${++calls}`,
  ...more,
});
const codex = (more: object): object => ({ ...claude(more), session_id: 's-codex', turn_id: 'turn-1' });
const cursor = (more: object): object => ({
  cursor_version: '2.1.0',
  conversation_id: 's-cursor',
  generation_id: 'turn-1',
  workspace_roots: [memory.work],
  hook_event_name: 'postToolUse',
  tool_use_id: `call_${++calls}`,
  ...more,
});
const plugin = (agent: string, more: object): object => ({
  backstory: { agent, event: 'tool', session: `s-${agent}`, cwd: memory.work, turn: 'turn-1', ...more },
});
const diff = (path: string, old: string, now: string): string =>
  `Index: ${path}\n===\n--- ${path}\n+++ ${path}\n@@ -1,1 +1,1 @@\n-${old}\n+${now}\n`;

const dialects: Record<string, Dialect> = {
  'claude-code': {
    session: 's-claude',
    read: (filePath, text) => {
      const lines = text.split('\n').length;
      const file = { filePath, content: text, numLines: lines, startLine: 1, totalLines: lines };
      return claude({ tool_name: 'Read', tool_input: {}, tool_response: { type: 'text', file } });
    },
    edit: (filePath, oldString, newString, originalFile) =>
      claude({
        tool_name: 'Edit',
        tool_input: { file_path: filePath },
        tool_response: {
          filePath,
          oldString,
          newString,
          originalFile,
          structuredPatch: [],
          replaceAll: false,
        },
      }),
    shell: (command, stdout) =>
      claude({ tool_name: 'Bash', tool_input: { command }, tool_response: { stdout, stderr: '' } }),
    compact: () => claude({ hook_event_name: 'PreCompact', trigger: 'auto' }),
  },
  codex: {
    session: 's-codex',
    read: (path, text) =>
      codex({ tool_name: 'Bash', tool_input: { command: `cat ${path}` }, tool_response: text }),
    edit: (path, old, now) => {
      const command = `*** Begin Patch\n*** Update File: ${path}\n@@\n-${old}\n+${now}\n*** End Patch\n`;
      return codex({ tool_name: 'apply_patch', tool_input: { command }, tool_response: 'Done' });
    },
    shell: (command, output) => codex({ tool_name: 'Bash', tool_input: { command }, tool_response: output }),
    compact: () => codex({ hook_event_name: 'PreCompact', trigger: 'auto' }),
  },
  opencode: {
    session: 's-opencode',
    read: (path, text) => {
      const lines = fileLines(text);
      const display = {
        path,
        text: lines.join('\n'),
        lineStart: 1,
        lineEnd: lines.length,
        totalLines: lines.length,
      };
      return plugin('opencode', {
        tool: { name: 'read', id: `c${++calls}`, input: {}, details: { display } },
      });
    },
    edit: (path, old, now) =>
      plugin('opencode', {
        tool: {
          name: 'edit',
          id: `c${++calls}`,
          input: { filePath: path },
          details: { diff: diff(path, old, now) },
        },
      }),
    shell: (command, output) =>
      plugin('opencode', {
        tool: { name: 'bash', id: `c${++calls}`, input: { command }, details: { output, exit: 0 } },
      }),
    compact: () => plugin('opencode', { event: 'compact', cause: 'auto' }),
  },
  pi: {
    session: 's-pi',
    read: (path, text) =>
      plugin('pi', { tool: { name: 'read', id: `c${++calls}`, input: { path }, output: text } }),
    edit: (path, oldText, newText) =>
      plugin('pi', {
        tool: { name: 'edit', id: `c${++calls}`, input: { path, oldText, newText }, output: 'ok' },
      }),
    shell: (command, output) =>
      plugin('pi', { tool: { name: 'bash', id: `c${++calls}`, input: { command }, output } }),
    compact: () => plugin('pi', { event: 'compact' }),
  },
  cursor: {
    session: 's-cursor',
    read: (path, text) =>
      cursor({
        tool_name: 'Read',
        tool_input: { file_path: path },
        tool_output: JSON.stringify({ content: text }),
      }),
    edit: (file_path, old_string, new_string) =>
      cursor({ hook_event_name: 'afterFileEdit', file_path, edits: [{ old_string, new_string }] }),
    shell: (command, output) =>
      cursor({
        tool_name: 'Shell',
        tool_input: { command },
        tool_output: JSON.stringify({ output, exitCode: 0 }),
      }),
    compact: () => cursor({ hook_event_name: 'preCompact', trigger: 'auto' }),
  },
};

async function statusOf(session: string, path: string): Promise<string> {
  const parts = memory.open();
  const { steps } = await stepsOf(parts, { agentSession: session });
  const { place } = resolvePlace(memory.paths, memory.work, memory.clock);
  const file = heldAfter(steps).files.get(fileKey(place.checkout, path));
  const text = textOnDisk(join(realpathSync(memory.work), path));
  return freshness(file, text === undefined ? undefined : fileLines(text), parts.device.key).status;
}
const reads = () => memory.events().flatMap((event) => (event.kind === 'read' ? [event.body] : []));

describe.each(Object.entries(dialects))('what %s reads', (_agent, dialect) => {
  it('[memo-reads] is known at once, with its lines, its size and nothing of its text', async () => {
    const path = put('src/cache.ts', content);
    memory.hook(dialect.read(path, content));
    expect(reads()).toMatchObject([{ path: 'src/cache.ts', startLine: 1, lines: 3, total: 3 }]);
    expect(reads()[0]?.hash).toMatch(/^[0-9a-f]{32}$/);
    expect(reads()[0]?.tokens).toBeGreaterThan(10);
    expect(await statusOf(dialect.session, 'src/cache.ts')).toBe('fresh');
    put('src/cache.ts', content.replace('3', '5'));
    expect(await statusOf(dialect.session, 'src/cache.ts')).toBe('stale');
    memory.hook(dialect.read(path, content.replace('3', '5')));
    expect(await statusOf(dialect.session, 'src/cache.ts')).toBe('fresh');
    memory.hook(dialect.compact());
    expect(await statusOf(dialect.session, 'src/cache.ts')).toBe('unknown');
  });

  it('[memo-reads] counts what its shell commands show, by their lines', async () => {
    put('src/cache.ts', content);
    const second = 'export const size = 3;\n';
    memory.hook(dialect.shell("sed -n '2,2p' src/cache.ts", second));
    expect(reads()).toMatchObject([{ path: 'src/cache.ts', startLine: 2, lines: 1 }]);
    put('src/cache.ts', content.replace('age = 4', 'age = 5'));
    expect(await statusOf(dialect.session, 'src/cache.ts')).toBe('fresh');
    put('src/cache.ts', content.replace('size = 3', 'size = 5'));
    expect(await statusOf(dialect.session, 'src/cache.ts')).toBe('stale');
    memory.hook(dialect.shell('rg -n nothing src/cache.ts', 'src/cache.ts:2:export const size = 5;\n'));
    expect(reads().at(-1)).toMatchObject({ path: 'src/cache.ts', lines: 0, hash: '' });
    expect(await statusOf(dialect.session, 'src/cache.ts')).toBe('stale');
  });

  it('[memo-own-edit] is still known after its own edit, and not after somebody else’s', async () => {
    const path = put('src/cache.ts', content);
    memory.hook(dialect.read(path, content));
    const [old, now] = ['export const size = 3;', 'export const size = 4;\nexport const more = 1;'];
    const edited = content.replace(old, now);
    put('src/cache.ts', edited);
    const call = dialect.edit?.(path, old, now.replace('\n', '\n+'), content);
    const isPatch = JSON.stringify(call).includes('@@');
    memory.hook(isPatch ? (call as object) : (dialect.edit?.(path, old, now, content) as object));
    expect(await statusOf(dialect.session, 'src/cache.ts')).toBe('fresh');
    put('src/cache.ts', edited.replace('4', '9'));
    expect(await statusOf(dialect.session, 'src/cache.ts')).toBe('stale');
  });
});

it('does not take a command for a read when the file is not in its output', () => {
  put('a.ts', content);
  memory.hook(dialects.codex?.shell('cat a.ts', 'something else\n') as object);
  expect(reads()).toMatchObject([{ path: 'a.ts', lines: 0, hash: '' }]);
});
