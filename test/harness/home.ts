import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { HomePaths } from '../../src/base/paths.ts';
import { deviceOf } from '../../src/memory/projects/device.ts';
import type { OpenProject } from '../../src/memory/projects/open-project.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import type { RecallParts } from '../../src/recall/with-index.ts';
import { checkLog } from '../../src/store/events/check-log.ts';
import { createEventLog } from '../../src/store/events/event-log.ts';
import { createMarkdownNotes } from '../../src/store/notes/markdown-notes.ts';
import { createIndexAccess } from '../../src/store/sqlite/open-index.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';
import { onEnd } from './cleanup.ts';
import type { InstalledPackage } from './package.ts';
import { type ProgramOptions, type StartedProgram, sleep, startProgram } from './program.ts';

/** A user's home with a repository in it, where the installed package is at work. */
export interface Home extends Sandbox {
  backstory: string;
  /** An installed program, such as main.js. */
  program(name: string): string;
  /** Starts the installed hook without waiting for it. */
  startHook(input: object): StartedProgram;
  startDrain(): StartedProgram;
  /** Resolves when no drain that a hook left behind is at work any more; says how many there were. */
  drainsEnded(): Promise<number>;
}

export function createHome({ folder }: InstalledPackage): Home {
  const sandbox = createSandbox(folder);
  onEnd(sandbox.remove);
  const backstory = join(sandbox.home, '.backstory');
  const options: ProgramOptions = { cwd: sandbox.repo, env: sandbox.env };
  const program = (name: string): string => join(folder, 'dist', name);
  const projectId = (): string => basename(sandbox.projectFolder());
  markInstalled(backstory);
  return {
    ...sandbox,
    backstory,
    program,
    startHook: (input) => startProgram([program('hook.cjs')], { ...options, input: JSON.stringify(input) }),
    startDrain: () => startProgram([program('drain.js'), '--project', projectId()], options),
    async drainsEnded() {
      let seen = 0;
      for (let pids = drainsOf(projectId()); pids.length > 0; pids = drainsOf(projectId())) {
        seen = Math.max(seen, pids.length);
        await sleep(10);
      }
      return seen;
    },
  };
}

/** What `install` leaves in the home; without it a hook does nothing. */
export function markInstalled(backstory: string): void {
  mkdirSync(backstory, { recursive: true, mode: 0o700 });
  writeFileSync(join(backstory, 'installs.json'), '{}\n', { mode: 0o600 });
  deviceOf(join(backstory, 'device.json'));
}

let model: Promise<Embedder> | undefined;
/** Loaded once, as in a program of ours. */
const embedder = (): Promise<Embedder> => {
  model ??= Promise.resolve(loadStaticModel('assets/static-en.bin'));
  return model;
};

/** The project's truth and index, opened in this process as the product itself opens them. */
export function openProject(projectFolder: string, indexFolder = join(projectFolder, 'index')): RecallParts {
  const project = basename(projectFolder);
  const isOwn = indexFolder.startsWith(projectFolder);
  return {
    project,
    embedder,
    log: createEventLog(join(projectFolder, 'events'), systemClock),
    notes: createMarkdownNotes(join(projectFolder, 'notes'), () => {}),
    access: createIndexAccess(
      {
        folder: indexFolder,
        lock: join(isOwn ? projectFolder : indexFolder, 'writer.lock'),
        project,
        isLogDamaged: () => checkLog(join(projectFolder, 'events')).damage.length > 0,
      },
      systemClock,
    ),
  };
}

/** The same with all that a drain needs; nobody's transcripts are read unless their folders are given. */
export const openDrain = (
  paths: HomePaths,
  project: string,
  { transcriptRoots = [], ...own }: Pick<OpenProject, 'userHome' | 'clock'> & { transcriptRoots?: string[] },
): OpenProject => ({
  ...openProject(paths.project(project).folder),
  paths,
  device: deviceOf(paths.device),
  actor: 'tester',
  exclude: [],
  retentionDays: 0,
  transcriptRoots,
  ...own,
});

/** Hooks start drains detached, so they are found by their command line, which names our own project. */
function drainsOf(project: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const command = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, 'utf8') : '';
      return command.includes('drain.js') && command.includes(project) ? [Number(name)] : [];
    } catch {
      // It ended between the listing and the look.
      return [];
    }
  });
}
