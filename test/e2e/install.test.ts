import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { claude, noClaude } from '../support/claude.ts';
import { startModel, text } from '../support/fake-model.ts';
import { listing } from '../support/listing.ts';
import { typeAtTerminal } from '../support/person.ts';
import { createSandbox, type Sandbox, settle } from '../support/sandbox.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.remove());

const start = (): Sandbox => {
  sandbox = createSandbox(inject('installedPackage'));
  return sandbox;
};

/** Everything in the home except Backstory's data. */
const home = (times = false) => listing(sandbox.home, { except: ['.backstory', 'repo/.git'], times });
const put = (name: string, text: string | Buffer): string => {
  const path = join(sandbox.home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const read = (name: string): string => readFileSync(join(sandbox.home, name), 'utf8');
const settings = '.claude/settings.json';
const state = '.claude.json';
const done = (...args: string[]): void => {
  const { status, stdout, stderr } = sandbox.cli(...args);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
};

interface Handler {
  command?: string;
  async?: boolean;
}
interface Settings {
  hooks?: Record<string, { matcher?: string; hooks: Handler[] }[]>;
  mcpServers?: Record<string, { command?: string; args?: string[] }>;
}
const jsonOf = (name: string): Settings =>
  parse(read(name).replace('\uFEFF', ''), [], { allowTrailingComma: true }) as Settings;
const isOurs = ({ command = '' }: Handler): boolean => /hook\.cjs"$|^backstory-hook$/.test(command);
const ourHandlers = (name: string): Handler[] =>
  Object.values(jsonOf(name).hooks ?? {}).flatMap((groups) =>
    groups.flatMap((group) => group.hooks.filter(isOurs)),
  );

const otherHooks = {
  Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }],
  PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'audit', timeout: 5 }] }],
  PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'guard' }] }],
};
const servers = {
  github: { type: 'stdio', command: 'gh-mcp', args: [] },
  'data-base': { type: 'http', url: 'http://x' },
};
const rich = {
  model: 'opus',
  permissions: { allow: ['Bash(npm *)'], deny: [] },
  hooks: otherHooks,
  mcpServers: servers,
};

/** Each text is in both files, as a user's home may have it. */
const contents: [name: string, text: string | Buffer][] = [
  ['empty files', ''],
  ['files of blanks', ' \n\n'],
  ['{}', '{}'],
  ['{} over two lines', '{\n}\n'],
  ['two spaces', `${JSON.stringify(rich, null, 2)}\n`],
  ['four spaces', `${JSON.stringify(rich, null, 4)}\n`],
  ['tabs', `${JSON.stringify(rich, null, '\t')}\n`],
  ['one line', JSON.stringify(rich)],
  [
    'one line with blanks',
    '{ "model": "opus", "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "x" } ] } ] } }\n',
  ],
  [
    'three spaces and odd places',
    '{\n   "model" :"opus",\n\n\n      "mcpServers":{ "a":{"command":"a"}\n },\n "x":[1,\n2]}\n\n\n',
  ],
  [
    'comments',
    '// mine\n{\n  /* all of it */ "model": "opus", // why\n  // "hooks": {},\n  "x": 1 // last\n}\n// end\n',
  ],
  [
    'comments among the hooks',
    '{\n  "hooks": {\n    // own\n    "Stop": [\n      // one\n      { "hooks": [] } // two\n      // three\n    ] // four\n  }\n  // five\n}\n',
  ],
  [
    'trailing commas',
    '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "x", },], },\n    ],\n  },\n  "mcpServers": { "a": { "command": "a", }, },\n}\n',
  ],
  ['CRLF', `${JSON.stringify(rich, null, 2).replaceAll('\n', '\r\n')}\r\n`],
  ['mixed line ends', '{\r\n  "model": "opus",\n  "x": 1\r\n}\n'],
  ['a byte order mark', `\uFEFF${JSON.stringify(rich, null, 2)}\n`],
  ['a byte order mark and nothing else', '\uFEFF'],
  ['no newline at the end', JSON.stringify(rich, null, 2)],
  ["other tools' hooks on our events", `${JSON.stringify({ hooks: otherHooks }, null, 2)}\n`],
  ['only other servers', `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`],
  ['empty hooks and servers', '{\n  "hooks": {},\n  "mcpServers": {}\n}\n'],
  ['empty lists of hooks', '{"hooks":{"Stop":[],"SessionStart":[ ]},"mcpServers":{ }}'],
  [
    'unicode',
    `{\n  "größe": "数据 🎉 \\u00e4",\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "écho '🎉'" }] }] }\n}\n`,
  ],
  ['deep nesting', `{"a":${'{"b":['.repeat(200)}1${']}'.repeat(200)}}`],
  [
    'a large file',
    `${JSON.stringify({ projects: Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`/home/ann/p${at}`, { history: ['x'.repeat(200)] }])) }, null, 2)}\n`,
  ],
  ['keys like ours', '{"hooksBackup":{"Stop":[]},"mcpServersOld":{"backstory":{}},"backstory":1}'],
  [
    'a server of the same name',
    `${JSON.stringify({ mcpServers: { backstory: { command: 'something-else', args: ['--mine'] } } }, null, 2)}\n`,
  ],
  [
    'our own entries, of an install whose record is lost',
    `${JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: '"/old/node" "/old/backstory/dist/hook.cjs"', timeout: 10 }] }] }, mcpServers: { backstory: { type: 'stdio', command: '/old/node', args: ['/old/backstory/dist/mcp.js'] } } }, null, 2)}\n`,
  ],
];

describe('uninstall', () => {
  it.each(contents)('[uninstall-bytes] restores both files byte for byte: %s', (_name, text) => {
    start();
    put(settings, text);
    put(state, text);
    const before = home();
    done('install', 'claude-code');
    expect(ourHandlers(settings).length).toBeGreaterThanOrEqual(8);
    expect(jsonOf(state).mcpServers?.backstory?.args?.[0]).toBe(
      join(inject('installedPackage'), 'dist/mcp.js'),
    );
    expect(home()).not.toEqual(before);
    done('uninstall', 'claude-code');
    expect(home()).toEqual(before);
  });

  const some = contents.filter((_, at) => at % 4 === 0);
  it.each(some)('[uninstall-bytes] restores the files of a project: %s', (_name, text) => {
    start();
    put('repo/.claude/settings.json', text);
    put('repo/.mcp.json', text);
    const before = home();
    done('install', 'claude-code', '--scope', 'project');
    expect(
      ourHandlers('repo/.claude/settings.json').some(({ command }) => command === 'backstory-hook'),
    ).toBe(true);
    expect(existsSync(join(sandbox.home, settings))).toBe(false);
    done('uninstall', 'claude-code', '--scope', 'project');
    expect(home()).toEqual(before);
  });

  const tomls: [name: string, text: string][] = [
    ['an empty file', ''],
    ['plain values', 'model = "gpt-5"\n'],
    ['no newline at the end', 'model = "gpt-5"'],
    [
      'comments and tables',
      '# mine\nmodel = "gpt-5" # why\n\n[mcp_servers.github]\ncommand = "gh"\n\n# the last\n[tui]\ntheme = "dark"\n',
    ],
    ['CRLF', 'model = "gpt-5"\r\n\r\n[tui]\r\ntheme = "dark"\r\n'],
    ['a byte order mark', '\uFEFFmodel = "gpt-5"\n'],
    ['blank lines at the end', 'model = "gpt-5"\n\n\n'],
    [
      'a server of the same name in the middle',
      '[mcp_servers.backstory]\ncommand = "mine"\nargs = []\n\n[tui]\ntheme = "dark"\n',
    ],
  ];
  it.each(tomls)("[uninstall-bytes] restores Codex's files: %s", (_name, text) => {
    start();
    put('.codex/config.toml', text);
    put('.codex/hooks.json', text === '' ? '' : JSON.stringify({ hooks: otherHooks }, null, 2));
    const before = home();
    done('install', 'codex');
    expect(read('.codex/config.toml')).toContain('[mcp_servers.backstory]');
    done('uninstall', 'codex');
    expect(home()).toEqual(before);
  });

  it.each(['claude-code', 'codex'])(
    '[uninstall-bytes] removes everything of %s if nothing was there before',
    (agent) => {
      start();
      const before = home();
      done('install', agent);
      done('uninstall', agent);
      expect(home()).toEqual(before);
    },
  );

  it('[uninstall-bytes] keeps a link, and writes the file it leads to', () => {
    start();
    const real = put('dotfiles/claude.json', `${JSON.stringify(rich, null, 2)}\n`);
    mkdirSync(join(sandbox.home, '.claude'));
    symlinkSync('../dotfiles/claude.json', join(sandbox.home, settings));
    symlinkSync(real, join(sandbox.home, state));
    const before = home();
    done('install', 'claude-code');
    expect(lstatSync(join(sandbox.home, settings)).isSymbolicLink()).toBe(true);
    expect(read('dotfiles/claude.json')).toContain('hook.cjs');
    expect(jsonOf('dotfiles/claude.json').mcpServers?.backstory).toBeDefined();
    done('uninstall', 'claude-code');
    expect(home()).toEqual(before);
  });

  it.each([
    [0o644, 0o600],
    [0o640, 0o664],
  ])('[uninstall-bytes] keeps the modes %o and %o of the files', (...modes) => {
    start();
    const names = [settings, state];
    for (const [at, name] of names.entries()) chmodSync(put(name, '{}\n'), modes[at] as number);
    const before = home();
    done('install', 'claude-code');
    expect(names.map((name) => statSync(join(sandbox.home, name)).mode & 0o777)).toEqual(modes);
    done('uninstall', 'claude-code');
    expect(home()).toEqual(before);
  });

  it('[uninstall-bytes] restores the state before the first of several installs', () => {
    start();
    put(settings, `${JSON.stringify(rich, null, 2)}\n`);
    put(state, '{"mcpServers":{"a":{"command":"a"}}}');
    const before = home();
    const old = join(sandbox.home, 'old-package');
    cpSync(inject('installedPackage'), old, { recursive: true });
    const older = () =>
      spawnSync(process.execPath, [join(old, 'dist/main.js'), 'install', 'claude-code'], {
        env: sandbox.env,
      });
    expect(older().status).toBe(0);
    expect(read(settings)).toContain('old-package');
    done('install', 'claude-code');
    expect(read(settings)).not.toContain('old-package');
    expect(older().status).toBe(0);
    done('install', 'claude-code');
    done('uninstall', 'claude-code');
    rmSync(old, { recursive: true });
    expect(home()).toEqual(before);
  });
});

describe('the tools that only read', () => {
  const allowed = (): string[] =>
    (parse(read(settings)) as { permissions?: { allow?: string[] } }).permissions?.allow ?? [];
  const recallRule = 'mcp__backstory__recall';

  it('[uninstall-bytes] are allowed only if a person says so, and uninstall takes away only that', () => {
    start();
    put(settings, `${JSON.stringify(rich, null, 2)}\n`);
    const before = home();
    const agentRun = sandbox.unattended({}, 'install', 'claude-code', '--allow-tools', 'yes');
    expect([agentRun.status, agentRun.stderr]).toEqual([1, expect.stringContaining('needs a person')]);
    done('install', 'claude-code');
    expect(allowed()).toEqual(['Bash(npm *)']);
    done('install', 'claude-code', '--allow-tools', 'yes');
    expect(allowed()).toContain(recallRule);
    expect(allowed().join()).not.toContain('remember');
    done('install', 'claude-code', '--repair');
    expect(allowed()).toContain(recallRule);
    done('install', 'claude-code', '--allow-tools', 'no');
    expect(allowed()).toEqual(['Bash(npm *)']);
    done('install', 'claude-code', '--allow-tools', 'yes');
    done('uninstall', 'claude-code');
    expect(home()).toEqual(before);
  });

  it('are offered once to a person at a terminal', () => {
    start();
    const run = { cwd: sandbox.repo, env: sandbox.env };
    const line = `${process.execPath} ${join(inject('installedPackage'), 'dist/main.js')} install claude-code`;
    expect(typeAtTerminal(line, { ...run, input: 'y\n' }).stdout).toContain('tools that only read');
    expect(allowed()).toContain(recallRule);
    expect(typeAtTerminal(line, run).stdout).not.toContain('tools that only read');
    expect(allowed()).toContain(recallRule);
  });

  it.skipIf(noClaude !== undefined).each(['yes', 'no'])(
    'are called by the real Claude Code without asking, if that is allowed: %s',
    async (answer) => {
      start();
      done('install', 'claude-code', '--allow-tools', answer);
      const call = { type: 'tool_use', name: recallRule, input: { query: 'walrus' } };
      const model = await startModel(sandbox, { steps: [[call], text('Done.')] });
      claude(sandbox, model, 'What about the walrus?', '--permission-mode', 'default');
      const said = JSON.stringify(model.requests().map(({ body }) => body.messages));
      model.stop();
      expect(said.includes("haven't granted")).toBe(answer === 'no');
      expect(said).toContain('tool_result');
    },
  );
});

describe('uninstall after the agent rewrote its files', () => {
  const withoutOurs = (value: Settings): Settings => {
    const left = structuredClone(value);
    for (const [event, groups] of Object.entries(left.hooks ?? {})) {
      const kept = groups
        .map((group) => ({ ...group, hooks: group.hooks.filter((handler) => !isOurs(handler)) }))
        .filter(
          ({ hooks }, at) => hooks.length > 0 || (groups[at] as (typeof groups)[number]).hooks.length === 0,
        );
      if (kept.length > 0 || event in (rich.hooks as object))
        (left.hooks as object)[event as keyof object] = kept as never;
      else delete left.hooks?.[event];
    }
    delete left.mcpServers?.backstory;
    return left;
  };
  const reversed = <T>(value: T): T =>
    Array.isArray(value) || typeof value !== 'object' || value === null
      ? value
      : (Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, inner]) => [key, reversed(inner)]),
        ) as T);

  const rewrites: [how: string, rewrite: (value: Settings) => string][] = [
    ['four spaces', (value) => JSON.stringify(value, null, 4)],
    ['tabs and a new key', (value) => JSON.stringify({ ...value, numStartups: 7 }, null, '\t')],
    ['one line', (value) => JSON.stringify(value)],
    ['every key the other way round', (value) => `${JSON.stringify(reversed(value), null, 2)}\n`],
    [
      'a new key in front',
      (value) => JSON.stringify({ $schema: 'https://example.org/x.json', ...value }, null, 2),
    ],
    [
      'new hooks of another tool on our events',
      (value) => {
        const hooks = Object.fromEntries(
          Object.entries(value.hooks ?? {}).map(([event, groups]) => [
            event,
            [
              { hooks: [{ type: 'command', command: 'new tool' }] },
              ...groups,
              { hooks: [{ type: 'command', command: 'newer tool' }] },
            ],
          ]),
        );
        return JSON.stringify({ ...value, hooks }, null, 2);
      },
    ],
    [
      'our handlers put into one group with others',
      (value) => {
        const hooks = Object.fromEntries(
          Object.entries(value.hooks ?? {}).map(([event, groups]) => [
            event,
            [
              {
                hooks: [
                  { type: 'command', command: 'first' },
                  ...groups.flatMap((group) => group.hooks),
                  { type: 'command', command: 'last' },
                ],
              },
            ],
          ]),
        );
        return JSON.stringify({ ...value, hooks }, null, 2);
      },
    ],
    [
      'fields added to our entries',
      (value) => {
        const hooks = Object.fromEntries(
          Object.entries(value.hooks ?? {}).map(([event, groups]) => [
            event,
            groups.map((group) => ({
              ...group,
              hooks: group.hooks.map((handler) => ({ async: false, ...handler, seen: 3 })),
            })),
          ]),
        );
        const mcpServers = Object.fromEntries(
          Object.entries(value.mcpServers ?? {}).map(([name, server]) => [name, { ...server, env: {} }]),
        );
        return JSON.stringify({ ...value, hooks, mcpServers }, null, 2);
      },
    ],
    [
      'a new server',
      (value) =>
        JSON.stringify(
          { ...value, mcpServers: { ...value.mcpServers, fresh: { command: 'fresh' } } },
          null,
          2,
        ),
    ],
  ];

  it.each(rewrites)("[uninstall-rewritten] removes exactly Backstory's entries: %s", (_how, rewrite) => {
    start();
    for (const name of [settings, state]) put(name, `${JSON.stringify(rich, null, 2)}\n`);
    done('install', 'claude-code');
    const rewritten = [settings, state].map((name) => {
      put(name, rewrite(jsonOf(name)));
      return jsonOf(name);
    });
    done('uninstall', 'claude-code');
    expect([settings, state].map(jsonOf)).toEqual(rewritten.map(withoutOurs));
    for (const name of [settings, state]) expect(read(name)).not.toMatch(/hook\.cjs|mcp\.js/);
  });

  it.each([
    ['two spaces', `${JSON.stringify({ theme: 'dark', hooks: otherHooks, mcpServers: servers }, null, 2)}\n`],
    [
      'CRLF',
      `${JSON.stringify({ theme: 'dark', hooks: otherHooks, mcpServers: servers }, null, 2).replaceAll('\n', '\r\n')}\r\n`,
    ],
    ['tabs', JSON.stringify({ theme: 'dark', hooks: otherHooks, mcpServers: servers }, null, '\t')],
    ['no hooks before', '{\n  // mine\n  "theme": "dark", // why\n  "z": [1,2 ,3]\n}\n'],
    ['empty containers', '{\n  "theme": "dark",\n  "hooks": {},\n  "mcpServers": {}\n}\n'],
  ])('[uninstall-rewritten] keeps every other byte if something else has changed: %s', (_name, text) => {
    start();
    for (const name of [settings, state]) put(name, text);
    done('install', 'claude-code');
    const change = (before: string) => before.replace('"theme": "dark"', '"theme":   "light" /* odd */');
    for (const name of [settings, state]) put(name, change(read(name)));
    done('uninstall', 'claude-code');
    for (const name of [settings, state]) expect(read(name)).toBe(change(text));
  });

  it("[uninstall-rewritten] keeps every other byte of Codex's files", () => {
    start();
    const toml = '# mine\nmodel = "gpt-5"\n\n[tui]\ntheme = "dark"\n';
    put('.codex/config.toml', toml);
    done('install', 'codex');
    put(
      '.codex/config.toml',
      `${read('.codex/config.toml').replace('"dark"', "'light'")}\n[mcp_servers.fresh]\ncommand = "fresh"\n`,
    );
    done('uninstall', 'codex');
    expect(read('.codex/config.toml')).toBe(
      `${toml.replace('"dark"', "'light'")}\n[mcp_servers.fresh]\ncommand = "fresh"\n`,
    );
  });

  it('[uninstall-rewritten] accepts that a file is gone', () => {
    start();
    done('install', 'claude-code');
    rmSync(join(sandbox.home, settings));
    done('uninstall', 'claude-code');
    expect(existsSync(join(sandbox.home, settings))).toBe(false);
  });
});

describe('install', () => {
  it('[install-twice] has the same result once and several times', () => {
    start();
    put(settings, `${JSON.stringify(rich, null, 2)}\n`);
    done('install', 'claude-code');
    const once = home();
    for (const more of [[], ['--repair'], []]) {
      done('install', 'claude', ...more);
      expect(home()).toEqual(once);
    }
    expect(ourHandlers(settings)).toHaveLength(10);
    expect(sandbox.json<{ installs: object[] }>('status').installs).toHaveLength(1);
  });

  it('[install-others] keeps the hooks and servers of another tool in place and in order', () => {
    start();
    for (const name of [settings, state]) put(name, `${JSON.stringify(rich, null, 2)}\n`);
    done('install', 'claude-code');
    const { hooks = {} } = jsonOf(settings);
    for (const [event, groups] of Object.entries(otherHooks))
      expect(hooks[event]?.slice(0, groups.length)).toEqual(groups);
    expect(jsonOf(state).mcpServers).toMatchObject(servers);
    expect(hooks.PreToolUse).toHaveLength((otherHooks.PreToolUse ?? []).length + 1);
  });

  const broken = ['{', '[]', 'null', '{"a": 1} trailing', '{"hooks": [}'];
  it.each(
    broken.flatMap((text) => [
      [settings, text],
      [state, text],
    ]),
  )('[install-refuses] changes no byte anywhere when %s is %s', (name, text) => {
    start();
    for (const other of [settings, state]) put(other, '{\n  "x": 1\n}\n');
    put(name, text);
    const before = listing(sandbox.home, { times: true });
    for (const args of [
      ['install', 'claude-code'],
      ['install', 'claude-code', '--dry-run'],
    ]) {
      const { status, stderr } = sandbox.cli(...args);
      expect(status).toBe(1);
      expect(stderr).toContain('nothing was changed');
      expect(listing(sandbox.home, { times: true })).toEqual(before);
    }
  });

  it.each([settings, state])(
    '[install-refuses] and uninstall change no byte if %s was broken in the meantime',
    (name) => {
      start();
      for (const other of [settings, state]) put(other, '{\n  "x": 1\n}\n');
      done('install', 'claude-code');
      const good = read(name);
      put(name, `${good}}`);
      const before = listing(sandbox.home, { times: true });
      for (const args of [
        ['uninstall', 'claude-code'],
        ['install', 'claude-code'],
      ]) {
        expect(sandbox.cli(...args).status).toBe(1);
        expect(listing(sandbox.home, { times: true })).toEqual(before);
      }
      put(name, good);
      done('uninstall', 'claude-code');
      for (const other of [settings, state]) expect(read(other)).toBe('{\n  "x": 1\n}\n');
    },
  );

  it('[install-refuses] changes no byte if one of the files cannot be written', () => {
    start();
    put(settings, '{\n  "x": 1\n}\n');
    mkdirSync(join(sandbox.home, state));
    const before = home();
    expect(sandbox.cli('install', 'claude-code').status).toBe(1);
    expect(home()).toEqual(before);
  });

  it('[install-dry-run] shows what it would do and changes nothing', () => {
    start();
    put(settings, '{}');
    const before = listing(sandbox.home, { times: true });
    const { status, stdout } = sandbox.cli('install', 'claude-code', '--dry-run');
    expect(status).toBe(0);
    expect(stdout).toContain(join(sandbox.home, settings));
    expect(stdout).toContain('hook.cjs');
    expect(listing(sandbox.home, { times: true })).toEqual(before);
  });

  it('follows CLAUDE_CONFIG_DIR', () => {
    start();
    const moved = join(sandbox.home, 'moved');
    sandbox.env.CLAUDE_CONFIG_DIR = moved;
    const before = home();
    done('install', 'claude-code');
    expect(existsSync(join(moved, 'settings.json'))).toBe(true);
    expect(existsSync(join(moved, '.claude.json'))).toBe(true);
    expect(existsSync(join(sandbox.home, '.claude.json'))).toBe(false);
    done('uninstall', 'claude-code');
    expect(home()).toEqual(before);
  });
});

interface Doctor {
  ok: boolean;
  sessionTokens: number;
  checks: { name: string; ok: boolean; detail: string; hint?: string }[];
}

describe('doctor', () => {
  const examine = (): Doctor => JSON.parse(sandbox.cli('doctor', '--json').stdout) as Doctor;
  const failing = (doctor: Doctor): string[] => doctor.checks.filter(({ ok }) => !ok).map(({ name }) => name);

  it('[doctor-proves] tests capture with the installed command and reports what a session costs', () => {
    start();
    expect(failing(examine())).toContain('Installed');
    done('install', 'claude-code');
    const doctor = examine();
    expect(failing(doctor)).toEqual([]);
    expect(doctor.ok).toBe(true);
    expect(doctor.sessionTokens).toBeGreaterThan(100);
    expect(doctor.sessionTokens).toBeLessThan(2_750);
    expect(sandbox.events().filter(({ kind }) => kind === 'probe')).toHaveLength(1);
    const { status, stdout } = sandbox.cli('doctor');
    expect(status).toBe(0);
    expect(stdout).toMatch(/Fixed cost of a session: about \d+ tokens/);
  });

  it('[doctor-notices] detects that entries are missing, and --repair restores them', () => {
    start();
    put(settings, '{\n  "model": "opus"\n}\n');
    done('install', 'claude-code');
    for (const name of [settings, state]) {
      put(name, '{"fresh": true}');
      const doctor = examine();
      expect(doctor.ok).toBe(false);
      expect(sandbox.cli('doctor').status).toBe(1);
      const check = doctor.checks.find(({ ok, detail }) => !ok && detail.includes(join(sandbox.home, name)));
      expect(check?.hint).toContain('--repair');
      done(...(check?.hint ?? '').split(' ').slice(1));
      expect(failing(examine())).toEqual([]);
      expect(jsonOf(name)).toMatchObject({ fresh: true });
    }
  });

  it('[install-upgrade] adds an event that an earlier version did not install, and uninstall restores every byte', () => {
    start();
    put(settings, `${JSON.stringify(rich, null, 2)}\n`);
    const before = home();
    done('install', 'claude-code');
    const value = jsonOf(settings);
    value.hooks?.PreToolUse?.pop();
    put(settings, `${JSON.stringify(value, null, 2)}\n`);
    expect(ourHandlers(settings)).toHaveLength(9);
    expect(failing(examine())).toEqual(['claude-code hooks']);
    done('install', 'claude-code');
    expect(failing(examine())).toEqual([]);
    expect(ourHandlers(settings)).toHaveLength(10);
    done('uninstall', 'claude-code');
    expect(home()).toEqual(before);
  });

  it.each([
    [
      'claude-code',
      settings,
      ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'SubagentStart', 'SessionEnd'],
    ],
    [
      'codex',
      '.codex/hooks.json',
      ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'SubagentStart', 'SessionEnd'],
    ],
  ])(
    '[install-async] %s waits only for hooks that answer or end the session, also after an upgrade',
    (agent, file, waited) => {
      start();
      put(file, `${JSON.stringify({ hooks: otherHooks }, null, 2)}\n`);
      const before = home();
      const waitedFor = (): string[] =>
        Object.entries(jsonOf(file).hooks ?? {})
          .filter(([, groups]) => groups.some(({ hooks }) => hooks.some((one) => isOurs(one) && !one.async)))
          .map(([event]) => event);
      done('install', agent);
      expect(waitedFor().sort()).toEqual([...waited].sort());
      // As earlier versions installed it.
      put(file, read(file).replace(/,\s*"async": true/g, ''));
      expect(waitedFor().length).toBeGreaterThan(waited.length);
      expect(failing(examine())).toContain(`${agent} hooks`);
      done('install', agent);
      expect(waitedFor().sort()).toEqual([...waited].sort());
      expect(failing(examine())).not.toContain(`${agent} hooks`);
      done('uninstall', agent);
      expect(home()).toEqual(before);
    },
  );

  it('[doctor-notices] detects that the Node.js in the settings is gone, and --repair sets the current one', () => {
    start();
    const node = join(sandbox.home, 'node-old');
    try {
      linkSync(process.execPath, node);
    } catch {
      copyFileSync(process.execPath, node);
    }
    const main = join(inject('installedPackage'), 'dist/main.js');
    expect(
      spawnSync(node, [main, 'install', 'claude-code'], { cwd: sandbox.repo, env: sandbox.env }).status,
    ).toBe(0);
    expect(failing(examine())).toEqual([]);
    rmSync(node);
    const doctor = examine();
    expect(failing(doctor)).toEqual([
      'claude-code hooks',
      'claude-code server',
      'claude-code skill',
      'Capture',
    ]);
    expect(doctor.checks.find(({ name }) => name === 'claude-code hooks')?.detail).toContain(
      `${node}, which is gone`,
    );
    done('install', 'claude-code', '--repair');
    expect(failing(examine())).toEqual([]);
    expect(read(settings)).not.toContain('node-old');
  });

  it('[doctor-notices] detects a broken settings file and failures of hooks', () => {
    start();
    done('install', 'claude-code');
    sandbox.hook('this is not JSON');
    put(settings, '{');
    expect(failing(examine())).toEqual(expect.arrayContaining(['claude-code hooks', 'Failures']));
    expect(sandbox.cli('doctor', '--logs').stdout).toContain('not a JSON object');
  });

  it('[project-hooks] a project-scope hook works as the command that npm puts on PATH', () => {
    start();
    done('install', 'claude-code', '--scope', 'project');
    const bin = join(sandbox.home, 'bin');
    mkdirSync(bin);
    for (const [name, file] of [
      ['backstory-hook', 'hook.cjs'],
      ['backstory', 'main.js'],
    ] as const) {
      symlinkSync(join(inject('installedPackage'), 'dist', file), join(bin, name));
    }
    sandbox.env.PATH = `${bin}:${dirname(process.execPath)}:${sandbox.env.PATH}`;
    expect(failing(examine())).toEqual([]);
    settle(sandbox);
    expect(sandbox.events().filter(({ kind }) => kind === 'probe')).toHaveLength(1);
  });
});
