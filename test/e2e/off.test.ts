import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { backgroundOf } from '../support/drains.ts';
import { hookCalls } from '../support/hook-calls.ts';
import { listing } from '../support/listing.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';
import { untilSync } from '../support/until.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.remove());

const start = (...setUp: string[][]): void => {
  sandbox = createSandbox(inject('installedPackage'));
  for (const args of setUp) done(...args);
};
const done = (...args: string[]): string => {
  const { status, stdout, stderr } = sandbox.cli(...args);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
};
const installed = ['install', 'claude-code'];
/** Waits for everything that hooks and servers have started in the background. */
const untilIdle = (): void => untilSync(() => backgroundOf(sandbox.home).length === 0);

/** Every file and folder of the home with its size and times. */
const everything = () => listing(sandbox.home, { times: true });

/** Runs all eight events, and waits for what they start. */
function runAll(cwd: string, env: Record<string, string> = {}): void {
  for (const call of hookCalls(cwd, { turn: `turn-${calls++}` })) {
    const { status, stdout } = sandbox.hook(call, env);
    expect(status).toBe(0);
    expect(stdout).toBe('');
  }
  untilIdle();
}
let calls = 0;

/** As stored: the start, the prompt, two commands, two answers, the compaction and its new context, the end. */
const captured = (): number => sandbox.events().filter(({ agent }) => agent === 'claude-code').length;

function expectNothingWritten(cwd: string, env: Record<string, string> = {}): void {
  const before = everything();
  runAll(cwd, env);
  expect(everything()).toEqual(before);
}

function expectCaptured(cwd: string): void {
  const before =
    existsSync(join(sandbox.home, '.backstory/projects')) &&
    readdirSync(join(sandbox.home, '.backstory/projects')).length > 0
      ? captured()
      : 0;
  for (const call of hookCalls(cwd, { turn: `turn-${calls++}`, session: `session-${calls}` }))
    sandbox.hook(call);
  expect(captured()).toBe(before + 9);
}

describe('none of the eight hook events writes anything', () => {
  it('[off-is-zero] where Backstory was never installed; after an install all of them are captured', () => {
    start();
    expectNothingWritten(sandbox.repo);
    sandbox.hook('not even JSON');
    expect(existsSync(join(sandbox.home, '.backstory'))).toBe(false);
    done(...installed);
    expectCaptured(sandbox.repo);
  });

  it('[off-is-zero] after it was uninstalled', () => {
    start(installed);
    expectCaptured(sandbox.repo);
    settle(sandbox);
    done('uninstall', 'claude-code');
    expectNothingWritten(sandbox.repo);
  });

  it('[off-is-zero] in a project that is turned off, until it is turned on', () => {
    start(installed, ['capture', 'off']);
    expectNothingWritten(sandbox.repo);
    mkdirSync(join(sandbox.repo, 'deep/down'), { recursive: true });
    expectNothingWritten(join(sandbox.repo, 'deep/down'));
    done('capture', 'on');
    expectCaptured(sandbox.repo);
  });

  it('[off-is-zero] while paused, until the pause ends or is cancelled', () => {
    start(installed, ['capture', 'pause', '1h']);
    expectNothingWritten(sandbox.repo);
    done('capture', 'resume');
    expectCaptured(sandbox.repo);
    settle(sandbox);
    done('capture', 'pause');
    expectNothingWritten(sandbox.repo);
    const config = join(sandbox.home, '.backstory/config.json');
    writeFileSync(config, JSON.stringify({ pausedUntil: new Date(Date.now() - 1_000).toISOString() }));
    expectCaptured(sandbox.repo);
  });

  it.each([
    ['the folder itself', (home: string) => join(home, 'repo')],
    ['a folder above it', (home: string) => dirname(home)],
  ])('[off-is-zero] in a folder excluded by %s, until the exclusion is removed', (_how, globOf) => {
    start(installed);
    const glob = globOf(sandbox.home);
    done('capture', 'exclude', glob);
    expectNothingWritten(sandbox.repo);
    done('capture', 'exclude', glob, '--remove');
    expectCaptured(sandbox.repo);
  });

  it('[off-is-zero] in an excluded folder reached through a link', () => {
    start(installed);
    mkdirSync(join(sandbox.home, 'clients'));
    renameSync(sandbox.repo, join(sandbox.home, 'clients/acme'));
    mkdirSync(join(sandbox.home, 'clients/acme/src'));
    mkdirSync(sandbox.repo);
    symlinkSync(join(sandbox.home, 'clients/acme/src'), join(sandbox.home, 'short'));
    done('capture', 'exclude', '~/clients');
    expectNothingWritten(join(sandbox.home, 'short'));
    expectNothingWritten(join(sandbox.home, 'clients/acme/src'));
  });

  it('[off-is-zero] where capture is opt-in, until `init`', () => {
    start(installed, ['config', 'capture', 'opted-in']);
    expectNothingWritten(sandbox.repo);
    done('capture', 'on');
    expectCaptured(sandbox.repo);
    const other = join(sandbox.home, 'other');
    mkdirSync(other);
    settle(sandbox);
    expectNothingWritten(other);
  });

  it("[off-is-zero] with BACKSTORY_OFF=1, and for Backstory's own calls of an agent", () => {
    start(installed);
    expectNothingWritten(sandbox.repo, { BACKSTORY_OFF: '1' });
    expectNothingWritten(sandbox.repo, { BACKSTORY_INTERNAL: '1' });
    expectCaptured(sandbox.repo);
  });

  it('[off-is-zero] with an unreadable config.json, except for the record of that failure', () => {
    start(installed);
    const config = join(sandbox.home, '.backstory/config.json');
    const except = ['.backstory/failures.jsonl'];
    for (const text of ['{"exclude": [', '{"exclude": "**/repo"}', '{"capture": "Off"}']) {
      writeFileSync(config, text);
      const before = listing(sandbox.home, { except });
      runAll(sandbox.repo);
      expect(listing(sandbox.home, { except })).toEqual(before);
    }
    for (const command of ['status', 'doctor'])
      expect(sandbox.cli(command).stderr).toContain(`"capture" in ${config}`);
    done('config', 'capture', 'all');
    expectCaptured(sandbox.repo);
  });
});

describe('while capture is off', () => {
  const transcriptOf = (): string => {
    const folder = join(sandbox.home, '.claude/projects/x');
    mkdirSync(folder, { recursive: true });
    return join(folder, 'session-1.jsonl');
  };
  const record = (at: number, words: string): string =>
    `${JSON.stringify({ type: 'user', uuid: `uuid-${at}`, promptId: `p-${at}`, sessionId: 'session-1', cwd: sandbox.repo, timestamp: new Date().toISOString(), message: { role: 'user', content: words } })}\n`;

  it('[off-is-zero] no command reads transcripts into the log', () => {
    start(installed);
    const transcript = transcriptOf();
    writeFileSync(transcript, record(1, 'said while it was on'));
    for (const call of hookCalls(sandbox.repo, { transcript })) sandbox.hook(call);
    settle(sandbox);
    expect(JSON.stringify(sandbox.events())).toContain('said while it was on');
    done('capture', 'off');
    appendFileSync(transcript, record(2, 'said while it was off'));
    const before = sandbox.events();
    for (const args of [['prelude'], ['recall', 'said'], ['status'], ['doctor', '--reindex'], ['doctor']])
      sandbox.cli(...args);
    expect(sandbox.events()).toEqual(before);
  });

  for (const [silence, sound] of [
    [
      ['capture', 'off'],
      ['capture', 'on'],
    ],
    [
      ['capture', 'pause'],
      ['capture', 'resume'],
    ],
  ] as const) {
    it(`[off-is-zero] what was said after \`${silence.join(' ')}\` is not read from the transcript when capture is on again`, () => {
      start(installed);
      const transcript = transcriptOf();
      writeFileSync(transcript, record(1, 'said while it was on'));
      for (const call of hookCalls(sandbox.repo, { transcript })) sandbox.hook(call);
      done(...silence);
      appendFileSync(transcript, record(2, 'said in confidence'));
      done(...sound);
      appendFileSync(transcript, record(3, 'said when it was on again'));
      settle(sandbox);
      const all = JSON.stringify(sandbox.events());
      expect(all).toContain('said when it was on again');
      expect(all).not.toContain('said in confidence');
    });
  }

  it("[off-is-zero] a project's MCP server writes nothing for a user who never installed Backstory", () => {
    start();
    const before = everything();
    const requests = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'recall', arguments: { query: 'anything' } },
      },
      {
        jsonrpc: '2.0',
        id: 3,
        method: 'tools/call',
        params: { name: 'remember', arguments: { topic: 'anything', quote: 'anything' } },
      },
    ];
    const { status } = spawnSync(process.execPath, [join(inject('installedPackage'), 'dist/mcp.js')], {
      cwd: sandbox.repo,
      env: sandbox.env,
      input: requests.map((request) => `${JSON.stringify(request)}\n`).join(''),
    });
    expect(status).toBe(0);
    untilIdle();
    expect(everything()).toEqual(before);
  });

  it('[off-is-zero] read-only commands write nothing where nothing was captured', () => {
    start();
    const before = everything();
    for (const args of [
      ['status'],
      ['recall', 'anything'],
      ['config'],
      ['doctor', '--logs'],
      ['capture', 'projects'],
      ['capture', 'exclude'],
      ['--help'],
      ['--version'],
    ]) {
      expect(sandbox.cli(...args).status, args.join(' ')).toBe(0);
      expect(everything(), args.join(' ')).toEqual(before);
    }
  });
});

describe("Node's compile cache of the commands", () => {
  const compiled = () => join(sandbox.home, '.backstory/cache/compiled');

  it('[off-is-zero] is filled for hooks by `install`, and hooks only read it', () => {
    start(installed);
    const hooks = join(sandbox.home, '.backstory/cache/hooks');
    const before = listing(hooks);
    expect(before.length).toBeGreaterThan(8);
    for (const call of hookCalls(sandbox.repo)) sandbox.hook(call);
    expect(listing(hooks)).toEqual(before);
    // A damaged cache changes nothing but the time.
    for (const name of readdirSync(hooks, { recursive: true, encoding: 'utf8' }))
      if (/[0-9a-f]{8}$/.test(name) && !name.includes('.')) writeFileSync(join(hooks, name), 'not compiled');
    sandbox.hook({ ...hookCalls(sandbox.repo)[1], prompt_id: 'later' });
    expect(existsSync(join(sandbox.home, '.backstory/failures.jsonl'))).toBe(false);
  });

  it('[off-is-zero] is not stored while BACKSTORY_OFF is 1', () => {
    start(installed);
    for (const call of hookCalls(sandbox.repo)) sandbox.hook(call);
    settle(sandbox);
    expect(sandbox.cliWith({ BACKSTORY_OFF: '1' }, 'recall', 'tabs').status).toBe(0);
    expect(existsSync(compiled())).toBe(false);
  });
});

describe('exclusion', () => {
  const edit = (path: string, id: string) => ({
    hook_event_name: 'PostToolUse',
    session_id: 'session-1',
    prompt_id: 'turn-1',
    cwd: sandbox.repo,
    tool_name: 'Edit',
    tool_use_id: id,
    tool_input: { file_path: path },
    tool_response: { structuredPatch: [] },
  });

  it.each(['*.pem', 'keys/**', '~/repo/keys/**', '**/keys/*'])(
    '[exclude-files] of a file by %s leaves no event',
    (glob) => {
      start(installed, ['capture', 'exclude', glob]);
      sandbox.hook(edit(join(sandbox.repo, 'keys/server.pem'), 'one'));
      sandbox.hook(edit(join(sandbox.repo, 'src/queue.ts'), 'two'));
      expect(sandbox.events().flatMap((event) => (event.kind === 'edit' ? [event.body.path] : []))).toEqual([
        'src/queue.ts',
      ]);
    },
  );
});

describe.runIf(process.platform !== 'win32')('every written file', () => {
  it('[private-modes] is private to the user: folders 0700, files 0600', () => {
    start(installed);
    git(sandbox.repo, 'commit', '-qm', 'first', '--allow-empty');
    for (const call of hookCalls(sandbox.repo)) sandbox.hook(call);
    done('remember', 'A note about tabs.');
    done('capture', 'exclude', '*.pem');
    done('config', 'actor', 'me', '--project');
    settle(sandbox);
    done('recall', 'tabs');
    sandbox.hook('not JSON, so a failure is written down');
    const open: string[] = [];
    const visit = (path: string): void => {
      const { mode } = statSync(path);
      const isFolder = statSync(path).isDirectory();
      if ((mode & 0o777) !== (isFolder ? 0o700 : 0o600)) open.push(`${(mode & 0o777).toString(8)} ${path}`);
      if (isFolder) for (const name of readdirSync(path)) visit(join(path, name));
    };
    visit(join(sandbox.home, '.backstory'));
    expect(open).toEqual([]);
    expect(existsSync(join(sandbox.home, '.backstory/failures.jsonl'))).toBe(true);
  });
});
