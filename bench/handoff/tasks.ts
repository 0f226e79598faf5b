import { execFileSync } from 'node:child_process';
import { dirname, extname } from 'node:path';
import { casesOf } from '../context-pack/cases.ts';
import { readCommits } from '../context-pack/git-objects.ts';
import { gitDirOf, manifest } from '../context-pack/repositories.ts';

/** One change of a commit: lines with their marks, as `git diff` shows them. */
export interface Hunk {
  path: string;
  lines: string[];
}

/** A real commit that one agent has half done and another goes on with. */
export interface Task {
  gitDir: string;
  parent: string;
  goal: string;
  /** What the first agent reads: the files of the commit, and two beside them that it does not need. */
  read: string[];
  beside: string[];
  done: Hunk[];
  /** The change that the second agent makes first. */
  next: Hunk;
}

const repositories = /^(?:brianc|fastify|gin-gonic|graphile|honojs|pallets|sidekiq|yamadashy)\//;
/** The newest tasks of each repository were used to choose what a brief carries. */
const usedForTuning = 15;
const perRepository = 3;
const maxFileLines = 1_500;

const git = (gitDir: string, ...args: string[]): string =>
  execFileSync('git', ['--git-dir', gitDir, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });

export const oldText = ({ lines }: Hunk): string => side(lines, '-');
export const newText = ({ lines }: Hunk): string => side(lines, '+');
const side = (lines: string[], mark: string): string =>
  lines.flatMap((line) => (line[0] === ' ' || line[0] === mark ? [line.slice(1)] : [])).join('\n');

/** Up to 20 tasks, from all repositories in turn. */
export function handoffTasks(histories: string, count: number): Task[] {
  const all = manifest.filter(({ name }) => repositories.test(name)).map((one) => tasksOf(histories, one));
  const tasks: Task[] = [];
  for (let at = 0; tasks.length < count && all.some((own) => own.length > at); at++)
    tasks.push(...all.flatMap((own) => own[at] ?? []));
  return tasks.slice(0, count);
}

function tasksOf(histories: string, { name, head }: { name: string; head: string }): Task[] {
  const gitDir = gitDirOf(histories, name);
  if (gitDir === undefined) throw new Error(`no history of ${name} under ${histories}`);
  const tasks: Task[] = [];
  for (const { parent, commit, gold, goal } of casesOf(readCommits(gitDir, head, 3_000))) {
    if (tasks.length === usedForTuning + perRepository) break;
    const hunks = hunksOf(git(gitDir, 'diff', '-U3', '--no-renames', parent, commit.hash, '--', ...gold));
    if (hunks.length < 2 || hunks.length > 12) continue;
    const [next] = hunks.splice(Math.floor(hunks.length / 2));
    const tree = git(gitDir, 'ls-tree', '-r', '--name-only', parent).split('\n');
    const isBeside = (path: string): boolean =>
      dirname(path) === dirname(gold[0] ?? '') && extname(path) === extname(gold[0] ?? '');
    const beside = tree.filter((path) => isBeside(path) && !gold.includes(path)).slice(0, 2);
    const texts = new Map(
      [...gold, ...beside].map((path) => [path, git(gitDir, 'show', `${parent}:${path}`)]),
    );
    const isUsable =
      next !== undefined &&
      beside.length === 2 &&
      [...texts.values()].every((text) => text.split('\n').length <= maxFileLines) &&
      // The edit tools need a text that occurs once.
      [...hunks, next].every((hunk) => texts.get(hunk.path)?.split(oldText(hunk)).length === 2);
    if (isUsable) tasks.push({ gitDir, parent, goal, read: gold, beside, done: hunks, next });
  }
  return tasks.slice(usedForTuning);
}

function hunksOf(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  let path = '';
  for (const line of patch.split('\n')) {
    if (line.startsWith('diff --git ')) path = '';
    if (path === '' && line.startsWith('+++ b/')) path = line.slice(6);
    else if (line.startsWith('@@ ')) hunks.push({ path, lines: [] });
    else if (path !== '' && /^[ +-]/.test(line)) hunks.at(-1)?.lines.push(line);
  }
  return hunks;
}
