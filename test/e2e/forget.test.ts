import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { createEventLog } from '../../src/store/events/event-log.ts';
import { startAsPerson } from '../support/person.ts';
import { createSandbox, filesUnder, type Sandbox, settle } from '../support/sandbox.ts';
import { startProgram } from '../support/start-program.ts';

const installedPackage = inject('installedPackage');
const other = `${installedPackage}-forgets`;
let sandbox: Sandbox;

/** Installs a second version, whose index is another copy of every text. */
beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.ts', '--salt', 'forgets', '--out', join(other, 'dist')]);
  writeFileSync(join(other, 'package.json'), readFileSync(join(installedPackage, 'package.json')));
});
afterAll(() => rmSync(other, { recursive: true, force: true }));
afterEach(() => sandbox.remove());

const term = 'quokkazanzibar';
/** Contains a quote, a line break and a letter that JSON can escape. */
const secret = `the "${term}" plan\nis für Anna`;

const start = (): void => {
  sandbox = createSandbox(installedPackage);
  done('install', 'claude-code');
};
const done = (...args: string[]): string => {
  const { status, stdout, stderr } = sandbox.cli(...args);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
};
const json = <T>(...args: string[]): T => sandbox.json<T>(...args);
const call = (event: string, turn: string, more: object) => ({
  hook_event_name: event,
  session_id: 'session-1',
  prompt_id: turn,
  cwd: sandbox.repo,
  ...more,
});
const hook = (event: string, turn: string, more: object): void => {
  const { status } = sandbox.hook(call(event, turn, more));
  expect(status).toBe(0);
};
const prompt = (turn: string, text: string) => hook('UserPromptSubmit', turn, { prompt: text });

/** Files of the data directory that still contain a form of the text, with that form. */
function left(...wanted: string[]): string[] {
  const forms = wanted.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), text.toLowerCase()]);
  const found: string[] = [];
  for (const { path, bytes } of filesUnder(join(sandbox.home, '.backstory'))) {
    for (const form of new Set(forms)) {
      for (const encoding of ['utf8', 'utf16le'] as const) {
        if (bytes.includes(Buffer.from(form, encoding)))
          found.push(`${basename(path)}: ${JSON.stringify(form)}`);
      }
    }
  }
  return found;
}

interface Placed {
  id: string;
  file: string;
  offset: number;
}
const places = (): Placed[] =>
  [...createEventLog(join(sandbox.projectFolder(), 'events'), systemClock).read({})].flatMap(
    ({ entry, file, offset }) => (entry.kind === 'event' ? [{ id: entry.event.id, file, offset }] : []),
  );

interface Recalled {
  hits: { id: string; source: string; sourceId: string; text: string; kind: string }[];
}
const ask = (question: string, ...filter: string[]): Recalled =>
  json<Recalled>('recall', question, '--limit', '100', ...filter);
const ofOther = (...args: string[]) => {
  const ran = spawnSync(process.execPath, [join(other, 'dist/main.js'), ...args], {
    cwd: sandbox.repo,
    env: sandbox.env,
    encoding: 'utf8',
  });
  expect(ran.status).toBe(0);
  return ran.stdout;
};

/** Puts the text everywhere it can get to: log, notes, prelude and both indexes. */
function plant(): void {
  prompt('turn-1', `We decided to use ${secret} because it is so.`);
  hook('PostToolUse', 'turn-1', {
    tool_name: 'Bash',
    tool_use_id: 'tool-1',
    tool_input: { command: `echo '${secret}'` },
    tool_response: { stdout: secret, stderr: '' },
  });
  hook('PostToolUseFailure', 'turn-1', {
    tool_name: 'Bash',
    tool_use_id: 'tool-2',
    tool_input: { command: 'false' },
    error: `Exit code 1\n${secret}`,
  });
  hook('PostToolUse', 'turn-1', {
    tool_name: 'Edit',
    tool_use_id: 'tool-3',
    tool_input: { file_path: join(sandbox.repo, `${term}.ts`) },
    tool_response: { structuredPatch: [] },
  });
  hook('Stop', 'turn-1', { last_assistant_message: `Understood: ${secret}.` });
  done('remember', `Never tell anybody of ${secret}.`, '--concepts', term, '--files', `src/${term}.ts`);
  for (let turn = 0; turn < 20; turn++)
    prompt(`kept-${turn}`, `kept words number ${turn} about postgres and redis`);
  settle(sandbox);
  expect(ask(term).hits.length).toBeGreaterThan(3);
  expect(ofOther('recall', term)).toContain(term);
}

describe('forget', () => {
  it('[forget-bytes] leaves no byte of the text in any file, while 20 hooks append without loss', async () => {
    start();
    plant();
    expect(left(secret, term).length).toBeGreaterThan(4);
    const before = places();
    const hookProgram = join(installedPackage, 'dist/hook.cjs');
    const options = { cwd: sandbox.repo, env: sandbox.env };
    const append = (at: number) =>
      startProgram([hookProgram], {
        ...options,
        input: JSON.stringify(
          call(at % 5 === 0 ? 'Stop' : 'UserPromptSubmit', `busy-${at}`, {
            prompt: `busy words ${at} ${'xyz '.repeat(at * 125)}`,
            last_assistant_message: `busy answer ${at}`,
          }),
        ),
      });
    const waves: Promise<{ acknowledged: string[]; status: number | null }>[] = Array.from(
      { length: 20 },
      (_, at) => append(at),
    );
    const forgetting = startAsPerson(
      [join(installedPackage, 'dist/main.js'), 'forget', '--containing', term, '--yes', '--json'],
      options,
    );
    for (let at = 20; at < 40; at++) waves.push(append(at));
    const forgotten = JSON.parse((await forgetting).stdout) as { events: number; notes: number };
    const hooks = await Promise.all(waves);
    // The note that was written, and the one distilled from the prompt.
    expect(forgotten.notes).toBeGreaterThanOrEqual(2);
    expect(forgotten.events).toBeGreaterThanOrEqual(5);
    expect(hooks.every(({ status }) => status === 0)).toBe(true);
    const acknowledged = hooks.flatMap((ended) => ended.acknowledged);
    expect(acknowledged).toHaveLength(40);
    const after = new Map(places().map((place) => [place.id, place]));
    expect(
      acknowledged.filter((id) => !after.has(id)),
      'acknowledged and lost',
    ).toEqual([]);
    const kept = before.filter(({ id }) => after.has(id));
    expect(kept).toHaveLength(before.length - forgotten.events);
    for (const place of kept) expect(after.get(place.id), 'moved').toEqual(place);
    settle(sandbox);
    expect(left(secret, term, term.slice(3))).toEqual([]);
    expect(ask(term).hits).toEqual([]);
    expect(ofOther('recall', term)).toContain('No results');
    expect(ask('busy').hits).toHaveLength(40);
    expect(ask('kept').hits).toHaveLength(20);
  });

  it('[forget-note] of a note removes its file and its name', () => {
    start();
    const { id, path } = json<{ id: string; path: string }>('remember', `The ${term} deploys on tuesdays.`);
    expect(basename(path)).toContain(term);
    settle(sandbox);
    expect(json('forget', id.slice(-8), '--yes')).toEqual({ events: 0, notes: 1 });
    expect(() => readFileSync(path)).toThrow();
    expect(left(term)).toEqual([]);
    expect(
      [...filesUnder(join(sandbox.home, '.backstory'))].filter((file) => file.path.includes(term)),
    ).toEqual([]);
  });

  it('asks for confirmation, and forgets nothing without a yes or without a person', () => {
    start();
    prompt('turn-1', `words of ${term}`);
    const before = sandbox.events();
    const { status, stdout, stderr } = sandbox.cli('forget', '--containing', term);
    expect(status).toBe(1);
    expect(stderr).toContain('1 event, 0 notes? This cannot be undone.');
    expect(stdout).toContain('Nothing was forgotten.');
    expect(sandbox.unattended({}, 'forget', '--containing', term, '--yes')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Forgetting needs a person, but standard input is not a terminal.'),
    });
    expect(sandbox.events()).toEqual(before);
    expect(sandbox.cli('forget', '--yes').status).toBe(2);
    expect(sandbox.cli('forget', '--containing', 'ab', '--yes').status).toBe(2);
    expect(sandbox.cli('forget', 'ffffffff', '--yes').status).toBe(1);
    expect(json('forget', '--containing', 'nobody said this', '--yes')).toEqual({ events: 0, notes: 0 });
  });
});

describe('forgotten text', () => {
  const transcript = (): string => {
    const folder = join(sandbox.home, '.claude/projects/x');
    mkdirSync(folder, { recursive: true });
    return join(folder, 'session-1.jsonl');
  };
  const common = (uuid: string, turn: string) => ({
    uuid,
    promptId: turn,
    sessionId: 'session-1',
    cwd: sandbox.repo,
    timestamp: '2026-11-14T12:00:00.000Z',
    version: '2.1.325',
  });
  const user = (uuid: string, turn: string, content: unknown, more: object = {}) => ({
    type: 'user',
    ...common(uuid, turn),
    message: { role: 'user', content },
    ...more,
  });
  const assistant = (uuid: string, turn: string, block: object, message = 'm1') => ({
    type: 'assistant',
    ...common(uuid, turn),
    message: { id: message, role: 'assistant', content: [block] },
  });
  const text = (words: string) => ({ type: 'text', text: words });
  const write = (path: string, records: object[]): void =>
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const live = (events: EventEnvelope[]) => JSON.stringify(events.map(({ body }) => body));

  it('[forget-stays] does not come back from a transcript, from reindex, or under the id that supersedes it', () => {
    start();
    const path = transcript();
    hook('SessionStart', 'turn-1', { source: 'startup', transcript_path: path });
    prompt('turn-1', secret);
    hook('PostToolUse', 'turn-1', {
      tool_name: 'Bash',
      tool_use_id: 'tool-1',
      tool_input: { command: `echo ${term}` },
      tool_response: { stdout: secret, stderr: '' },
    });
    hook('Stop', 'turn-1', { last_assistant_message: `Understood: ${secret}` });
    done('forget', '--containing', term, '--yes');
    expect(left(secret, term)).toEqual([]);
    write(path, [
      user('u1', 'turn-1', secret),
      assistant('u2', 'turn-1', {
        type: 'tool_use',
        id: 'tool-1',
        name: 'Bash',
        input: { command: `echo ${term}` },
      }),
      user('u3', 'turn-1', [{ type: 'tool_result', tool_use_id: 'tool-1', content: secret }], {
        toolUseResult: { stdout: secret, stderr: '' },
      }),
      assistant('u4', 'turn-1', text(`Understood: ${secret}`), 'm2'),
      user('u5', 'turn-2', 'another prompt that stays'),
    ]);
    settle(sandbox);
    expect(ask('another prompt').hits).toHaveLength(1);
    expect(left(secret, term)).toEqual([]);
    done('doctor', '--reindex');
    expect(left(secret, term)).toEqual([]);
    expect(ask(term).hits).toEqual([]);
    expect(done('prelude')).not.toContain(term);
  });

  it('[forget-stays] does not come back if the transcript has it in other words or other pieces', () => {
    start();
    const path = transcript();
    hook('SessionStart', 'turn-1', { source: 'startup', transcript_path: path });
    prompt('turn-1', `please ${secret}`);
    hook('Stop', 'turn-1', { last_assistant_message: `First part with ${term}.\n\nSecond part.` });
    write(path, [
      user('u1', 'turn-1', [text('<ide_selection>some file</ide_selection>'), text(`please ${secret}`)]),
      assistant('u2', 'turn-1', text(`First part with ${term}.`)),
      assistant('u3', 'turn-1', text('Second part.')),
      user('u4', 'turn-2', 'another prompt that stays'),
    ]);
    done('forget', '--containing', term, '--yes');
    settle(sandbox);
    expect(left(term)).toEqual([]);
    expect(live(sandbox.events())).toContain('Second part.');
    done('doctor', '--reindex');
    expect(left(term)).toEqual([]);
  });

  it('[forget-stays] is not found when a hook reports it again', () => {
    start();
    prompt('turn-1', secret);
    done('forget', '--containing', term, '--yes');
    prompt('turn-1', secret);
    expect(ask(term).hits).toEqual([]);
    settle(sandbox);
    expect(done('prelude')).not.toContain(term);
    done('doctor', '--reindex');
    expect(ask(term).hits).toEqual([]);
  });
});
