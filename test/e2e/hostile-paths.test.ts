import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type HostileKind, hostileKinds, plantHostile, readNames } from '../support/hostile-files.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';
import { hangMs } from '../support/until.ts';

/** Content outside of the checkout. It is in no argument, so a response that contains it has read it. */
const canary = 'canary-4f1d9c';
const inside = 'inside_the_checkout';

let sandbox: Sandbox;
let outside: string;
beforeAll(() => {
  sandbox = createSandbox(inject('installedPackage'));
  sandbox.cli('install', 'claude-code');
  outside = join(sandbox.home, 'outside');
  mkdirSync(join(outside, 'deep'), { recursive: true });
  for (const name of ['secret.txt', 'deep/secret.ts', '.env'])
    writeFileSync(join(outside, name), `${inside} ${canary}\nexport function outsideThing() {}\n`);
  mkdirSync(join(sandbox.repo, 'src'), { recursive: true });
  writeFileSync(join(sandbox.repo, 'src', 'a.ts'), `${inside}\nexport function insideThing() {}\n`);
  const link = (target: string, name: string): void => symlinkSync(target, join(sandbox.repo, name));
  link(join(outside, 'secret.txt'), 'file-link.txt');
  link(outside, 'folder-link');
  link(relative(sandbox.repo, outside), 'relative-link');
  link('folder-link', 'link-to-link');
  link(join(outside, 'deep'), join('src', 'deep'));
  link('/', 'root-link');
  link('/proc/self/cwd', 'proc-link');
  link('loop', 'loop');
  execFileSync('git', ['add', '-A'], { cwd: sandbox.repo });
});
afterAll(() => sandbox.remove());

/** Ways to name a path outside of the checkout, plain and with prefixes and suffixes. */
function hostilePaths(): string[] {
  const targets = [
    '..',
    '../outside/secret.txt',
    '../../outside/deep/secret.ts',
    join(outside, 'secret.txt'),
    `file://${join(outside, 'secret.txt')}`,
    '~/outside/secret.txt',
    '$HOME/outside/secret.txt',
    '..\\outside\\secret.txt',
    'C:\\Windows\\secret.txt',
    '\\\\server\\share\\secret.txt',
    '%2e%2e/outside/secret.txt',
    '%252e%252e%252foutside',
    '..%c0%af..%c0%afoutside',
    '．．/outside/secret.txt',
    '\u202e../outside',
    '..\u0000/outside/secret.txt',
    'src/a.ts\u0000../../outside',
    'file-link.txt',
    'folder-link/secret.txt',
    'relative-link/deep/secret.ts',
    'link-to-link/.env',
    'src/deep/secret.ts',
    'root-link/etc/passwd',
    'proc-link/../outside/secret.txt',
    'loop/loop/loop',
    '/proc/self/environ',
    '/dev/stdin',
    '.git/config',
    '--git-dir=/tmp',
    '; cat ../outside/secret.txt',
    '$(cat ../outside/secret.txt)',
  ];
  return targets.flatMap((target) => [
    target,
    `./${target}`,
    `src/../${target}`,
    `{${target},src}`,
    `**/${target}`,
    `${target}/**`,
  ]);
}

interface Tool {
  name: string;
  inputSchema: {
    properties?: Record<string, { type?: string; enum?: string[]; items?: { type?: string } }>;
    required?: string[];
  };
}

it('[code-contained] no text in any parameter of any tool returns a byte from outside of the checkout', async () => {
  const program = join(inject('installedPackage'), 'dist/main.js');
  const child = spawn(process.execPath, [program, 'mcp', 'serve', '--repo', sandbox.repo, '--tools', 'all'], {
    cwd: sandbox.home,
    env: sandbox.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (method: string, params: object): Promise<string> => {
    send({ id: 1, method, params });
    return (await lines.next()).value as string;
  };
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  // The query itself works, for files inside.
  const plain = await ask('tools/call', { name: 'search_content', arguments: { query: inside } });
  expect(plain).toContain('src/a.ts');
  expect(plain).not.toContain(canary);
  const { tools } = (JSON.parse(await ask('tools/list', {})) as { result: { tools: Tool[] } }).result;
  let calls = 0;
  for (const { name, inputSchema } of tools) {
    const properties = Object.entries(inputSchema.properties ?? {});
    const isText = ([, { type, enum: choices, items }]: (typeof properties)[number]): boolean =>
      (type === 'string' && choices === undefined) || (type === 'array' && items?.type === 'string');
    for (const [parameter, { type }] of properties.filter(isText)) {
      const others = properties
        .filter((each) => each[0] !== parameter && isText(each) && inputSchema.required?.includes(each[0]))
        .map(([other, shape]) => [other, shape.type === 'array' ? [inside] : inside]);
      // Searches for the outside content, in every tool with a path parameter.
      // A parameter that names files gets all of them, others every third.
      const step = /path|file|glob|folder|root|within/.test(parameter) ? 1 : 3;
      for (const path of hostilePaths().filter((_, at) => (at + name.length) % step === 0)) {
        const given = { ...Object.fromEntries(others), [parameter]: type === 'array' ? [path] : path };
        if (inputSchema.properties?.query && parameter !== 'query') given.query = inside;
        const answer = await ask('tools/call', { name, arguments: given });
        expect(answer, `${name} ${parameter} ${path}`).not.toContain(canary);
        calls++;
      }
    }
  }
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end();
  expect(await ended).toBe(0);
  expect(calls).toBeGreaterThanOrEqual(930);
});

it('[code-contained] no text does so in the terminal, except through hard links', () => {
  // A hard link is the file itself: somebody who can create one could have copied the file.
  linkSync(join(sandbox.repo, 'src', 'a.ts'), join(sandbox.repo, 'src', 'same.ts'));
  for (const path of hostilePaths()
    .filter((each) => !each.includes('\0') && !each.startsWith('-'))

    .filter((_, at) => at % 12 === 0)) {
    for (const args of [
      ['search', inside, '--path', path],
      ['search', '--files', path],
    ]) {
      const { stdout, stderr } = sandbox.cli(...args);
      expect(`${stdout}${stderr}`, args.join(' ')).not.toContain(canary);
    }
  }
});

/** Runs `work` in a separate home whose checkout has files of this hostile kind. */
function withHostile(kind: HostileKind, work: (run: Runs) => void): void {
  const own = createSandbox(inject('installedPackage'));
  try {
    own.cli('install', 'claude-code');
    const outsideFile = join(own.home, 'outside.md');
    writeFileSync(outsideFile, `API_KEY=${canary}\n`);
    plantHostile(own.repo, kind, readNames, outsideFile);
    const run = (program: string, args: string[], input = '') =>
      spawnSync(process.execPath, [join(inject('installedPackage'), 'dist', program), ...args], {
        cwd: own.repo,
        env: own.env,
        input,
        encoding: 'utf8',
        timeout: hangMs,
        killSignal: 'SIGKILL',
      });
    work({ own, outsideFile, run });
  } finally {
    own.remove();
  }
}

interface Runs {
  own: Sandbox;
  outsideFile: string;
  run(program: string, args: string[], input?: string): SpawnSyncReturns<string>;
}

it.skipIf(process.platform === 'win32').each(Object.keys(hostileKinds) as HostileKind[])(
  '[files-bounded] hooks and commands end if files of the checkout are: %s',
  (kind) => {
    withHostile(kind, ({ own, run }) => {
      const call = { session_id: 's-1', transcript_path: '', cwd: own.repo };
      const calls = [
        { ...call, hook_event_name: 'SessionStart', source: 'startup' },
        { ...call, hook_event_name: 'UserPromptSubmit', prompt: `why is ${canary} here` },
        {
          ...call,
          hook_event_name: 'PostToolUse',
          tool_name: 'Bash',
          tool_use_id: 't-1',
          tool_input: { command: 'cat README.md .env' },
          tool_response: { stdout: 'text\n', stderr: '', interrupted: false },
        },
        { ...call, hook_event_name: 'Stop', last_assistant_message: 'Done.' },
      ];
      for (const each of calls) {
        const { status, signal } = run('hook.cjs', [], JSON.stringify(each));
        expect({ status, signal }, each.hook_event_name).toEqual({ status: 0, signal: null });
      }
      // A value read as a secret would be masked.
      expect(JSON.stringify(own.events())).toContain(canary);
      for (const args of [['knowledge'], ['handoff', '--brief'], ['import', 'claude-memory'], ['status']]) {
        const { signal, stdout, stderr } = run('main.js', args);
        expect(signal, args.join(' ')).toBeNull();
        expect(`${stdout}${stderr}`, args.join(' ')).not.toContain(`API_KEY=${canary}`);
      }
    });
  },
);

it.skipIf(process.platform === 'win32')(
  "[files-bounded] a project's settings are neither read nor written through a link that leads out",
  () => {
    withHostile('outside', ({ own, outsideFile, run }) => {
      const before = readFileSync(outsideFile, 'utf8');
      for (const names of [['.mcp.json'], ['.claude/settings.json'], ['.claude']]) {
        plantHostile(own.repo, 'outside', names, names[0] === '.claude' ? own.home : outsideFile);
        const { status, stderr } = run('main.js', ['install', 'claude-code', '--scope', 'project']);
        expect(status).not.toBe(0);
        expect(stderr).toContain('leads out of the checkout');
        expect(readFileSync(outsideFile, 'utf8')).toBe(before);
        for (const name of names) execFileSync('rm', ['-rf', join(own.repo, name)]);
      }
      plantHostile(own.repo, 'pipe', ['.mcp.json'], '');
      expect(run('main.js', ['install', 'claude-code', '--scope', 'project']).signal).toBeNull();
    });
  },
);
