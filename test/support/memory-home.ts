import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentFolders } from '../../src/agents/settings.ts';
import { transcriptRoots } from '../../src/agents/transcripts.ts';
import { writeJson } from '../../src/base/files.ts';
import { type HomePaths, homePaths } from '../../src/base/paths.ts';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { compareFiles, type EndedCommand } from '../../src/memory/capture/compare-files.ts';
import { drain } from '../../src/memory/drain.ts';
import { writeEverywhere } from '../../src/memory/prelude/everywhere-lines.ts';
import { deviceOf } from '../../src/memory/projects/device.ts';
import type { OpenProject } from '../../src/memory/projects/open-project.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';
import { teamNoteFiles } from '../../src/memory/team-cache.ts';
import { checkLog } from '../../src/store/events/check-log.ts';
import { createEventLog } from '../../src/store/events/event-log.ts';
import { createProjectNotes } from '../../src/store/notes/project-notes.ts';
import { createIndexAccess } from '../../src/store/sqlite/open-index.ts';
import { createHook } from './in-process-hook.ts';

/**
 * A temporary home with the real parts of the product, wired in this process as the programs wire them. No drain
 * (background indexing) runs unless a test runs one.
 */
export interface MemoryHome {
  home: string;
  /** The agent's working folder: an empty one, unless the test gives another. */
  work: string;
  paths: HomePaths;
  /** A clock that advances by a second with every read, so that no two events have the same time. */
  clock: { now(): number; set(ms: number): void };
  /** Runs the hook with this input and returns its output. */
  hook(input: object | string): string;
  /** Reports a prompt of a session as Claude Code does. */
  prompt(text: string, more?: object): string;
  answer(text: string, more?: object): string;
  /** By default, the project of the working folder. */
  open(project?: string): OpenProject;
  events(): EventEnvelope[];
  drain(): Promise<unknown>;
  /** Compares the files, as the process does that a hook starts after a command. */
  compareFiles(): Promise<unknown>;
  remove(): void;
}

export function createMemoryHome(given?: MemoryHome['clock']): MemoryHome {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'backstory-memory-')));
  const work = join(home, 'work');
  mkdirSync(work);
  const paths = homePaths(join(home, '.backstory'));
  writeJson(paths.installs, { v: 1, installs: [] });
  let now = Date.parse('2026-11-14T12:00:00Z');
  const clock = given ?? {
    now: () => {
      now += 1_000;
      return now;
    },
    set: (ms: number) => {
      now = ms;
    },
  };
  let ended: EndedCommand[] = [];
  const hook = createHook({
    paths,
    clock,
    userHome: home,
    compareFiles: (_, commands) => {
      if (commands !== 'later') ended.push(...commands);
    },
  });
  const call = (hook_event_name: string, more: object) =>
    hook({ hook_event_name, session_id: 'session-1', prompt_id: 'turn-1', cwd: memory.work, ...more });
  const open = (project?: string): OpenProject => {
    if (project !== undefined) return openById(project);
    const { place, remember } = resolvePlace(paths, memory.work, clock);
    remember();
    return openById(place.project);
  };
  const openById = (project: string): OpenProject => {
    const own = paths.project(project);
    return {
      project,
      paths,
      log: createEventLog(own.events, clock),
      notes: createProjectNotes(own.notes, paths.everywhere, {
        onUnreadable: () => {},
        onEverywhereChange: (notes) => writeEverywhere(paths, notes),
        team: teamNoteFiles(own.teamMemories),
        clock,
      }),
      access: createIndexAccess(
        {
          folder: own.index,
          lock: own.writerLock,
          project,
          isLogDamaged: () => checkLog(own.events).damage.length > 0,
        },
        clock,
      ),
      device: deviceOf(paths.device),
      actor: 'tester',
      exclude: [],
      retentionDays: 0,
      userHome: home,
      transcriptRoots: transcriptRoots(agentFolders({}, home)),
      clock,
    };
  };
  const memory: MemoryHome = {
    home,
    work,
    paths,
    clock,
    hook,
    prompt: (prompt, more = {}) => call('UserPromptSubmit', { prompt, ...more }),
    answer: (last_assistant_message, more = {}) => call('Stop', { last_assistant_message, ...more }),
    open,
    events: () =>
      [...open().log.read({})].flatMap(({ entry }) => (entry.kind === 'event' ? [entry.event] : [])),
    drain: () => drain(open()),
    compareFiles: () => {
      const { place } = resolvePlace(paths, memory.work, clock);
      const commands = ended;
      ended = [];
      return compareFiles({ ...place, exclude: ['*.pem'] }, commands, { paths, userHome: home, clock });
    },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
  return memory;
}
