import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { sampleEvent } from '../../test/support/sample-event.ts';
import { agentFolders } from '../agents/settings.ts';
import { writeJson } from '../base/files.ts';
import type { Caller } from '../domain/caller.ts';
import { isAcceptedPlan, type Typist, typistOf, unconfirmed } from '../domain/event.ts';
import { recordPast } from '../memory/capture/past-transcripts.ts';
import { findNextSteps } from '../memory/next-step.ts';
import { forget } from '../memory/notes/forget.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { readPrelude } from '../memory/prelude/prelude-file.ts';
import { listProjects, resolvePlace } from '../memory/projects/projects.ts';
import type { App } from './command.ts';
import { importCommand } from './import.ts';

const rule = 'always send invoices through the ledger gateway';
const terminal = { tty: '/dev/pts/7', ancestors: ['bash 1'] };
const plain = (text: string): string => text;

let memory: MemoryHome;
/** What a person saw. */
let screen: string;
beforeEach(() => {
  memory = createMemoryHome();
  screen = '';
  writeJson(memory.paths.installs, { v: 1, installs: [{ agent: 'claude-code', files: [] }] });
  const moment = { now: memory.clock.now(), userHome: memory.home, isByAgent: false };
  recordPast(memory.paths.pastTranscripts, agentFolders({}, memory.home), moment);
});
afterEach(() => memory.remove());

/** Copies a session in after the installation. */
function session(name: string, prompts: (string | object)[], day = '2026-03-01'): void {
  const folder = join(memory.home, '.claude', 'projects', 'p');
  mkdirSync(folder, { recursive: true });
  const lines = prompts.map((one, at) => ({
    type: 'user',
    uuid: `${name}-${at}`,
    sessionId: name,
    cwd: memory.work,
    timestamp: `${day}T00:0${at}:00Z`,
    ...(typeof one === 'string' ? { message: { role: 'user', content: one } } : one),
  }));
  writeFileSync(join(folder, `${name}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Without keys, there is no terminal. */
function app(keys?: string, caller: Caller = { kind: 'person' }): App {
  const pressed = [...(keys ?? '')];
  return {
    ...memory,
    userHome: memory.home,
    agentFolders: agentFolders({}, memory.home),
    caller: () => caller,
    isInteractive: keys !== undefined,
    printError: (text: string) => {
      screen += `${text}\n`;
    },
    key: async (question: string, keys: string) => {
      screen += `${question}\n`;
      const key = pressed.shift() ?? 'q';
      expect(keys).toContain(key);
      return key;
    },
    progress: () => ({ update() {}, end() {} }),
    style: { bold: plain, dim: plain, good: plain, bad: plain, mark: plain },
    place: () => resolvePlace(memory.paths, memory.work, memory.clock).place,
    open: () => memory.open(),
    context: () => ({ ...notePartsOf(memory.open()).context, terminal }),
  } as unknown as App;
}

const runImport = (keys?: string, caller?: Caller) =>
  importCommand.run(app(keys, caller), { positionals: [], values: {} });

/** The prompts as an index has them. */
async function prompts(): Promise<[text: string, typist: Typist][]> {
  const reading = memory.open().access.forReading();
  const chunks = (await reading?.index.list({ kinds: ['prompt'] }, 100, 'oldest')) ?? [];
  await reading?.close();
  return chunks
    .map((chunk): [string, Typist] => [chunk.text, typistOf(chunk)])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
async function counts() {
  const reading = memory.open().access.forReading();
  const found = await reading?.index.prompts();
  await reading?.close();
  return found;
}
const told = () =>
  listProjects(memory.paths).flatMap(({ id }) =>
    (readPrelude(memory.paths, id)?.lines ?? []).map(({ text }) => text),
  );
const nextCommands = async () =>
  (await findNextSteps({ ...app(), paths: memory.paths }, memory.open())).map(({ command }) => command);

describe('the prompts of an import that no hook saw', () => {
  it('[prompt-typed] are asked about once, and become the words of the person who says so', async () => {
    session('s1', [rule, 'rename the worker']);
    await runImport('yn');
    expect(screen).toContain('2 prompts in 1 session are not confirmed as yours');
    expect(screen).toContain('claude-code, 2026-03-01: 2 prompts, 1 session, in work');
    expect(screen).toContain('Their transcripts were not here when Backstory was installed.');
    expect(screen).toContain(`"${rule}"`);
    expect(screen).toContain('2 prompts confirmed as yours.');
    expect(await prompts()).toEqual([
      [rule, 'person'],
      ['rename the worker', 'person'],
    ]);
    expect(told().join()).toContain(rule);
    expect(memory.events().filter((event) => event.terminal !== undefined)).toHaveLength(2);

    screen = '';
    await runImport('yn');
    expect(screen).not.toContain('Are these yours?');
    memory.open().access.erase();
    await memory.drain();
    expect((await prompts()).map(([, typist]) => typist)).toEqual(['person', 'person']);
  });

  it('[prompt-typed] stay unconfirmed after a no, and nobody is asked again', async () => {
    session('s1', [rule]);
    expect((await runImport('n')).text).not.toContain('not confirmed as yours');
    expect(await prompts()).toEqual([[rule, 'unconfirmed']]);
    expect(await counts()).toEqual({ person: 0, unconfirmed: 1, agent: 0, waiting: 0 });
    expect(told().join()).not.toContain('ledger gateway');
    expect(await nextCommands()).not.toContain('backstory import');
    screen = '';
    await runImport('y');
    expect(screen).not.toContain('Are these yours?');
    session('s2', ['keep the cache in memory']);
    await runImport('y');
    expect(screen).toContain('1 prompt in 1 session is not confirmed as yours');
    expect(await prompts()).toEqual([
      [rule, 'unconfirmed'],
      ['keep the cache in memory', 'person'],
    ]);
  });

  it.each([
    ['in a pipe', undefined, undefined],
    ['of an agent', 'y', { kind: 'agent', agent: 'codex' }],
    ['without a person at the terminal', 'y', { kind: 'unproven', reason: 'no terminal' }],
    ['when the person leaves the question open', 'l', undefined],
    ['when the person ends it', 'q', undefined],
  ] satisfies [string, string | undefined, Caller | undefined][])(
    '[prompt-typed] wait %s, and the summary names the command',
    async (_, keys, caller) => {
      session('s1', [rule]);
      const { text, value } = await runImport(keys, caller);
      expect(text).toContain(
        '1 prompt is not confirmed as yours. To answer, in a terminal: backstory import',
      );
      expect(value).toMatchObject({ unconfirmed: 1 });
      expect(screen.includes('Are these yours?')).toBe(keys === 'l' || keys === 'q');
      expect(await prompts()).toEqual([[rule, 'unconfirmed']]);
      expect(await nextCommands()).toContain('backstory import');
      await runImport('y');
      expect(await prompts()).toEqual([[rule, 'person']]);
    },
  );

  it('[prompt-typed] are asked about by group: what an agent imported, what came later, what no hook of a session saw', async () => {
    session('s1', ['imported by an agent']);
    await runImport(undefined, { kind: 'agent', agent: 'codex' });
    session('s2', ['from another laptop'], '2026-12-01');
    memory.prompt('typed at a terminal', { session_id: 's3', prompt_id: 's3-0' });
    session('s3', ['typed while the agent worked'], '2026-11-14');
    await runImport('eyny');
    expect(screen).toContain(
      'No hook of claude-code saw them, as on another device, in an editor or in the cloud.',
    );
    expect(screen).toContain('Hooks saw their sessions, but not these prompts.');
    expect(await prompts()).toEqual([
      ['from another laptop', 'person'],
      ['imported by an agent', 'person'],
      ['typed at a terminal', 'person'],
      ['typed while the agent worked', 'unconfirmed'],
    ]);
  });

  it('[prompt-typed] do not include what an agent wrote to its subagent, and a plan of it stays its own', async () => {
    const inside = { isSidechain: true, message: { role: 'user', content: 'look at the tests' } };
    session('s1', [rule, inside]);
    await runImport('y');
    expect(screen).not.toContain('look at the tests');
    expect(await prompts()).toEqual([
      [rule, 'person'],
      ['look at the tests', 'agent'],
    ]);
    expect(await counts()).toEqual({ person: 1, unconfirmed: 0, agent: 1, waiting: 0 });
    const { log, project } = memory.open();
    const plan = {
      text: '# Move the cache',
      turn: 't',
      isPlan: true as const,
      untyped: unconfirmed.notReported,
    };
    const where = { project, origin: 'unconfirmed', trust: 1 } as const;
    log.append([sampleEvent({ ...where, kind: 'prompt', body: plan })]);
    await memory.drain();
    await runImport('y');
    const accepted = memory.events().filter(isAcceptedPlan);
    expect(accepted).toMatchObject([{ trust: 1, origin: 'assistant' }]);
  });

  it('[prompt-typed] are forgotten with what was confirmed of them', async () => {
    session('s1', [rule]);
    await runImport('y');
    await forget(
      memory.open(),
      { ids: [], containing: 'ledger gateway' },
      notePartsOf(memory.open()).context,
    );
    expect(JSON.stringify(memory.events())).not.toContain('ledger gateway');
    await runImport('y');
    expect(await prompts()).toEqual([]);
  });
});
