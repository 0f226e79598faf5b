import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { agentFolders } from '../../src/agents/settings.ts';
import { systemClock } from '../../src/base/clock.ts';
import { type HomePaths, homePaths } from '../../src/base/paths.ts';
import { recordPast } from '../../src/memory/capture/past-transcripts.ts';
import { deviceOf } from '../../src/memory/projects/device.ts';
import type { OpenProject } from '../../src/memory/projects/open-project.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import type { RecallParts } from '../../src/recall/with-index.ts';
import { checkLog } from '../../src/store/events/check-log.ts';
import { createEventLog } from '../../src/store/events/event-log.ts';
import { createProjectNotes } from '../../src/store/notes/project-notes.ts';
import { createIndexAccess } from '../../src/store/sqlite/open-index.ts';
import { drainsOf } from '../support/drains.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';
import { onEnd } from './cleanup.ts';
import type { InstalledPackage } from './package.ts';
import { type ProgramOptions, type StartedProgram, sleep, startProgram } from './program.ts';

/** A user's home with a git repository and the installed package. */
export interface Home extends Sandbox {
  backstory: string;
  /** Path of an installed program, such as main.js. */
  program(name: string): string;
  /** Starts the installed hook without waiting for it. */
  startHook(input: object): StartedProgram;
  startDrain(): StartedProgram;
  /** Resolves when all drains (background indexing) that hooks started have ended. Returns their number. */
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

/** Writes the record that `install` leaves in the home. Without it a hook does nothing. */
export function markInstalled(backstory: string): void {
  mkdirSync(backstory, { recursive: true, mode: 0o700 });
  writeFileSync(join(backstory, 'installs.json'), '{}\n', { mode: 0o600 });
  deviceOf(join(backstory, 'device.json'));
}

/** Makes the transcripts that are there now the user's past, as the first `install` does. */
export function markPast(backstory: string, userHome: string): void {
  const path = homePaths(backstory).pastTranscripts;
  rmSync(path, { force: true });
  // Later than every prompt, because evaluations have clocks of their own.
  const now = Date.parse('2100-01-01T00:00:00Z');
  recordPast(path, agentFolders({}, userHome), { now, userHome, isByAgent: false });
}

let model: Promise<Embedder> | undefined;
/** Loaded once per process, as in the product. */
const embedder = (): Promise<Embedder> => {
  model ??= Promise.resolve(loadStaticModel('assets/static-en.bin'));
  return model;
};

/** Opens the log and the index of a project in this process, as the product does. */
export function openProject(projectFolder: string, indexFolder = join(projectFolder, 'index')): RecallParts {
  const project = basename(projectFolder);
  const isOwn = indexFolder.startsWith(projectFolder);
  return {
    project,
    embedder,
    log: createEventLog(join(projectFolder, 'events'), systemClock),
    notes: createProjectNotes(
      join(projectFolder, 'notes'),
      homePaths(join(projectFolder, '..', '..')).everywhere,
      {
        onUnreadable: () => {},
        onEverywhereChange: () => {},
      },
    ),
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

/**
 * Opens a project with everything a drain (background indexing) needs. It reads only transcripts in the given folders.
 */
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
