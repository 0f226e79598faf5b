import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { writeJson } from '../base/files.ts';
import type { NoteKind } from '../domain/note.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { enforceNote, rememberNote } from '../memory/notes/remember.ts';
import { readRules } from '../memory/rules/rule-table.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  memory.prompt('hello');
});
afterEach(() => memory.remove());

const noteParts = () => notePartsOf(memory.open());

const remember = (text: string, kind: NoteKind = 'convention', trust: 1 | 3 = 3) =>
  rememberNote(noteParts(), { text, kind, concepts: [], files: [], trust, author: 'tester' });

const answer = (tool_name: string, tool_input: object, more: object = {}): string =>
  memory.hook({
    hook_event_name: 'PreToolUse',
    session_id: 'session-1',
    cwd: memory.work,
    tool_name,
    tool_input,
    tool_use_id: 't1',
    ...more,
  });
const bash = (command: string, more?: object): string => answer('Bash', { command }, more);

interface Answer {
  hookSpecificOutput: {
    additionalContext?: string;
    permissionDecision?: string;
    permissionDecisionReason?: string;
  };
}
const answerOf = (output: string) => (JSON.parse(output) as Answer).hookSpecificOutput;

describe('a tool call that goes against a rule', () => {
  it('gets one line with the rule, its date and its id, once in each session and again after a compaction', async () => {
    const { id } = await remember('use pnpm, never npm');
    await memory.drain();
    const { additionalContext = '' } = answerOf(bash('npm install'));
    expect(additionalContext).toContain('a rule of the user, 2026-11-14: "use pnpm, never npm"');
    expect(additionalContext).toContain(`[${id.slice(-8)}]`);
    expect(additionalContext).toMatch(/^<backstory-memory>[^\n]*<\/backstory-memory>$/);
    expect(bash('npm test')).toBe('');
    expect(bash('npm test', { session_id: 'session-2' })).not.toBe('');
    expect(bash('npm test', { agent_id: 'a1', agent_type: 'Explore' })).not.toBe('');
    memory.hook({
      hook_event_name: 'PreCompact',
      session_id: 'session-1',
      cwd: memory.work,
      trigger: 'auto',
    });
    expect(bash('npm test')).not.toBe('');
    expect(bash('pnpm install')).toBe('');
  });

  it('is denied each time if the user enforces the rule', async () => {
    const note = await remember("don't edit src/generated");
    await enforceNote(noteParts(), note, true);
    await memory.drain();
    const input = { file_path: `${memory.work}/src/generated/a.ts`, old_string: 'a', new_string: 'b' };
    for (let times = 0; times < 2; times++) {
      const { permissionDecision, permissionDecisionReason } = answerOf(answer('Edit', input));
      expect(permissionDecision).toBe('deny');
      expect(permissionDecisionReason).toContain("don't edit src/generated");
    }
    await enforceNote(noteParts(), { ...note, enforced: true }, false);
    await memory.drain();
    expect(answerOf(answer('Edit', input)).permissionDecision).toBeUndefined();
  });

  it('is answered in the format of the plugins of OpenCode and Pi', async () => {
    await remember('tried left-pad, it leaks', 'failed-path');
    await memory.drain();
    const tool = { name: 'bash', id: 'c1', input: { command: 'npm i left-pad' } };
    const call = { agent: 'opencode', event: 'before-tool', session: 's', cwd: memory.work, tool };
    const { prelude } = JSON.parse(memory.hook({ backstory: call })) as { prelude: string };
    expect(prelude).toContain('an approach that failed before, 2026-11-14: "tried left-pad, it leaks"');
  });

  it('gets nothing from notes that nobody approved, of other kinds, or if the user turned it off', async () => {
    await remember('use pnpm, never npm', 'convention', 1);
    await remember('use rg instead of grep', 'decision');
    await remember('use fd instead of find');
    await memory.drain();
    expect(bash('npm install; grep x')).toBe('');
    const { paths, project } = memory.open();
    expect(readRules(paths.project(project).rules)).toHaveLength(1);
    writeJson(paths.config, { rules: 'off' });
    expect(bash('find . -name x')).toBe('');
  });

  it('is compared in a folder below, but not in another repository or an unknown folder', async () => {
    await remember('use pnpm, never npm');
    await memory.drain();
    expect(bash('npm install', { cwd: `${memory.home}/elsewhere` })).toBe('');
    expect(bash('npm install', { cwd: `${memory.work}/web` })).not.toBe('');
  });
});
