import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aNote } from '../../test/contract/samples.ts';
import { commitAll } from '../../test/support/agent-edits.ts';
import { hookParts } from '../../test/support/in-process-hook.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { readIfThere, writeJson } from '../base/files.ts';
import type { Compared, EndedCommand } from '../memory/capture/compare-files.ts';
import { ensureLostWrites, readLostWrites } from '../memory/capture/lost-writes.ts';
import { writeEverywhere } from '../memory/prelude/everywhere-lines.ts';
import { writePrelude } from '../memory/prelude/prelude-file.ts';
import { type HookParts, runHook } from './run-hook.ts';

let memory: MemoryHome;
let drained: string[];
let compared: [Compared, EndedCommand[] | 'later'][];
let acknowledged: string[];
beforeAll(() => {
  memory = createMemoryHome();
});
afterAll(() => memory.remove());
beforeEach(() => {
  drained = [];
  compared = [];
  acknowledged = [];
  rmSync(join(memory.home, '.backstory'), { recursive: true, force: true });
  writeJson(memory.paths.installs, { v: 1, installs: [] });
});

const partsWith = (more: Partial<HookParts> = {}): HookParts => ({
  ...hookParts({ ...memory, userHome: memory.home }),
  acknowledge: (id) => acknowledged.push(id),
  startDrain: (project) => drained.push(project),
  compareFiles: (place, commands) => compared.push([place, commands]),
  ...more,
});
const run = (input: object, more?: Partial<HookParts>): string => {
  const output = runHook(JSON.stringify(input), partsWith(more));
  if (typeof output !== 'string') throw new Error('the hook waits');
  return output;
};
const call = (hook_event_name: string, more: object = {}) => ({
  ...{ hook_event_name, session_id: 's', prompt_id: 't', cwd: memory.work },
  ...more,
});
const prompt = (text: string, more: object = {}) => call('UserPromptSubmit', { prompt: text, ...more });
const bash = (command: string, more: object = {}) =>
  call('PostToolUse', {
    ...{ tool_name: 'Bash', tool_use_id: command, tool_input: { command } },
    tool_response: { stdout: 'fine', stderr: '' },
    ...more,
  });
const start = (more: object = {}) => call('SessionStart', { source: 'startup', ...more });
const tell = (...tell: string[]) => writeJson(memory.paths.config, { tell });
/** Stores a rule for every project, which is told in any prelude. */
const remember = (text: string) =>
  writeEverywhere(memory.paths, [
    aNote({ text, kind: 'rule', everywhere: true, match: { command: ['npm'] }, pinned: true }),
  ]);
const contextOf = (output: string): string =>
  output === '' ? '' : JSON.parse(output).hookSpecificOutput.additionalContext;
const kinds = (): string[] => memory.events().map(({ kind }) => kind);

describe('a hook call', () => {
  it('fails if its input is no JSON object, without quoting it', () => {
    for (const stdin of ['', 'my words', '["my words"]'])
      expect(() => runHook(stdin, partsWith())).toThrow(
        new Error(`stdin is not a JSON object (${stdin.length} characters)`),
      );
  });

  it('does nothing without a session or a folder, or for an event that is not known', () => {
    const loadPlaces = (): never => {
      throw new Error('a place was looked up');
    };
    for (const more of [{ session_id: '' }, { cwd: '' }, { hook_event_name: 'Later' }])
      expect(run(prompt('hello', more), { loadPlaces })).toBe('');
    expect(() => run(prompt('hello'), { loadPlaces })).toThrow('a place was looked up');
  });

  it('looks a folder up with git once', () => {
    let lookups = 0;
    const loadPlaces = () => {
      lookups++;
      return partsWith().loadPlaces();
    };
    run(prompt('one'), { loadPlaces });
    run(prompt('two', { prompt_id: 't2' }), { loadPlaces });
    expect(lookups).toBe(1);
    expect(kinds()).toEqual(['prompt', 'prompt']);
  });

  it('stores nothing while capture is off, not even the folder', () => {
    remember('use pnpm');
    writeJson(memory.paths.config, { capture: 'off' });
    for (const input of [start(), prompt('hello'), call('Stop', { last_assistant_message: 'Done.' })])
      expect(run(input)).toBe('');
    expect([drained, acknowledged, compared]).toEqual([[], [], []]);
    writeJson(memory.paths.config, {});
    let lookups = 0;
    run(prompt('hello'), {
      loadPlaces: () => {
        lookups++;
        return partsWith().loadPlaces();
      },
    });
    expect(lookups).toBe(1);
    expect(kinds()).toEqual(['prompt']);
  });

  it('acknowledges each event that it stored', () => {
    run(prompt('hello'));
    const [event] = memory.events();
    expect(acknowledged).toEqual([event?.id]);
    run(prompt(''));
    expect(acknowledged).toHaveLength(1);
  });

  it('starts a drain at the end of a turn, at a compaction and at the end of the session', () => {
    const ends = [
      call('Stop', { last_assistant_message: 'Done.' }),
      call('PreCompact', { trigger: 'auto' }),
      call('SessionEnd', { reason: 'other' }),
    ];
    for (const [at, input] of ends.entries()) {
      run(input);
      expect(drained).toHaveLength(at + 1);
    }
    for (const input of [start(), prompt('hello'), bash('ls')]) run(input);
    expect(drained).toEqual(Array(3).fill(memory.open().project));
  });

  it('masks the credentials of the environment in what it stores', () => {
    run(prompt('use correct-Horse-7 there'), { variables: { APP_TOKEN: 'correct-Horse-7' } });
    const [event] = memory.events();
    expect(event).toMatchObject({ body: { text: 'use [redacted:known-value] there' } });
  });

  it('names the configured user, or else the one who is logged in', () => {
    run(prompt('one'));
    writeJson(memory.paths.config, { actor: 'ann' });
    run(prompt('two', { prompt_id: 't2' }));
    expect(memory.events().map(({ actor }) => actor)).toEqual(['tester', 'ann']);
  });

  it('leaves files out that the user excluded', () => {
    writeJson(memory.paths.config, { exclude: ['*.pem'] });
    const edit = (name: string) => ({
      ...{ tool_name: 'Edit', tool_use_id: name, tool_input: { file_path: join(memory.work, name) } },
      tool_response: { structuredPatch: [] },
    });
    run(call('PostToolUse', edit('key.pem')));
    run(call('PostToolUse', edit('key.ts')));
    expect(memory.events()).toMatchObject([{ body: { path: 'key.ts' } }]);
    expect(acknowledged).toHaveLength(1);
  });

  it('fails if the events cannot be written, and notes how many were lost', () => {
    const { project } = memory.open();
    ensureLostWrites(memory.paths.lostWrites);
    const { events } = memory.paths.project(project);
    rmSync(events, { recursive: true, force: true });
    mkdirSync(join(events, '..'), { recursive: true });
    writeFileSync(events, '');
    expect(() => run(prompt('hello'))).toThrow();
    expect(readLostWrites(memory.paths.lostWrites, project)).toMatchObject([
      { events: 1, code: expect.stringMatching(/^E/) },
    ]);
    expect(acknowledged).toEqual([]);
  });

  it('of Codex does not store a command, which its transcript reports with its exit status', () => {
    let loads = 0;
    const loadTouchedFiles = () => {
      loads++;
      return partsWith().loadTouchedFiles();
    };
    const codex = { turn_id: 't', tool_response: 'fine' };
    run(bash('ls', codex), { loadTouchedFiles });
    expect(loads).toBe(1);
    expect(acknowledged).toEqual([]);
    run(prompt('hello'), { loadTouchedFiles });
    expect(loads, 'a prompt touches no file').toBe(1);
    run(bash('pwd'), { loadTouchedFiles });
    expect(loads).toBe(2);
    const file_path = join(memory.work, 'a.ts');
    const written = {
      filePath: file_path,
      originalFile: 'a',
      oldString: 'a',
      newString: 'b',
      structuredPatch: [],
    };
    const edit = { tool_name: 'Edit', tool_use_id: 'e', tool_input: { file_path }, tool_response: written };
    run(call('PostToolUse', edit), { loadTouchedFiles });
    expect(loads).toBe(3);
    run(bash('touch b.ts', { tool_response: { stdout: '', stderr: '' } }), { loadTouchedFiles });
    expect(loads, 'a command without output may have written a file').toBe(4);
    expect(kinds()).toEqual(['prompt', 'command', 'edit', 'command']);
  });
});

describe('a prompt that no person typed', () => {
  const loadTyped = () => () => 'headless session';

  it('is stored as such', () => {
    run(prompt('one'), { loadTyped });
    run(prompt('two', { prompt_id: 't2' }));
    expect(memory.events()).toMatchObject([
      { trust: 1, body: { text: 'one', untyped: 'headless session' } },
      { trust: 2, body: { text: 'two' } },
    ]);
  });

  it('is looked for only in a prompt, and at the start of an agent that reports no single prompt', () => {
    const asked: string[] = [];
    const asking: Partial<HookParts> = {
      loadTyped:
        () =>
        ({ event }) => {
          asked.push(event);
          return 'headless session';
        },
    };
    for (const input of [start(), bash('ls'), call('Stop', { last_assistant_message: 'Done.' })])
      run(input, asking);
    expect(asked).toEqual([]);
    const transcript_path = join(memory.home, '.factory/sessions/x/0123-abc.jsonl');
    run(start({ transcript_path }), asking);
    expect(asked).toEqual(['session-start']);
    const [first, , , last] = memory.events();
    expect(first?.body).not.toHaveProperty('untyped');
    expect(last).toMatchObject({ agent: 'droid', body: { phase: 'start', untyped: 'headless session' } });
  });

  it('leaves the start of its session as it is if both come together', () => {
    const together = {
      agent: 'pi',
      event: 'session-start',
      cause: 'startup',
      session: 's',
      cwd: memory.work,
    };
    run({ backstory: { ...together, prompt: { id: 'p', text: 'hello' } } }, { loadTyped });
    const bodies = memory.events().map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(bodies.map((body) => 'untyped' in body)).toEqual(bodies.map((body) => 'text' in body));
  });
});

describe('the prelude', () => {
  it('is given at the start of a session, with its size in the event', () => {
    remember('benutze für alles pnpm');
    const told = contextOf(run(start()));
    expect(told).toContain('benutze für alles pnpm');
    expect(contextOf(run(prompt('hello')))).toBe('');
    expect(contextOf(run(bash('ls')))).toBe('');
    const [event] = memory.events();
    expect(event?.body).toMatchObject({ preludeTokens: Math.ceil(Buffer.byteLength(told) / 4) });
  });

  it('has no size in the event if there is none', () => {
    expect(run(start())).toBe('');
    expect(memory.events()[0]?.body).not.toHaveProperty('preludeTokens');
  });

  it('is not given if the user turned it off', () => {
    remember('use pnpm');
    tell('prompt', 'rules');
    expect(run(start())).toBe('');
    tell('prelude');
    expect(contextOf(run(start()))).toContain('use pnpm');
  });

  it('is given once with the first tool call by an agent that drops it before, and again after a compaction', () => {
    remember('use pnpm');
    const cline = (hookName: string, more: object = {}) => ({
      ...{ clineVersion: '3', hookName, taskId: 's', workspaceRoots: [memory.work] },
      ...more,
    });
    const tool = (id: string, more?: object) =>
      cline('tool_result', { tool_result: { id, name: 'read_file', input: {}, output: '' }, ...more });
    expect(run(cline('agent_start'))).toBe('');
    expect(run(tool('0', { parent_agent_id: 'p', agent_id: 'a' }))).toBe('');
    expect(run(tool('1'))).toContain('use pnpm');
    expect(run(tool('2'))).toBe('');
    run(cline('pre_compact'));
    expect(run(tool('3'))).toContain('use pnpm');
  });
});

describe('the comparison of files', () => {
  beforeAll(() => {
    git(memory.work, 'init', '-q', '-b', 'main', '.');
    git(memory.work, 'config', 'user.name', 'T');
    git(memory.work, 'config', 'user.email', 't@example.org');
    writeFileSync(join(memory.work, 'a.ts'), 'a\n');
    commitAll(memory, 'Start');
  });
  afterAll(() => rmSync(join(memory.work, '.git'), { recursive: true, force: true }));

  it('is started after a tool, for the command and the time in which it ran', () => {
    writeJson(memory.paths.config, { exclude: ['*.pem'] });
    memory.clock.set(1_800_000_000_000);
    run(bash('make', { duration_ms: 2_000 }), { clock: { now: () => 1_800_000_000_000 } });
    run(bash('ls'), { clock: { now: () => 1_800_000_000_000 } });
    const ids = memory.events().map(({ id }) => id);
    const until = 1_800_000_000_000;
    expect(compared.map(([, commands]) => commands)).toEqual([
      [{ id: ids[0], from: until - 2_500, until }],
      [{ id: ids[1], until }],
    ]);
    expect(compared[0]?.[0]).toMatchObject({
      project: memory.open().project,
      root: memory.work,
      exclude: ['*.pem'],
    });
  });

  it('is started after a tool that ran no command too, because it may have written files', () => {
    run(call('PostToolUse', { tool_name: 'mcp__x', tool_use_id: 'x', tool_input: {}, tool_response: {} }));
    expect(compared.map(([, commands]) => commands)).toEqual([[]]);
  });

  it('is left for later at a prompt that the agent does not wait for, and not started at other calls', () => {
    run(prompt('hello'));
    expect(compared.map(([, commands]) => commands)).toEqual(['later']);
    for (const input of [start(), call('Stop', { last_assistant_message: 'Done.' })]) run(input);
    expect(compared).toHaveLength(1);
  });

  it('is started at a prompt for which the agent waits anyway', async () => {
    const loadRecall = () => async () => ({ text: [], told: [] }) as never;
    await runHook(
      JSON.stringify(prompt('why does the retry queue lose its jobs?')),
      partsWith({ loadRecall }),
    );
    expect(compared.map(([, commands]) => commands)).toEqual([[]]);
  });

  it('is not started in a folder without a commit', () => {
    const cwd = join(memory.home, 'elsewhere');
    mkdirSync(cwd, { recursive: true });
    run(bash('ls', { cwd }));
    run(prompt('hello', { cwd }));
    expect(compared).toEqual([]);
  });
});

describe('the answer to a prompt', () => {
  const question = 'why does the retry queue lose its jobs?';

  it('is given up if recall fails, which is recorded; the prelude of the same call is given', async () => {
    remember('use pnpm');
    const loadRecall = () => async () => {
      throw new Error('the index is gone');
    };
    expect(await runHook(JSON.stringify(prompt(question)), partsWith({ loadRecall }))).toBe('');
    expect(readIfThere(memory.paths.failures)).toContain('the index is gone');
    const together = {
      agent: 'pi',
      event: 'session-start',
      cause: 'startup',
      session: 's2',
      cwd: memory.work,
    };
    const both = { backstory: { ...together, prompt: { id: 'p', text: question } } };
    expect(await runHook(JSON.stringify(both), partsWith({ loadRecall }))).toContain('use pnpm');
  });

  it('of a subagent is none', async () => {
    const asked: string[] = [];
    const loadRecall = () => async (query: { prompt: string }) => {
      asked.push(query.prompt);
      return { text: [], told: [] } as never;
    };
    for (const more of [{ agent_id: 'a', agent_type: 'Explore' }, {}])
      await runHook(JSON.stringify(prompt(question, more)), partsWith({ loadRecall }));
    expect(asked).toHaveLength(1);
  });

  it('to a dialog of the agent is none', () => {
    const dialog = { questions: [{ question: 'Why?' }], answers: { 'Why?': question } };
    const answered = {
      tool_name: 'AskUserQuestion',
      tool_use_id: 'a',
      tool_input: {},
      tool_response: dialog,
    };
    const loadPrompts = (): never => {
      throw new Error('a prompt was answered');
    };
    run(call('PostToolUse', answered), { loadPrompts });
    expect(kinds()).toContain('prompt');
    expect(() => run(prompt(question), { loadPrompts })).toThrow('a prompt was answered');
  });
});

describe('a subagent that starts', () => {
  const subagent = () => call('SubagentStart', { agent_id: 'a', agent_type: 'Explore' });

  it('is told the rules, if the user did not turn that off', () => {
    const { project } = memory.open();
    const line = { section: 'Rules', text: 'use pnpm', reason: 'x' } as const;
    writePrelude(memory.paths.project(project).prelude, { v: 1, position: {}, lines: [line] });
    expect(contextOf(run(subagent()))).toContain('- use pnpm');
    tell('prelude', 'rules');
    expect(run(subagent())).toBe('');
  });
});

describe('a call before a tool', () => {
  const pending = (tool_name: string, tool_input: object, more: object = {}) =>
    call('PreToolUse', { tool_name, tool_input, tool_use_id: 'x', ...more });
  const npm = () => pending('Bash', { command: 'npm test' });

  it('is compared with the rules in a known folder, and is not recorded', () => {
    remember('use pnpm');
    expect(run(npm())).toBe('');
    run(prompt('hello'));
    acknowledged = [];
    expect(contextOf(run(npm()))).toContain('use pnpm');
    expect([acknowledged, drained, compared]).toEqual([[], [], []]);
    expect(kinds()).toEqual(['prompt']);
  });

  it('is not answered while capture or the rules are off', () => {
    remember('use pnpm');
    run(prompt('hello'));
    writeJson(memory.paths.config, { capture: 'off' });
    expect(run(npm())).toBe('');
    tell('prelude', 'prompt');
    expect(run(npm())).toBe('');
    tell('rules');
    expect(contextOf(run(npm()))).toContain('use pnpm');
  });

  it.each(['Task', 'Agent'])('recalls what concerns the task of a subagent (%s)', async (tool) => {
    run(prompt('hello'));
    const asked: string[] = [];
    const loadRecall = () => async (question: { prompt: string }) => {
      asked.push(question.prompt);
      return { text: ['- known'] } as never;
    };
    const starting = pending(tool, { prompt: 'find the queue', subagent_type: 'Explore' });
    expect(run(starting), 'without recall').toBe('');
    tell('prelude', 'rules');
    expect(run(starting, { loadRecall })).toBe('');
    tell('prompt');
    expect(await runHook(JSON.stringify(starting), partsWith({ loadRecall }))).toBe('');
    expect(asked).toEqual(['find the queue']);
    expect(contextOf(run(call('SubagentStart', { agent_id: 'a', agent_type: 'Explore' })))).toContain(
      '- known',
    );
  });
});
