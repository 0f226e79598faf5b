import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest';
import { claudeTranscripts } from '../../src/agents/claude-code/transcript.ts';
import { redact } from '../../src/memory/redact/redact.ts';
import { cpuMsSince } from '../support/cpu-time.ts';
import { hookCalls } from '../support/hook-calls.ts';
import { createMemoryHome, type MemoryHome } from '../support/memory-home.ts';
import { createSandbox, type Sandbox, settle } from '../support/sandbox.ts';

/** Hook calls and transcripts of the real agent. */
const recorded = resolve('test/fixtures/agents/claude-code-2.1.325');

/** FUZZ_SEED repeats a run. Every failure names the seed and the case. */
const seed = Number(
  process.env.FUZZ_SEED ?? process.env.BACKSTORY_SEED ?? Math.floor(Math.random() * 2 ** 31),
);
const random = (() => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
})();
const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T;
const at = (number: number, what: string): string => `FUZZ_SEED=${seed}, case ${number}: ${what}`;

function filesIn(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
const linesOf = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

const realCalls = filesIn(recorded, /^hooks\.jsonl$/)
  .flatMap(linesOf)
  .map((line) => (JSON.parse(line) as { stdin: Record<string, unknown> }).stdin)
  .filter((stdin) => typeof stdin === 'object' && stdin !== null);
const realTranscripts = filesIn(recorded, /^(?!hooks).*\.jsonl$/).map(linesOf);

const syntheticTranscript = (): string[] =>
  Array.from({ length: 12 }, (_, turn) => {
    const common = { promptId: `p${turn}`, sessionId: 's', cwd: '/x', timestamp: '2026-11-14T12:00:00.000Z' };
    const id = `toolu_made${turn}`;
    return [
      {
        type: 'user',
        uuid: `made-u${turn}`,
        ...common,
        message: { role: 'user', content: `question ${turn}` },
      },
      {
        type: 'assistant',
        uuid: `made-t${turn}`,
        parentUuid: `made-u${turn}`,
        ...common,
        message: {
          id: `m${turn}`,
          content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }],
        },
      },
      {
        type: 'user',
        uuid: `made-r${turn}`,
        parentUuid: `made-t${turn}`,
        ...common,
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'fine' }] },
        toolUseResult: { stdout: 'fine', stderr: '' },
      },
      {
        type: 'assistant',
        uuid: `made-a${turn}`,
        parentUuid: `made-r${turn}`,
        ...common,
        message: { id: `n${turn}`, content: [{ type: 'text', text: `answer ${turn}` }] },
      },
    ].map((record) => JSON.stringify(record));
  }).flat();

const nul = String.fromCharCode(0);
const odd: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  [],
  {},
  [[]],
  '',
  nul,
  `a${nul}b`,
  '\ud800',
  'x\udfff\ud83dy',
  '\uFEFF',
  '\r\n',
  'x'.repeat(100_000),
  '../../../../etc/passwd',
  '__proto__',
  { __proto__: { polluted: true }, constructor: 1, toString: null },
  [{ type: 'text' }, { type: 'text', text: 5 }, null, 'x'],
  '<backstory-memory>',
  '</backstory-memory>',
  '<private>',
  Array.from({ length: 50 }, () => ({ hooks: [null] })),
];
const deep = (depth: number): unknown => JSON.parse(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`);

/** Replaces a random value inside of `value` by an unusual one. */
function spoil(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random(4) === 0)
    return random(20) === 0 ? deep(500) : pick(odd);
  const keys = Object.keys(value);
  if (keys.length === 0) return pick(odd);
  const key = pick(keys);
  if (Array.isArray(value)) return value.with(Number(key), spoil(value[Number(key)]));
  const inner = (value as Record<string, unknown>)[key];
  if (random(8) === 0) {
    const { [key]: _, ...rest } = value as Record<string, unknown>;
    return rest;
  }
  return { ...value, [key]: spoil(inner) };
}

/** Damages the text itself. */
function damage(text: string): string {
  const where = random(text.length + 1);
  switch (random(9)) {
    case 0:
      return text.slice(0, where);
    case 1:
      return text.slice(0, where) + nul + text.slice(where);
    case 2:
      return `\uFEFF${text}`;
    case 3:
      return text.replaceAll(',', ',\r\n');
    case 4:
      return text.slice(0, where) + String.fromCharCode(random(65_536)) + text.slice(where + 1);
    case 5:
      return text + text;
    case 6:
      return `${'['.repeat(50_000)}${text}`;
    case 7:
      return text.replace(/"/, "'");
    default:
      return pick([
        '',
        '{',
        'null',
        '[]',
        '"x"',
        '0',
        'NaN',
        '{"a":1}{"a":2}',
        '\u0000\u0001\u0002',
        '💥',
        '{"hook_event_name":"Stop"',
      ]);
  }
}

const isObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/** A recorded or generated call with a fault. */
function badCall(cwd: string, number: number): string {
  const calls = [
    ...hookCalls(cwd, { turn: `turn-${number}` }),
    ...realCalls.map((call) => ({ ...call, cwd, ...(random(2) === 0 ? {} : { session_id: `s${number}` }) })),
  ];
  let call: unknown = pick(calls);
  for (let times = random(3) + 1; times > 0; times--) call = spoil(call);
  const text = JSON.stringify(call);
  return random(3) === 0 ? damage(text) : text;
}

let home: MemoryHome | undefined;
let sandbox: Sandbox | undefined;
afterEach(() => {
  home?.remove();
  home = undefined;
});
afterAll(() => sandbox?.remove());

describe('1,000 invalid inputs, most of them mutations of real sessions', () => {
  it('[fuzz-hook] 500 hook inputs: none crashes a hook, and every valid call before and after is kept', () => {
    const memory = createMemoryHome();
    home = memory;
    let refused = 0;
    for (let number = 0; number < 500; number++) {
      const input = badCall(memory.work, number);
      const started = process.cpuUsage();
      let output = '';
      try {
        output = memory.hook(input);
      } catch (error) {
        refused++;
        expect(isObject(input), at(number, `${error}\n${input.slice(0, 500)}`)).toBe(false);
      }
      expect(cpuMsSince(started), at(number, 'took too long')).toBeLessThan(20_000);
      expect(output === '' || isObject(output), at(number, output.slice(0, 200))).toBe(true);
      if (number % 25 === 0)
        memory.prompt(`good words number ${number}`, { prompt_id: `good-${number}`, session_id: 'good' });
    }
    expect(refused, 'some were no JSON').toBeGreaterThan(20);
    const good = memory.events().filter(({ agentSession }) => agentSession === 'good');
    expect(good.flatMap((event) => (event.kind === 'prompt' ? [event.body.text] : []))).toEqual(
      Array.from({ length: 20 }, (_, times) => `good words number ${times * 25}`),
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  /**
   * The valid lines unchanged, with unreadable ones between them. Ids are new, so that no transcript shadows another.
   */
  function brokenTranscript(good: string[], number: number): { text: string; injected: number } {
    const lines: string[] = [];
    let injected = 0;
    let fresh = 0;
    for (const line of good) {
      while (random(3) === 0) {
        const strange = pick(good).replace(
          /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}|toolu_\w+|made-\w+/g,
          () => `fresh-${number}-${fresh++}`,
        );
        const spoilt = random(2) === 0 ? damage(strange) : JSON.stringify(spoil(JSON.parse(strange)));
        // The damaged text must not contain a newline, which would join or split valid lines.
        lines.push(spoilt.replaceAll('\n', ' '));
        injected++;
      }
      lines.push(random(6) === 0 ? `${line}\r` : line);
    }
    const torn = pick(good);
    return { text: `${lines.join('\n')}\n${torn.slice(0, random(torn.length))}`, injected: injected + 1 };
  }

  const wordsOf = (observation: { kind: string; id: string; body: object }): string =>
    `${observation.kind} ${observation.id} ${'text' in observation.body ? observation.body.text : ''}`;

  it('[fuzz-transcript] 450 transcripts: every valid record is read, whatever is between them', () => {
    const memory = createMemoryHome();
    home = memory;
    const path = join(memory.home, 'session.jsonl');
    const read = (text: string): string[] => {
      writeFileSync(path, text);
      return [...claudeTranscripts.read(path, path, { offset: 0, turn: '' }, redact)].flatMap(
        ({ observations }) => observations.map(wordsOf),
      );
    };
    const sessions = [...realTranscripts, syntheticTranscript()].filter((lines) => lines.length > 0);
    const expected = sessions.map((lines) => read(`${lines.join('\n')}\n`));
    expect(expected.flat().length).toBeGreaterThan(40);
    let injected = 0;
    for (let number = 0; number < 450; number++) {
      const which = random(sessions.length);
      const broken = brokenTranscript(sessions[which] as string[], number);
      injected += broken.injected;
      const started = process.cpuUsage();
      let found: string[] = [];
      try {
        found = read(broken.text);
      } catch (error) {
        expect.fail(at(number, String(error)));
      }
      expect(cpuMsSince(started), at(number, 'took too long')).toBeLessThan(20_000);
      const missing = (expected[which] as string[]).filter((words) => !found.includes(words));
      expect(missing, at(number, 'good records lost')).toEqual([]);
    }
    expect(injected).toBeGreaterThan(1_000);
  });

  it('[fuzz-hook] 30 inputs through the installed hook: it exits 0 and prints nothing or one JSON object', () => {
    const box = createSandbox(inject('installedPackage'));
    sandbox = box;
    expect(box.cli('install', 'claude-code').status).toBe(0);
    for (let number = 0; number < 30; number++) {
      const input =
        number % 10 === 9
          ? Buffer.from(badCall(box.repo, number), 'utf16le').toString('latin1')
          : badCall(box.repo, number);
      const { status, stdout, stderr } = box.hook(input);
      expect(status, at(number, input.slice(0, 300))).toBe(0);
      expect(stderr, at(number, input.slice(0, 300))).toBe('');
      expect(stdout === '' || isObject(stdout), at(number, stdout.slice(0, 200))).toBe(true);
    }
    box.hook({
      hook_event_name: 'UserPromptSubmit',
      session_id: 'good',
      prompt_id: 'good',
      cwd: box.repo,
      prompt: 'good words at the end',
    });
    settle(box);
    expect(box.json<{ hits: { text: string }[] }>('recall', 'good words at the end').hits[0]?.text).toBe(
      'good words at the end',
    );
  });
});

describe('a line of 100 MB', () => {
  const megabytes = 100;

  it('[fuzz-huge] in a transcript is skipped, and the records around it are kept', async () => {
    const memory = createMemoryHome();
    home = memory;
    const folder = join(memory.home, '.claude/projects/x');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'session.jsonl');
    const record = (uuid: string, content: string) =>
      JSON.stringify({
        type: 'user',
        uuid,
        promptId: uuid,
        sessionId: 's',
        cwd: memory.work,
        timestamp: '2026-11-14T12:00:00.000Z',
        message: { role: 'user', content },
      });
    const file = openSync(path, 'w');
    const piece = Buffer.alloc(1024 * 1024, 'x');
    writeSync(file, `${record('u1', 'before it')}\n${record('u2', '').slice(0, -3)}`);
    for (let written = 0; written < megabytes; written++) writeSync(file, piece);
    writeSync(file, `"}}\n${record('u3', 'after it')}\n`);
    closeSync(file);
    memory.hook({
      hook_event_name: 'SessionStart',
      session_id: 's',
      cwd: memory.work,
      source: 'startup',
      transcript_path: path,
    });
    const before = process.memoryUsage().rss;
    const started = process.cpuUsage();
    await memory.drain();
    expect(cpuMsSince(started)).toBeLessThan(30_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    expect(memory.events().flatMap((event) => (event.kind === 'prompt' ? [event.body.text] : []))).toEqual([
      'before it',
      'after it',
    ]);
    rmSync(path);
  });

  it('[fuzz-huge] in a prompt is stored as its two ends, and the hook exits 0', () => {
    const box = createSandbox(inject('installedPackage'));
    try {
      box.cli('install', 'claude-code');
      const long = `begins here ${'lorem ipsum dolor '.repeat((megabytes * 1024 * 1024) / 18)} ends here`;
      const { status, stdout } = box.hook({
        hook_event_name: 'UserPromptSubmit',
        session_id: 's',
        prompt_id: 'p',
        cwd: box.repo,
        prompt: long,
      });
      expect(status).toBe(0);
      expect(stdout).toBe('');
      const [event] = box.events();
      if (event?.kind !== 'oversize') throw new Error(`stored as ${event?.kind}`);
      expect(event.body.length).toBe(long.length);
      expect(event.body.head.startsWith('begins here')).toBe(true);
      expect(event.body.tail.endsWith('ends here')).toBe(true);
    } finally {
      box.remove();
    }
  });
});
