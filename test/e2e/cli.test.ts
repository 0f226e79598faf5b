import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { shortHitId } from '../../src/recall/render.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';

const boxes: Sandbox[] = [];
const create = (): Sandbox => {
  const sandbox = createSandbox(inject('installedPackage'));
  boxes.push(sandbox);
  return sandbox;
};
afterAll(() => {
  for (const sandbox of boxes) sandbox.remove();
});

interface Recalled {
  hits: {
    id: string;
    sourceId: string;
    source: 'event' | 'note';
    kind: string;
    turn: string;
    text: string;
    preview: string;
    paths: string[];
    trust: number;
    branch: string;
    agentSession: string;
  }[];
  arms: Record<string, string>;
  incomplete: boolean;
  truncated: boolean;
}

const run = (sandbox: Sandbox, ...args: string[]): string => {
  const { status, stdout, stderr } = sandbox.cli(...args);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${status} ${stdout}${stderr}`);
  return stdout;
};
const inFolder = (sandbox: Sandbox, cwd: string, ...args: string[]) => sandbox.cliIn(cwd, ...args);
const hook = (sandbox: Sandbox, event: string, more: object): void => {
  expect(
    sandbox.hook({
      hook_event_name: event,
      session_id: 'session-1',
      prompt_id: 'turn-1',
      cwd: sandbox.repo,
      ...more,
    }).status,
  ).toBe(0);
};

/** A project with a few entries of each kind, on two branches and in two sessions. */
function furnish(sandbox: Sandbox): void {
  run(sandbox, 'install', 'claude-code');
  writeFileSync(join(sandbox.repo, 'queue.ts'), '');
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-qm', 'first');
  hook(sandbox, 'UserPromptSubmit', {
    prompt: 'We decided to keep retries in Postgres instead of Redis, see src/queue.ts.',
  });
  hook(sandbox, 'PostToolUse', {
    tool_name: 'Edit',
    tool_use_id: 't1',
    tool_input: { file_path: join(sandbox.repo, 'src/queue.ts') },
    tool_response: { structuredPatch: [] },
  });
  hook(sandbox, 'PostToolUse', {
    tool_name: 'Bash',
    tool_use_id: 't2',
    tool_input: { command: 'npm run retries' },
    tool_response: { stdout: 'retries are fine', stderr: '' },
  });
  hook(sandbox, 'Stop', { last_assistant_message: 'The retries live in Postgres now.' });
  git(sandbox.repo, 'checkout', '-q', '-b', 'feature');
  hook(sandbox, 'UserPromptSubmit', {
    prompt: 'Show me how retries back off.',
    session_id: 'session-2',
    prompt_id: 'turn-2',
  });
  run(
    sandbox,
    'remember',
    'Retries back off by five seconds.',
    '--kind',
    'fact',
    '--concepts',
    'retries,queue',
    '--files',
    'src/worker.ts',
  );
  settle(sandbox);
}

describe('help', () => {
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = create();
  });

  it('[cli-help] is grouped by topic and shows the usage of each command', () => {
    for (const args of [[], ['help'], ['--help'], ['-h']]) expect(run(sandbox, ...args)).toContain('Memory');
    const names = [...run(sandbox, '--help').matchAll(/^ {2}(\w+) /gm)].map((match) => match[1] as string);
    expect(names).toHaveLength(30);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(['pr', 'export', 'mcp', 'lsp', 'serve']));
    for (const name of names) {
      expect(run(sandbox, name, '--help'), name).toMatch(new RegExp(`^backstory ${name}\\b`));
    }
    expect(run(sandbox, 'serve', '--help')).toMatch(/^ {2}--idle MINUTES +Exit after/m);
    expect(run(sandbox, 'help', 'recall')).toBe(run(sandbox, 'recall', '--help'));
    expect(run(sandbox, '--version').trim()).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('[cli-exit-codes] an unknown command or option exits with 2 and says what to type', () => {
    const wrong: [args: string[], says: string][] = [
      [['recal', 'x'], 'backstory recall x'],
      [['recall', 'x', '--nonsense'], 'recall has no option --nonsense\n  try: backstory recall --help\n'],
      [['recall', 'x', '--limt', '3'], '--limit, or'],
      [['recall', 'x', '--kind', 'decisoin'], 'one or more of: decision, fix'],
      [['recall', 'x', '--since', '3'], '3d'],
      [['recall', 'x', '--limit', 'many'], '--limit 20'],
      [['recall', 'x', '--trust', '9'], 'trust'],
      [['recall', 'x', '--since', 'yesterdayish'], '3d'],
      [['show'], 'recall'],
      [['edit', '--pin'], 'recall'],
      [['edit', '--wrong'], 'recall'],
      [['edit'], 'recall'],
      [['remember'], 'remember'],
      [['remember', 'x', '--kind', 'poem'], 'decision'],
      [['capture', 'pause', 'soon'], 'pause 1h'],
      [['config', 'colour'], 'backstory config'],
      [['config', 'colour', 'red'], 'backstory config'],
      [['config', 'colour', '--unset'], 'backstory config'],
      [['config', 'capture', 'sometimes'], 'backstory config'],
      [['capture', 'paint'], 'capture --help'],
      [['uninstall'], 'npm uninstall -g backstory'],
      [['timeline', 'x'], '--help'],
      [['doctor', '--reindex', 'everything'], 'reindex memory'],
      [['forget'], 'forget'],
    ];
    for (const [args, says] of wrong) {
      const { status, stderr, stdout } = sandbox.cli(...args);
      expect(status, args.join(' ')).toBe(2);
      expect(stderr, args.join(' ')).toContain('try: ');
      expect(stderr, args.join(' ')).toContain(says);
      expect(stdout, args.join(' ')).toBe('');
    }
  });

  it('[cli-exit-codes] a failed command exits with 1', () => {
    for (const args of [
      ['show', 'ffffffff'],
      ['edit', '--pin', 'ffffffff'],
      ['enforce', 'ffffffff'],
      ['edit', '--wrong', 'ffffffff'],
      ['forget', 'ffffffff', '--yes'],
      ['capture', 'link', 'nobody', 'nowhere'],
    ]) {
      const { status, stderr } = sandbox.cli(...args);
      expect(status, args.join(' ')).toBe(1);
      expect(stderr, args.join(' ')).toContain('try: ');
    }
  });
});

describe('every command', () => {
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = create();
    furnish(sandbox);
  });
  const recall = (...args: string[]): Recalled => sandbox.json<Recalled>('recall', ...args);

  it('shows the same title for a note everywhere, and accepts it as a name', () => {
    const [, name = ''] =
      /as (\w{8})/.exec(run(sandbox, 'remember', 'Kingfishers nest by the eastern weir.')) ?? [];
    expect(run(sandbox, 'recall', 'where do kingfishers nest')).toContain(`${name}  decision`);
    for (const around of [[], ['--around']])
      expect(run(sandbox, 'show', name, ...around)).toContain('Kingfishers nest by the eastern weir.');
  });

  it('[cli-recall] finds by words and supports every filter', () => {
    const all = recall('retries').hits;
    expect(all.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['fact', 'command', 'answer', 'prompt']),
    );
    const kinds = (...args: string[]) => recall('retries', ...args).hits.map(({ kind }) => kind);
    expect(kinds('--kind', 'answer')).toEqual(['answer']);
    expect(kinds('--kind', 'answer,command').sort()).toEqual(['answer', 'command']);
    expect(recall('retries', '--trust', 'you').hits.every(({ trust }) => trust === 3)).toBe(true);
    expect(recall('retries', '--branch', 'feature').hits.map(({ branch }) => branch)).toEqual(['feature']);
    expect(recall('retries', '--session', 'session-2').hits.map(({ agentSession }) => agentSession)).toEqual([
      'session-2',
    ]);
    expect(
      recall('retries', '--file', 'queue.ts').hits.every(({ paths }) =>
        paths.some((path) => path.endsWith('queue.ts')),
      ),
    ).toBe(true);
    expect(recall('edited', '--folder', 'src').hits[0]).toMatchObject({
      kind: 'edit',
      paths: ['src/queue.ts'],
    });
    expect(recall('retries', '--concept', 'queue').hits.map(({ kind }) => kind)).toEqual(['fact']);
    expect(recall('retries', '--agent', 'claude').hits.length).toBeGreaterThan(2);
    expect(recall('retries', '--agent', 'codex').hits).toEqual([]);
    expect(recall('retries', '--since', '1h').hits).toHaveLength(all.length);
    expect(recall('retries', '--until', '1h').hits).toEqual([]);
    expect(recall('retries', '--since', '2099-01-01').hits).toEqual([]);
    const [first, second] = [
      recall('retries', '--limit', '1'),
      recall('retries', '--limit', '1', '--offset', '1'),
    ];
    expect([first.hits.length, second.hits.length, first.truncated]).toEqual([1, 1, true]);
    expect(first.hits[0]?.id).not.toBe(second.hits[0]?.id);
    expect(run(sandbox, 'recall', 'why', 'retries', 'in', 'postgres')).toMatch(/^ {2}[0-9a-f]{8} {2}/m);
    expect(run(sandbox, 'recall', 'xylophone')).toContain('No results');
  });

  it('[cli-show] shows a hit by the first eight characters of its id, with its source', () => {
    const hit = recall('keep retries in Postgres instead', '--kind', 'prompt').hits[0];
    const text = run(sandbox, 'show', hit?.id.slice(0, 8) ?? '');
    expect(text).toContain('We decided to keep retries in Postgres instead of Redis');
    expect(text).toContain('claude-code session session-');
    expect(text).toContain('branch main');
    const [event] = sandbox.json<{ id: string; kind: string }[]>('show', hit?.sourceId ?? '');
    expect(event).toMatchObject({ id: hit?.sourceId, kind: 'prompt' });
  });

  it('[cli-notes] writes, edits and pins notes, which are files', () => {
    const { id, path } = sandbox.json<{ id: string; path: string }>(
      'remember',
      'We use tabs here.',
      '--kind',
      'rule',
    );
    expect(readFileSync(path, 'utf8')).toContain('We use tabs here.');
    const short = id.slice(-8);
    expect(sandbox.json('edit', short, '--text', 'We use spaces here.')).toMatchObject({
      rev: 2,
      trust: 3,
      text: 'We use spaces here.',
    });
    expect(recall('tabs', '--kind', 'rule').hits).toEqual([]);
    expect(recall('spaces').hits[0]?.text).toContain('We use spaces here.');
    expect(run(sandbox, 'edit', short, '--text', 'We use spaces here.')).toContain('Nothing changed');
    expect(sandbox.json('edit', '--pin', short)).toMatchObject({ pinned: true });
    const { lines } = sandbox.json<{ lines: { text: string; reason: string; note?: string }[] }>('prelude');
    expect(lines.find(({ note }) => note !== undefined)).toMatchObject({
      text: expect.stringContaining('We use spaces here.'),
      reason: expect.stringMatching(/^\d{4}-\d{2}-\d{2}, a note you pinned$/),
    });
    expect(run(sandbox, 'prelude', '--why')).toContain('a note you pinned');
    expect(sandbox.json('edit', '--unpin', short)).toMatchObject({ pinned: false });
    const event = recall('keep retries in Postgres instead', '--kind', 'prompt').hits[0];
    expect(sandbox.cli('edit', event?.id ?? '', '--text', 'x')).toMatchObject({ status: 2 });
  });

  it('[cli-notes] detects notes that were edited, renamed or deleted by hand', () => {
    const { path } = sandbox.json<{ path: string }>('remember', 'The heron deploys on mondays.');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('heron', 'pelican'));
    expect(recall('pelican').hits).toHaveLength(1);
    expect(JSON.stringify(recall('heron').hits)).not.toContain('heron');
    writeFileSync(join(sandbox.projectFolder(), 'notes/no front matter.md'), 'just text');
    expect(recall('pelican').hits).toHaveLength(1);
  });

  it('uses the editor in EDITOR', () => {
    const { id } = sandbox.json<{ id: string }>('remember', 'To be edited in an editor.');
    sandbox.env.EDITOR = `${process.execPath} -e "require('fs').writeFileSync(process.argv[1], 'Edited in an editor.')"`;
    expect(sandbox.json('edit', id.slice(-8))).toMatchObject({ text: 'Edited in an editor.', rev: 2 });
    delete sandbox.env.EDITOR;
  });

  it('[cli-config] shows the origin of each setting, and sets and unsets it for the user and for the project', () => {
    interface Row {
      key: string;
      value: unknown;
      from: string;
    }
    const row = (key: string, ...args: string[]) => sandbox.json<Row[]>('config', key, ...args)[0];
    expect(row('actor')).toMatchObject({ value: '', from: 'default' });
    expect(row('actor', 'ann')).toMatchObject({ value: 'ann', from: 'your config.json' });
    expect(row('actor', 'bob', '--project')).toMatchObject({ value: 'bob', from: 'this project' });
    expect(row('actor', '--unset', '--project')).toMatchObject({ value: 'ann', from: 'your config.json' });
    expect(row('actor', '--unset')).toMatchObject({ value: '', from: 'default' });
    expect(run(sandbox, 'config')).toContain('capture');
  });

  it('[cli-control] pauses capture, and excludes files and lists exclusions', () => {
    const { reason } = sandbox.json<{ reason: string }>('capture', 'pause', '1h');
    const [, minute = ''] =
      /^paused until (\d{4}-\d\d-\d\d \d\d:\d\d) (?:UTC|[+-]\d\d:\d\d)$/.exec(reason) ?? [];
    const ms = Date.parse(minute) - Date.now();
    expect(ms).toBeGreaterThan(50 * 60_000);
    expect(ms).toBeLessThanOrEqual(60 * 60_000);
    expect(run(sandbox, 'status')).toContain('paused until');
    // It is not on until the pause ends, and no command says so.
    expect(sandbox.json('capture', 'on')).toMatchObject({ capture: 'off', reason });
    expect(run(sandbox, 'capture')).toMatch(/^Capture is off for repo: paused until /);
    expect(sandbox.json('capture', 'resume')).toMatchObject({ capture: 'on' });
    expect(sandbox.json('capture', 'exclude', '*.pem', '~/clients/**')).toEqual({
      exclude: ['*.pem', '~/clients/**'],
    });
    expect(run(sandbox, 'capture', 'exclude')).toBe('*.pem\n~/clients/**\n');
    expect(sandbox.json('capture', 'exclude', '*.pem', '--remove')).toEqual({ exclude: ['~/clients/**'] });
    expect(sandbox.json('capture', 'exclude', '~/clients/**', '--remove')).toEqual({ exclude: [] });
  });

  it('[cli-inside] reports what is stored and what failed, and rebuilds the index, also under the names of the source designs', () => {
    interface Status {
      capture: string;
      events: Record<string, number>;
      notes: number;
      bytes: Record<string, number>;
      lastCapture: Record<string, number>;
      unindexedBytes: number;
    }
    const status = sandbox.json<Status>('status');
    expect(status).toMatchObject({ capture: 'on', unindexedBytes: 0 });
    expect(status.events.prompt).toBe(2);
    expect(status.bytes.events).toBeGreaterThan(1_000);
    expect(Date.now() - (status.lastCapture['claude-code'] ?? 0)).toBeLessThan(600_000);
    sandbox.hook('no JSON');
    expect(sandbox.json<{ where: string; message: string }[]>('doctor', '--logs', '--limit', '1')).toEqual([
      expect.objectContaining({ where: 'hook', message: expect.stringContaining('not a JSON object') }),
    ]);
    const before = recall('retries')
      .hits.map(({ id }) => id)
      .sort();
    for (const name of [['doctor', '--reindex'], ['reindex'], ['build']]) {
      expect(run(sandbox, ...name)).toMatch(/Indexed \d+ (?:records|files)/);
      expect(
        recall('retries')
          .hits.map(({ id }) => id)
          .sort(),
      ).toEqual(before);
    }
  });
});

describe('projects', () => {
  interface Project {
    id: string;
    name: string;
    paths: string[];
  }
  let sandbox: Sandbox;
  const folder = (name: string): string => {
    const path = join(sandbox.home, name);
    mkdirSync(path, { recursive: true });
    git(path, 'init', '-q', '.');
    writeFileSync(join(path, 'x'), name);
    git(path, 'add', '.');
    git(path, 'commit', '-qm', name);
    return path;
  };
  let turn = 0;
  const say = (cwd: string, prompt: string) =>
    hook(sandbox, 'UserPromptSubmit', { cwd, prompt, prompt_id: `turn-${turn++}` });
  const list = (): Project[] => sandbox.json<Project[]>('capture', 'projects');
  const ask = (cwd: string, words: string): string[] =>
    (JSON.parse(inFolder(sandbox, cwd, 'recall', words, '--json').stdout) as Recalled).hits.map(
      ({ text }) => text,
    );

  it('[project-link] merges two projects: text and notes of both are found in both, and later ones too', () => {
    sandbox = create();
    run(sandbox, 'install', 'claude-code');
    const [one, two] = [folder('one'), folder('two')];
    say(one, 'the heron words of one');
    say(two, 'the heron words of two');
    inFolder(sandbox, one, 'remember', 'A heron note of one.');
    expect(
      list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['one', 'two']);
    expect(inFolder(sandbox, one, 'capture', 'link', 'one', 'two').status).toBe(0);
    expect(list().map(({ name }) => name)).toEqual(['two']);
    expect(ask(one, 'heron').sort()).toEqual(ask(two, 'heron').sort());
    expect(ask(two, 'heron')).toHaveLength(3);
    say(one, 'a later heron of one');
    expect(ask(two, 'later')).toEqual(['a later heron of one']);
  });

  it('[project-link] leaves no second copy that forget would miss', () => {
    sandbox = create();
    run(sandbox, 'install', 'claude-code');
    const [one, two] = [folder('one'), folder('two')];
    say(one, 'the secret walrus of one');
    say(two, 'words of two');
    inFolder(sandbox, one, 'capture', 'link', 'one', 'two');
    inFolder(sandbox, two, 'forget', '--containing', 'walrus', '--yes');
    const left = spawnSync('grep', ['-rl', 'walrus', join(sandbox.home, '.backstory')], {
      encoding: 'utf8',
    }).stdout;
    expect(left).toBe('');
  });

  it('[project-split] separates a folder from its project, by any path to the folder', () => {
    sandbox = create();
    run(sandbox, 'install', 'claude-code');
    const origin = folder('origin');
    for (const name of ['a', 'b', 'c']) git(sandbox.home, 'clone', '-q', origin, name);
    const path = (name: string) => join(sandbox.home, name);
    for (const name of ['a', 'b', 'c']) say(path(name), `words of ${name}`);
    expect(list()).toHaveLength(1);
    mkdirSync(join(path('b'), 'deep'));
    expect(inFolder(sandbox, join(path('b'), 'deep'), 'capture', 'split').status).toBe(0);
    expect(list().find(({ paths }) => paths.includes(path('b')))?.paths).toEqual([path('b')]);
    expect(inFolder(sandbox, path('a'), 'capture', 'split', '../c').status).toBe(0);
    expect(list().find(({ paths }) => paths.includes(path('c')))?.paths).toEqual([path('c')]);
    expect(list().find(({ paths }) => paths.includes(path('a')))?.paths).toEqual([path('a')]);
    expect(list()).toHaveLength(3);
    say(path('b'), 'later pelican of b');
    expect(ask(path('b'), 'pelican')).toHaveLength(1);
    expect(ask(path('a'), 'pelican')).toEqual([]);
  });
});

describe('the MCP server', () => {
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = create();
    furnish(sandbox);
  });

  interface Answer {
    id?: number | string;
    result?: Record<string, unknown> & {
      content?: { type: string; text: string }[];
      isError?: boolean;
      tools?: { name: string; description: string; inputSchema: object }[];
      instructions?: string;
    };
    error?: { code: number };
  }
  /** Sends requests as an agent would, closes stdin, and returns the responses by id. */
  function serve(
    requests: object[],
    args: string[] = ['mcp', 'serve', '--repo', sandbox.repo],
  ): Map<number | string, Answer> {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(inject('installedPackage'), 'dist/main.js'), ...args],
      {
        cwd: sandbox.home,
        env: sandbox.env,
        input: requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join(''),
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      },
    );
    expect(status).toBe(0);
    expect(stderr).toBe('');
    const lines = stdout.split('\n').filter((line) => line !== '');
    for (const line of lines) {
      expect(JSON.parse(line), 'nothing but protocol on stdout').toMatchObject({ jsonrpc: '2.0' });
      expect(Buffer.byteLength(line)).toBeLessThan(40_000);
    }
    return new Map(
      lines.map((line) => JSON.parse(line) as Answer).map((answer) => [answer.id ?? '', answer]),
    );
  }
  const hello = [
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
    { method: 'notifications/initialized' },
  ];
  const call = (id: number, name: string, given: object) => ({
    id,
    method: 'tools/call',
    params: { name, arguments: given },
  });
  const ask = (name: string, given: object): Answer['result'] =>
    serve([...hello, call(1, name, given)], ['mcp', 'serve', '--repo', sandbox.repo, '--tools', 'all']).get(1)
      ?.result;
  const textOf = (result: Answer['result']): string => result?.content?.[0]?.text ?? '';

  it('[mcp-stdio] answers initialize, tools/list and recall for the given repository', () => {
    const answers = serve([
      ...hello,
      { id: 1, method: 'tools/list', params: {} },
      call(2, 'recall', { query: 'where do retries live' }),
    ]);
    expect(answers.get(0)?.result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'backstory' },
    });
    expect(answers.get(0)?.result?.instructions).toContain('recall');
    expect(answers.get(1)?.result?.tools?.map(({ name }) => name)).toEqual([
      'recall',
      'get_notes',
      'remember',
      'why',
      'search_content',
      'find_files',
      'context_pack',
      'memo_check',
    ]);
    const text = textOf(answers.get(2)?.result);
    expect(text).toContain('We decided to keep retries in Postgres');
    expect(text).toContain('] the user, claude-code session');
    expect(text).toMatch(/^<(backstory-memory-[0-9a-f]{8}) kind="recall">\n[\s\S]*<\/\1>$/);
  });

  it('[mcp-discover] answers discovery of the newest protocol, and tool calls in that protocol', () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'claude-code', version: '2.1.325' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const answers = serve([
      { id: 'probe', method: 'server/discover', params: { _meta: meta } },
      { id: 1, method: 'tools/list', params: { _meta: meta } },
      {
        id: 2,
        method: 'tools/call',
        params: { name: 'recall', arguments: { query: 'retries' }, _meta: meta },
      },
    ]);
    expect(answers.get('probe')?.result).toMatchObject({
      supportedVersions: expect.arrayContaining(['2026-07-28']),
    });
    expect(answers.get(1)?.result?.tools).toHaveLength(8);
    expect(textOf(answers.get(2)?.result)).toContain('Postgres');
  });

  it('[same-answer] returns the same hits as the CLI, without the turn in which it is asked', () => {
    const questions: [question: string, filter: Record<string, string>][] = [
      ['where do retries live', {}],
      ['why did we decide on Postgres', { kind: 'decision,prompt' }],
      ['what was said about retries', { in: 'sessions', since: '30d' }],
      ['retries', { trust: 'approved' }],
      ['always never prefer', { branch: 'main' }],
    ];
    let compared = 0;
    for (const [question, filter] of questions) {
      const flags = Object.entries(filter).flatMap(([name, value]) => [`--${name}`, value]);
      const people = sandbox.json<Recalled>('recall', question, ...flags).hits;
      const given = { query: question, limit: 20, ...filter };
      const agents = [...textOf(ask('recall', given)).matchAll(/^ *\[([0-9a-f]{8})\]/gm)].map(([, id]) => id);
      const own = people.filter((hit) => !agents.includes(shortHitId(hit)));
      expect(new Set(own.map(({ turn }) => turn)).size, question).toBeLessThanOrEqual(1);
      // A hit may rank lower without an equal text in that turn.
      const shared = people.filter((hit) => !own.includes(hit)).map(shortHitId);
      expect(agents.toSorted(), question).toEqual(shared.toSorted());
      compared += agents.length;
    }
    expect(compared).toBeGreaterThan(3);
  });

  it('[mcp-tokens] has tool definitions of at most 1,000 tokens', () => {
    const answers = serve([...hello, { id: 1, method: 'tools/list', params: {} }]);
    const tools = answers.get(1)?.result?.tools ?? [];
    expect(tools).toHaveLength(8);
    const seen = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    }));
    expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(1_000);
    expect(
      countTokens(JSON.stringify(seen)) + countTokens(answers.get(0)?.result?.instructions ?? ''),
    ).toBeLessThanOrEqual(1_000);
  });

  it('[mcp-remember] stores an agent’s note as a candidate, which recall finds and `pin` approves', () => {
    const given = {
      topic: 'deploys',
      quote: '',
      reading: 'The ibis deploys on fridays because of backups.',
      kind: 'rule',
    };
    const answer = textOf(ask('remember', given));
    const id = /id ([0-9a-f]{8})/.exec(answer)?.[1] ?? '';
    expect(answer).toContain('it waits, and no session is told it');
    expect(answer).not.toContain('backstory');
    expect(textOf(ask('recall', { query: 'ibis' }))).toContain('note by an agent, unreviewed');
    expect(run(sandbox, 'prelude')).not.toContain('ibis');
    expect(sandbox.json('edit', '--pin', id)).toMatchObject({ trust: 2, state: 'active', pinned: true });
    expect(run(sandbox, 'prelude')).toContain('The ibis deploys on fridays');
    const opened = textOf(ask('get_notes', { ids: [id, 'short', 'ffffffff'] }));
    expect(opened).toContain('pinned');
    expect(opened).toContain('no memory has the id short; call recall to find ids');
    const again = ask('remember', given);
    expect(textOf(again)).toBe(`Already a note, id ${id}.`);
  });

  it('[mcp-errors] answers an invalid call with the common envelope and keeps running', () => {
    const answers = serve([
      ...hello,
      call(1, 'recall', { query: ['x'] }),
      call(2, 'recall', { query: 5 }),
      call(3, 'recall', { query: 'x', limit: -1 }),
      call(4, 'get_notes', { ids: [] }),
      call(5, 'get_notes', { ids: [''] }),
      call(6, 'remember', { topic: 'x', quote: '' }),
      call(7, 'remember', { topic: 'x', quote: 'x', kind: 'poem' }),
      call(8, 'recall', { query: 'retries', since: 'yesterdayish' }),
      call(9, 'recall', { query: 'retries' }),
    ]);
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const result = answers.get(id)?.result;
      expect(result?.isError, `call ${id}: ${JSON.stringify(answers.get(id))}`).toBe(true);
      expect(JSON.parse(textOf(result)), `call ${id}`).toEqual({
        version: '1',
        error: {
          code: expect.stringMatching(/^[A-Z_]+$/),
          message: expect.any(String),
          retryable: expect.any(Boolean),
          suggested_action: expect.any(String),
        },
      });
    }
    expect(textOf(answers.get(9)?.result)).toContain('Postgres');
  });

  it('[mcp-errors] reports that nothing is stored while capture is off, and still recalls', () => {
    run(sandbox, 'capture', 'off');
    const result = ask('remember', { topic: 'x', quote: 'Something to keep.' });
    expect(result?.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({
      error: { code: 'NOT_INSTALLED', suggested_action: 'backstory capture on' },
    });
    expect(textOf(ask('recall', { query: 'retries' }))).toContain('Postgres');
    run(sandbox, 'capture', 'on');
  });

  it('[mcp-stdio] exits when its stdin is closed, and finds nothing in another folder', () => {
    const before = existsSync(join(sandbox.home, 'elsewhere'));
    const elsewhere = join(sandbox.home, 'elsewhere');
    mkdirSync(elsewhere);
    expect(serve([], ['mcp']).size).toBe(0);
    const answers = serve([...hello, call(1, 'recall', { query: 'retries' })], ['mcp', '--repo', elsewhere]);
    expect(textOf(answers.get(1)?.result)).toContain('Nothing in this project');
    expect(before).toBe(false);
    expect(basename(elsewhere)).toBe('elsewhere');
  });
});
