import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { AppError } from '../../src/base/errors.ts';
import { sha256 } from '../../src/base/ids.ts';
import { createSandbox, git, type Sandbox, settle } from '../../test/support/sandbox.ts';
import { writeTranscript } from '../recall-real/import-sessions.ts';
import type { RealSession } from '../recall-real/read-sets.ts';
import type { Agent } from './agents.ts';
import { placeRegressionTest } from './grade.ts';
import type { Task } from './read-tasks.ts';

/** Whether the agent runs with Backstory. */
export type Arm = 'with' | 'without';
export const arms: Arm[] = ['with', 'without'];

export interface TaskHome {
  /** The home and the repository that the agent gets. */
  sandbox: Sandbox;
  /** A copy of the repository that the agent does not know of. */
  pristine: string;
  remove(): void;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Creates a new home with the repository of the task and the transcripts of the earlier chats. */
export function createTaskHome(task: Task, decoys: RealSession[], installed: string): TaskHome {
  const sandbox = createSandbox(installed);
  const folder = mkdtempSync(join(tmpdir(), 'backstory-pristine-'));
  const pristine = join(folder, 'repo');
  const remove = (): void => {
    sandbox.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    buildRepository(task, sandbox.repo);
    cpSync(sandbox.repo, pristine, { recursive: true, verbatimSymlinks: true });
    placeRegressionTest(task, sandbox.repo);
    writeFileSync(
      join(sandbox.home, '.gitconfig'),
      '[user]\n\tname = Developer\n\temail = dev@example.org\n',
    );
    writeChats(sandbox, [...decoys, ...task.chats]);
    return { sandbox, pristine, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Installs Backstory for the agent, as a user does, and imports the earlier chats. */
export function installBackstory(sandbox: Sandbox, agent: Agent): void {
  for (const args of [
    ['install', ...agent.install],
    ['import', 'claude-code'],
  ]) {
    const { status, stdout, stderr } = sandbox.cli(...args);
    if (status !== 0) throw new Error(`backstory ${args.join(' ')}: ${stdout}${stderr}`);
  }
  settle(sandbox);
}

const interpreters: Record<string, string> = { '.py': 'python3', '.js': 'node', '.ts': 'node', '.sh': 'sh' };

function buildRepository({ codebase, build }: Task, repo: string): void {
  if (build === undefined) {
    cpSync(join(codebase, 'repo'), repo, { recursive: true });
    git(repo, 'add', '--all');
    git(repo, 'commit', '-qm', 'first');
    return;
  }
  const interpreter = interpreters[extname(build)];
  const program = join(codebase, build);
  const [command, args] = interpreter === undefined ? [program, [repo]] : [interpreter, [program, repo]];
  // The program may need variables of its own, such as SDEBENCH_BOLTONS_HOST.
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0)
    throw new AppError('BACKEND_FAILURE', `${program} failed`, { hint: 'what it reports above' });
  if (!existsSync(join(repo, '.git'))) throw new Error(`${program} created no git repository in ${repo}`);
}

/** The chats have no dates of their own that matter, so the last one is moved to yesterday. */
function writeChats({ home, repo }: Sandbox, chats: RealSession[]): void {
  const last = Math.max(...chats.flatMap(({ messages }) => messages.map(({ at }) => at)));
  const later = Date.now() - dayMs - last;
  const folder = join(home, '.claude', 'projects', repo.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  for (const { id: name, messages } of chats) {
    // The names of the benchmark would tell the agent which chat decides.
    const id = uuidOf(name);
    const moved = messages.map((message) => ({
      ...message,
      id: uuidOf(message.id),
      at: message.at + later,
    }));
    writeTranscript(join(folder, `${id}.jsonl`), { id, messages: moved }, repo);
  }
}

const uuidOf = (name: string): string =>
  sha256(name).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
