import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRecallingHook } from '../../test/support/in-process-hook.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { writeJson } from '../base/files.ts';
import { createRecall } from '../cmd/hook-recall.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberNote } from '../memory/notes/remember.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import type { App } from './command.ts';
import { preludeCommand } from './prelude.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const same = (text: string): string => text;
const show = (prompt: string): Promise<string> => run({ prompt, why: true });
const run = async (values: Record<string, unknown>): Promise<string> => {
  const { paths, work, open } = memory;
  const place = () => resolvePlace(paths, work, memory.clock).place;
  const app = {
    paths,
    style: { dim: same },
    clock: memory.clock,
    place,
    rememberPlace: place,
    userHome: memory.home,
    context: () => notePartsOf(open()).context,
    printError: () => {},
    open,
    recallForPrompt: createRecall(paths),
  } as unknown as App;
  return (await preludeCommand.run(app, { positionals: [], values })).text;
};

const asked = 'how does src/payment.ts sign its webhooks?';

it('shows exactly what the hook answers to a first prompt, with the reason for each line', async () => {
  memory.prompt('hello');
  await memory.drain();
  const text = 'The payment service signs webhooks with Ed25519, never with HMAC';
  await rememberNote(notePartsOf(memory.open()), {
    text,
    kind: 'decision',
    concepts: [],
    files: ['src/payment.ts'],
    trust: 3,
    author: 'tester',
  });
  await memory.drain();
  expect(await show(asked)).toMatch(/^Nothing: .*prelude/);
  writeJson(memory.paths.config, { tell: ['prompt'] });
  const call = { hook_event_name: 'UserPromptSubmit', session_id: 'new', prompt_id: 'p', cwd: memory.work };
  const hook = createRecallingHook({ ...memory, userHome: memory.home });
  const output = JSON.parse(await hook({ ...call, prompt: asked }));
  const shown = await show(asked);
  expect(shown).toContain(text);
  expect(shown.startsWith(output.hookSpecificOutput.additionalContext)).toBe(true);
  expect(shown).toContain('because: 2026-11-14, a note you wrote');
});

it.each([
  ['/clear', 'command of the agent'],
  ['implement a parser for Markdown tables with alignment', 'names nothing'],
])('says why %j brings nothing', async (prompt, why) => {
  memory.prompt('the retry queue keeps its jobs in Postgres');
  await memory.drain();
  expect(await show(prompt)).toMatch(new RegExp(`^Nothing: .*${why}`));
  writeJson(memory.paths.config, { tell: ['prelude'] });
  expect(await show(prompt)).toMatch(/^Nothing: .*setting/);
});

it.each(['continue', 'where were we?'])(
  'shows the last work for %j, with the reason for each line',
  async (prompt) => {
    memory.prompt('the retry queue loses its jobs, find out why');
    await memory.drain();
    const shown = await show(prompt);
    expect(shown).toContain('the user asked "the retry queue loses its jobs, find out why"');
    expect(shown).toContain('because: seen by Backstory, and your own words');
  },
);

it('[muted-lines] does not tell a line that the user muted by its id, until the same command tells it again', async () => {
  memory.prompt('the retry queue loses its jobs, find out why');
  await memory.drain();
  const told = 'the user asked "the retry queue loses its jobs, find out why"';
  const explained = await run({ why: true });
  const [, mute = ''] = /--mute (\w{8})/.exec(explained.slice(explained.lastIndexOf(told))) ?? [];
  expect(await run({})).toContain(told);
  await run({ mute });
  expect(await run({})).not.toContain(told);
  expect(await run({ why: true })).toContain(`muted. because:`);
  await run({ mute });
  expect(await run({})).toContain(told);
  await expect(run({ mute: '0123' })).rejects.toThrow('no line of the prelude');
});
