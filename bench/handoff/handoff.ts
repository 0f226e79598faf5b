import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import { onEnd } from '../../test/harness/cleanup.ts';
import { atMost, type Evaluation, exactly, round } from '../../test/harness/evaluation.ts';
import { installPackage } from '../../test/harness/package.ts';
import { text, tool } from '../../test/support/fake-model.ts';
import {
  type Agent,
  claudeCode,
  claudeEdit,
  codexAgent,
  type HandedOver,
  installBoth,
  runAgent,
} from '../../test/support/handoff-work.ts';
import { serveTools } from '../../test/support/mcp-session.ts';
import { createSandbox, git, type Sandbox, settle } from '../../test/support/sandbox.ts';
import { readBlobs } from '../context-pack/git-objects.ts';
import { type Hunk, handoffTasks, newText, oldText, type Task } from './tasks.ts';

/**
 * Real agents, offline. One reads the files of a commit and two others, and makes half of its changes; a file changes;
 * the other makes the next change. Its model is a script with a policy. It must see the lines of the change before it
 * makes it: in the brief, else by a read of the range that an outline names, else by reading the file from its start,
 * as Claude Code does (whole) and Codex (250 lines at a time). Claude Code edits no file of which it has read nothing.
 * All that it is given counts: the brief, what it carries, and the results of its reads.
 */
export const handoff: Evaluation = {
  name: 'handoff',
  summary:
    'Real Claude Code and Codex hand over 20 half-done commits: tokens before the next edit. Needs --histories DIR.',
  async run({ histories, isShort, allowSkip }) {
    if (histories === undefined && allowSkip)
      return { n: 0, figures: { skipped: 'no --histories' }, bars: {} };
    if (histories === undefined) throw new Error('give --histories DIR');
    const { folder } = installPackage();
    const sandbox = createSandbox(folder);
    onEnd(sandbox.remove);
    installBoth(sandbox);
    const results: Awaited<ReturnType<typeof handOverTask>>[] = [];
    for (const [at, task] of handoffTasks(histories, isShort ? 2 : 20).entries()) {
      const agents = at % 2 === 0 ? ([claudeCode, codexAgent] as const) : ([codexAgent, claudeCode] as const);
      results.push(await handOverTask(sandbox, folder, task, at, ...agents));
      console.log(JSON.stringify({ goal: task.goal.slice(0, 50), ...results.at(-1) }));
    }
    const sum = (field: 'alone' | 'carried', to?: string): number =>
      results.reduce((total, one) => total + (to === undefined || one.to === to ? one[field] : 0), 0);
    const ratio = (to?: string): number => round(sum('carried', to) / sum('alone', to));
    const ratios = results.map(({ alone, carried }) => carried / alone).sort((a, b) => a - b);
    const count = (isOf: (one: (typeof results)[number]) => boolean): number => results.filter(isOf).length;
    return {
      n: results.length,
      figures: {
        'tokens, brief alone': sum('alone'),
        'tokens, brief with code': sum('carried'),
        'ratio, Claude Code to Codex': ratio('codex'),
        'ratio, Codex to Claude Code': ratio('claude'),
        'ratio, median task': round(ratios[ratios.length >> 1] ?? 0),
        'next lines in the brief': count(({ how }) => how === 'lines'),
        'range known from an outline': count(({ how }) => how === 'range'),
      },
      bars: {
        ratio: atMost(ratio(), 0.6),
        'changed file named': exactly(
          count(({ isNamed }) => isNamed),
          results.length,
        ),
        'edit made': exactly(
          count(({ isMade }) => isMade),
          results.length,
        ),
      },
    };
  },
};

async function handOverTask(
  sandbox: Sandbox,
  folder: string,
  task: Task,
  number: number,
  from: Agent,
  to: Agent,
) {
  const { repo, home } = sandbox;
  // Everything is forgotten but the installation.
  for (const path of [repo, join(home, '.backstory/projects'), join(home, '.backstory/paths')])
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  mkdirSync(repo);
  git(repo, 'init', '-q', '-b', 'main', '.');
  await unpack(task, repo);
  git(repo, 'add', '-A');
  git(repo, 'commit', '-qm', 'first');
  const files = [...task.read, ...task.beside];
  const work = [
    ...files.flatMap((path) => readsOf(from, repo, path)),
    ...task.done.map((hunk) => editOf(from, repo, hunk)),
    text('Not all of it is done.'),
  ];
  await runAgent(sandbox, from, { steps: work }, task.goal);
  settle(sandbox);
  const { snapshotId } = sandbox.json<HandedOver>('handoff', to.name);
  const changed = changeMeanwhile(repo, task, number);
  const server = await serveTools(sandbox, folder);
  const resumed = String((await server.call('session_resume', { snapshot_id: snapshotId })).payload_markdown);
  await server.close();
  const { brief } = sandbox.json<HandedOver>('handoff', 'resume', snapshotId);
  const { path } = task.next;
  const file = join(repo, path);
  const before = readFileSync(file, 'utf8');
  const needed = placeOf(before, task.next);
  const isMade = (): boolean => {
    const after = readFileSync(file, 'utf8');
    writeFileSync(file, before);
    return after === before.replace(oldText(task.next), () => newText(task.next));
  };
  const finish = [editOf(to, repo, task.next), text('Done.')];
  const whole = readsOf(to, repo, path, needed.to);
  const alone = await runAgent(
    sandbox,
    to,
    { steps: [...whole, ...finish] },
    `Go on with this work.\n${brief}`,
  );
  const isMadeAlone = isMade();
  const { how, range } = howToRead(resumed, path, needed);
  // Claude Code must have read some of the file.
  const isNothing = how === 'lines' && to.name === 'codex';
  const reads = how === 'whole' ? whole : isNothing ? [] : [rangeRead(to, repo, path, range)];
  const given = [...to.resume(snapshotId).steps.slice(0, 1), ...reads];
  // On a busy machine Codex may ask its model before its MCP server is ready.
  const wait = to.name === 'codex' ? [tool('exec_command', { cmd: 'sleep 5' })] : [];
  let carried: string[] = [];
  for (let tries = 0; tries < 3 && !carried.some((one) => one.includes('hydration_report')); tries++) {
    writeFileSync(file, before);
    const steps = [...wait, ...given, ...finish];
    carried = await runAgent(sandbox, to, { steps }, 'Go on with the work.');
  }
  const result = {
    to: to.name,
    how,
    alone: countTokens(brief) + tokensRead(alone, 0, whole.length),
    carried: tokensRead(carried, wait.length, given.length),
    isNamed: resumed.includes(`- ${changed}: STALE`) && brief.includes(`- ${changed}: STALE`),
    isMade: isMadeAlone && isMade() && carried.some((one) => one.includes('hydration_report')),
  };
  return result;
}

/** Writes the sources and the texts of a repository. Large files of a history may be missing. */
async function unpack({ gitDir, parent, read, beside }: Task, repo: string): Promise<void> {
  const tree = git(gitDir, 'ls-tree', '-r', '-z', parent).split('\0');
  const paths = new Map(tree.map((line) => [line.split(/\s/)[2] ?? '', line.slice(line.indexOf('\t') + 1)]));
  const kinds = new Set(['.md', ...[...read, ...beside].map((path) => extname(path))]);
  const wanted = [...paths].filter(([, path]) => kinds.has(extname(path)));
  await readBlobs(
    gitDir,
    wanted.map(([blob]) => blob),
    (blob, bytes) => {
      const file = join(repo, paths.get(blob) ?? '');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    },
  );
}

/** Changes, commits or deletes a file that was read or one that was not. Returns its path. */
function changeMeanwhile(repo: string, { beside }: Task, number: number): string {
  const path = number % 4 === 1 ? unreadFile(repo, beside) : (beside[number % 2] as string);
  if (number % 4 === 2) rmSync(join(repo, path));
  else writeFileSync(join(repo, path), `${readFileSync(join(repo, path), 'utf8')}\n\n`);
  if (number % 4 === 3) git(repo, 'commit', '-qm', 'Meanwhile', path);
  return path;
}

const unreadFile = (repo: string, read: string[]): string =>
  git(repo, 'ls-files')
    .split('\n')
    .find((path) => /^[\w./-]+\.md$/.test(path) && !read.includes(path)) ?? '';

interface Range {
  from: number;
  to: number;
}

/** The lines that a change replaces, with three around them. */
function placeOf(content: string, hunk: Hunk): Range {
  const from = content.slice(0, content.indexOf(oldText(hunk))).split('\n').length;
  return { from, to: from + oldText(hunk).split('\n').length - 1 };
}

/** How the second agent gets to see the lines that it needs, with what the brief carries. */
function howToRead(
  brief: string,
  path: string,
  needed: Range,
): { how: 'lines' | 'range' | 'whole'; range: Range } {
  const known = new Set<number>();
  const outlined: Range[] = [];
  for (const part of brief.split('\n- ').filter((each) => each.startsWith(path))) {
    const [, from, to] = /^:(\d+)-(\d+) of /.exec(part.slice(path.length)) ?? [];
    for (let line = Number(from); line <= Number(to); line++) known.add(line);
    if (part.startsWith(', outline of', path.length))
      for (const [, start, end] of part.matchAll(/^\|(\d+)-(\d+) /gm))
        if (Number(start) <= needed.to && Number(end) >= needed.from)
          outlined.push({ from: Number(start), to: Number(end) });
  }
  const lines = Array.from({ length: needed.to - needed.from + 1 }, (_, at) => needed.from + at);
  if (lines.every((line) => known.has(line))) return { how: 'lines', range: needed };
  const range = { from: outlined[0]?.from ?? 1, to: outlined.at(-1)?.to ?? 0 };
  return range.from <= needed.from && range.to >= needed.to
    ? { how: 'range', range }
    : { how: 'whole', range };
}

const rangeRead = ({ name }: Agent, repo: string, path: string, { from, to }: Range) =>
  name === 'codex'
    ? tool('exec_command', { cmd: `sed -n '${from},${to}p' ${path}` })
    : [
        {
          type: 'tool_use',
          name: 'Read',
          input: { file_path: join(repo, path), offset: from, limit: to - from + 1 },
        },
      ];

/** Reads a file from its start, as the agents do, up to a line. */
function readsOf(agent: Agent, repo: string, path: string, until = Number.POSITIVE_INFINITY) {
  if (agent.name === 'claude')
    return [[{ type: 'tool_use', name: 'Read', input: { file_path: join(repo, path) } }]];
  const last = Math.min(until, readFileSync(join(repo, path), 'utf8').split('\n').length);
  return Array.from({ length: Math.ceil(last / linesAtOnce) }, (_, at) =>
    rangeRead(agent, repo, path, { from: at * linesAtOnce + 1, to: (at + 1) * linesAtOnce }),
  );
}
const linesAtOnce = 250;

function editOf({ name }: Agent, repo: string, hunk: Hunk) {
  if (name === 'claude') return claudeEdit(join(repo, hunk.path), oldText(hunk), newText(hunk));
  const input = [
    '*** Begin Patch',
    `*** Update File: ${hunk.path}`,
    '@@',
    ...hunk.lines,
    '*** End Patch',
    '',
  ].join('\n');
  return [{ type: 'custom', name: 'apply_patch', input }];
}

/** Tokens of some of the tools' results that the model received. */
function tokensRead(requests: string[], from: number, count: number): number {
  const all = requests.map((request) => resultsIn(JSON.parse(request)));
  const last = all.reduce((most, results) => (results.length > most.length ? results : most), []);
  return last.slice(from, from + count).reduce((sum, result) => sum + countTokens(result), 0);
}

function resultsIn({
  messages = [],
  input = [],
}: {
  messages?: { content: unknown }[];
  input?: unknown[];
}): string[] {
  const items = [...messages.flatMap(({ content }) => content), ...input] as Record<string, unknown>[];
  return items
    .filter(({ type }) => /^(?:tool_result|function_call_output|custom_tool_call_output)$/.test(String(type)))
    .map(({ content, output }) => textIn(content ?? output));
}

const textIn = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map((part: { text?: unknown }) => textIn(part.text ?? '')).join('\n')
      : '';
