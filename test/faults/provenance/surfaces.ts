import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onEnd } from '../../harness/cleanup.ts';
import type { Home } from '../../harness/home.ts';
import { drainsOf } from '../../support/drains.ts';
import { hookCalls } from '../../support/hook-calls.ts';
import { isForPerson, startAsPerson } from '../../support/person.ts';
import { hangMs, until } from '../../support/until.ts';

/** The folder and the file that calls are about. */
export interface Workplace {
  home: Home;
  cwd: string;
  /** Relative to the top of the working tree. */
  file: string;
  session: string;
}

/** One call of the product and its complete output. */
export interface Called {
  call: string;
  said: string;
}

/** Commands that use git most; the short form runs only these. */
const gitCommands = [
  'status',
  'why a.ts:2',
  'pack change charge',
  'handoff --brief',
  'handoff',
  'import git',
  'search charge',
  'recall charge',
];

/** All other commands that read a checkout. Those that turn capture off come last. */
const otherCommands = [
  'doctor',
  'capture projects',
  'prelude',
  'prelude --why',
  'show charge --around',
  'show --all',
  'search --files a.ts',
  'search --outline a.ts',
  'search --definition charge',
  'search --references charge',
  'handoff resume',
  'knowledge',
  'knowledge build --dry-run',
  'knowledge build',
  'knowledge sync --fresh',
  'import claude-memory',
  'import sessions',
  'doctor --reindex',
  'remember Charge is tested by hand. --files a.ts:1-2',
  'recall --file a.ts',
  'status --tokens',
  'doctor --logs',
  'config',
  'models',
  'review --json',
  'share nothing',
  'share --remove nothing',
  'share --trust --yes',
  'learn --retry',
  'edit nothing',
  'edit nothing --pin',
  'edit nothing --reopen',
  'team status',
  'export out.gz',
  'import out.gz',
  'capture on',
  'install codex --project',
  'uninstall codex --project',
  'exclude *.secret',
  'forget --containing never-said --yes',
  'project split',
  'pause 1m',
  'off',
];

export const commandsOf = (isShort: boolean): string[] =>
  isShort ? gitCommands : [...gitCommands, ...otherCommands];

export async function callCommands({ home, cwd }: Workplace, isShort: boolean): Promise<Called[]> {
  const called: Called[] = [];
  for (const command of commandsOf(isShort)) {
    const words = command.split(' ');
    const args = [home.program('main.js'), ...words];
    const output = isForPerson(words)
      ? (await startAsPerson(args, { cwd, env: home.env })).output.join('')
      : await run(args, { cwd, env: home.env, input: '' });
    called.push({ call: command, said: output });
  }
  return called;
}

/** The eight events of Claude Code, with the tools that make a hook read files. */
export async function callHooks({ home, cwd, session }: Workplace): Promise<Called[]> {
  const common = { session_id: session, prompt_id: `${session}-tools`, cwd, transcript_path: '' };
  const path = join(cwd, 'a.ts');
  const tools: [string, object, object][] = [
    [
      'Read',
      { file_path: path },
      { file: { filePath: path, content: readFileSync(path, 'utf8'), startLine: 1 } },
    ],
    ['Edit', { file_path: path, old_string: '3', new_string: '4' }, { filePath: path, structuredPatch: [] }],
    ['Bash', { command: 'cd docs && ls && git commit -qam x' }, { stdout: '[main abc] x', stderr: '' }],
  ];
  const inputs = [
    ...hookCalls(cwd, { session, turn: `${session}-turn` }).slice(0, 3),
    ...tools.map(([tool_name, tool_input, tool_response], at) => ({
      ...common,
      ...{
        hook_event_name: 'PostToolUse',
        tool_use_id: `${session}-${at}`,
        tool_name,
        tool_input,
        tool_response,
      },
    })),
    ...hookCalls(cwd, { session, turn: `${session}-turn` }).slice(3),
    { ...common, hook_event_name: 'SessionStart', source: 'handoff resume' },
  ];
  const called: Called[] = [];
  for (const input of inputs) {
    const output = await run([home.program('hook.cjs')], {
      cwd,
      env: home.env,
      input: JSON.stringify(input),
    });
    called.push({ call: `hook ${(input as { hook_event_name: string }).hook_event_name}`, said: output });
  }
  await drain(home);
  return called;
}

/**
 * Runs the drain (background indexing), which hooks start in the background, in the foreground. Waits until no other is
 * running.
 */
export async function drain(home: Home): Promise<void> {
  const projects = readdirSync(join(home.backstory, 'projects'));
  for (const id of projects)
    await run([home.program('drain.js'), '--project', id], { cwd: home.home, env: home.env, input: '' });
  await until(() => projects.every((id) => drainsOf(id).length === 0), 'a drain does not end');
}

interface Tool {
  name: string;
  inputSchema: { required?: string[] };
}

/** Calls every tool that the installed server lists, in one server, as an agent does. */
export async function callTools({ home, cwd, file }: Workplace): Promise<Called[]> {
  const child = spawn(process.execPath, [home.program('mcp.js'), '--tools', 'all'], {
    cwd,
    env: home.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onEnd(() => child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let id = 0;
  const ask = async (method: string, params: object): Promise<string> => {
    send({ id: ++id, method, params });
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the server ended at ${method}`);
      if ((JSON.parse(value as string) as { id?: number }).id === id) return value as string;
    }
  };
  const clientInfo = { name: 'provenance', version: '1' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  const listed = JSON.parse(await ask('tools/list', {})) as { result: { tools: Tool[] } };
  const called: Called[] = [];
  let snapshot = '';
  for (const { name, inputSchema } of listed.result.tools) {
    const given = Object.fromEntries(
      (inputSchema.required ?? []).map((key) => [key, valueFor(key, file, snapshot)]),
    );
    const output = await ask('tools/call', { name, arguments: { ...given, ...extraFor(name, file) } });
    snapshot = /"snapshot_id\\?": ?\\?"([^"\\]+)/.exec(output)?.[1] ?? snapshot;
    called.push({ call: `tool ${name}`, said: output });
  }
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end();
  await ended;
  return called;
}

function valueFor(key: string, file: string, snapshot: string): unknown {
  if (key === 'target') return `${file}:2`;
  if (key === 'path' || key === 'path_query') return file;
  if (key === 'files') return [file];
  if (key === 'ids') return ['00000000'];
  if (key.startsWith('snapshot')) return snapshot;
  return 'charge';
}

const extraFor = (tool: string, file: string): object => {
  if (tool === 'recall') return { query: 'charge' };
  return tool === 'session_handoff' || tool === 'session_snapshot' ? { pinned_snippet_paths: [file] } : {};
};

/** The complete output of a program, which is ended if it hangs. */
function run(
  args: string[],
  { cwd, env, input }: { cwd: string; env: Record<string, string>; input: string },
) {
  return new Promise<string>((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, timeout: hangMs });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}
