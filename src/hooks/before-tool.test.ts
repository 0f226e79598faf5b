import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { writeJson } from '../base/files.ts';
import type { Match } from '../domain/match.ts';
import type { NoteKind } from '../domain/note.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { enforceNote, rememberNote, unenforceNote } from '../memory/notes/remember.ts';
import { acceptNote, inboxOf, rejectNote } from '../memory/notes/review.ts';
import { readRules } from '../memory/rules/rule-table.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  memory.prompt('hello');
});
afterEach(() => memory.remove());

const noteParts = () => notePartsOf(memory.open());

const remember = (text: string, kind: NoteKind = 'rule') =>
  rememberNote(noteParts(), { text, kind, concepts: [], files: [], trust: 3, author: 'tester' });
const tell = async (text: string, match: Match, kind?: NoteKind) =>
  enforceNote(noteParts(), await remember(text, kind), { match, isTold: true });

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
    const { id } = await tell('use pnpm, never npm', { command: ['npm'] });
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
    const enforced = await enforceNote(noteParts(), note, { match: { path: ['src/generated/**'] } });
    expect(enforced).toMatchObject({ pinned: true, enforced: true });
    await memory.drain();
    const input = { file_path: `${memory.work}/src/generated/a.ts`, old_string: 'a', new_string: 'b' };
    for (let times = 0; times < 2; times++) {
      const { permissionDecision, permissionDecisionReason } = answerOf(answer('Edit', input));
      expect(permissionDecision).toBe('deny');
      expect(permissionDecisionReason).toContain("don't edit src/generated");
    }
    expect(bash('go test ./...')).toBe('');
    const told = await enforceNote(noteParts(), enforced, { isTold: true });
    await memory.drain();
    expect(answerOf(answer('Edit', input)).permissionDecision).toBeUndefined();
    await unenforceNote(noteParts(), told);
    await memory.drain();
    expect(answer('Edit', input, { session_id: 'session-2' })).toBe('');
  });

  it('is answered with at most three rules, and the others at the next call', async () => {
    const texts = ['use pnpm', 'no global installs', 'ask before installs', 'keep the lock file'];
    for (const text of texts) await tell(text, { command: ['npm'] });
    await memory.drain();
    const linesOf = (output: string) =>
      (answerOf(output).additionalContext ?? '').split('This call').length - 1;
    expect([linesOf(bash('npm install')), linesOf(bash('npm install'))]).toEqual([3, 1]);
    expect(bash('npm install')).toBe('');
    for (const note of await memory.open().notes.list())
      if (texts.includes(note.text)) await enforceNote(noteParts(), note, { match: { command: ['npm'] } });
    await memory.drain();
    const { permissionDecisionReason = '' } = answerOf(bash('npm install'));
    expect(permissionDecisionReason.split('Denied').length - 1).toBe(3);
  });

  it('is answered in the format of the plugins of OpenCode and Pi', async () => {
    await tell('tried left-pad, it leaks', { package: ['left-pad'] }, 'failed');
    await memory.drain();
    const tool = { name: 'bash', id: 'c1', input: { command: 'npm i left-pad' } };
    const call = { agent: 'opencode', event: 'before-tool', session: 's', cwd: memory.work, tool };
    const { prelude } = JSON.parse(memory.hook({ backstory: call })) as { prelude: string };
    expect(prelude).toContain('an approach that failed before, 2026-11-14: "tried left-pad, it leaks"');
  });

  it('gets nothing from the words of a note, or if the user turned it off', async () => {
    const note = await remember('never run npm install; do not edit legacy/a.ts');
    await memory.open().notes.put({ ...note, enforced: true, pinned: true });
    await tell('use fd instead of find', { command: ['find'] });
    await memory.drain();
    expect(bash('npm install > legacy/a.ts')).toBe('');
    const { paths, project } = memory.open();
    expect(readRules(paths.project(project).rules)).toHaveLength(1);
    writeJson(paths.config, { tell: ['prelude', 'prompt'] });
    expect(bash('find . -name x')).toBe('');
  });

  it('is compared in a folder below, but not in another repository or an unknown folder', async () => {
    await tell('use pnpm, never npm', { command: ['npm'] });
    await memory.drain();
    expect(bash('npm install', { cwd: `${memory.home}/elsewhere` })).toBe('');
    expect(bash('npm install', { cwd: `${memory.work}/web` })).not.toBe('');
  });
});

describe('a matcher that an agent proposes', () => {
  const propose = async (state: 'active' | 'candidate') => {
    const proposed = await rememberNote(noteParts(), {
      text: 'use pnpm, never npm',
      kind: 'rule',
      concepts: [],
      files: [],
      trust: state === 'active' ? 2 : 1,
      author: 'claude-code',
      proposedMatch: { command: ['npm'] },
    });
    await memory.drain();
    return proposed;
  };
  const inbox = async () => inboxOf(await memory.open().notes.list()).candidates.map(({ id }) => id);

  it.each(['active', 'candidate'] as const)(
    '[rule-proposal] takes effect only when a person accepts it, on a note that is %s',
    async (state) => {
      const proposed = await propose(state);
      expect(bash('npm install')).toBe('');
      expect(await inbox()).toEqual([proposed.id]);
      const accepted = await acceptNote(noteParts(), proposed);
      await memory.drain();
      expect(accepted).not.toHaveProperty('enforced');
      expect(answerOf(bash('npm install')).permissionDecision).toBeUndefined();
      expect(bash('npm ci', { session_id: 'session-2' })).toContain('use pnpm, never npm');
      expect(await inbox()).toEqual([]);
    },
  );

  it('is dropped when a person rejects it; the sentence of the user stays', async () => {
    const proposed = await propose('active');
    const { device } = memory.open();
    await rejectNote(noteParts(), proposed, { device, context: noteParts().context });
    await memory.drain();
    const note = await memory.open().notes.get(proposed.id);
    expect(note).toMatchObject({ state: 'active', text: proposed.text });
    expect(note).not.toHaveProperty('proposedMatch');
    expect(bash('npm install')).toBe('');
  });
});
