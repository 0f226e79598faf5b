import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { readJson } from '../../src/base/files.ts';
import { homePaths } from '../../src/base/paths.ts';
import type { Note } from '../../src/domain/note.ts';
import { drain } from '../../src/memory/drain.ts';
import type { OpenProject } from '../../src/memory/projects/open-project.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';
import { markInstalled, openDrain } from '../../test/harness/home.ts';
import { createHook } from '../../test/support/in-process-hook.ts';
import type { ScriptedSession } from './script.ts';
import { createTranscript, sessionIdOf, turnsOf } from './transcript.ts';

/**
 * A temporary home in which the sessions of one project run one after another. The real hooks capture each, and real
 * drains index it.
 */
export interface PlayedProject {
  parts: OpenProject;
  /** The agent's working folder. */
  root: string;
  /** Returns the hook's output for a session that starts now, for the given cause, such as `startup` or `resume`. */
  sessionStart(source: string): string;
  /** Returns what sessions were told that started after each played one, and what one that starts now is told. */
  prelude(): string;
  /**
   * Plays a session. Runs a drain (background indexing) after every turn, as hooks do, or only when the session ends.
   */
  play(session: ScriptedSession, options?: { drainsEachTurn: boolean }): Promise<void>;
  dayStart(day: number): number;
  sessionId(name: string): string;
  notes(): Promise<Note[]>;
}

const dayMs = 24 * 60 * 60 * 1000;
const firstDay = Date.UTC(2026, 5, 1, 9);
const turnMs = 6 * 60_000;

export function createPlayedProject(folder: string, name: string): PlayedProject {
  const home = join(folder, 'home');
  const root = join(home, name);
  mkdirSync(root, { recursive: true });
  const paths = homePaths(join(home, '.backstory'));
  markInstalled(paths.home);
  let now = firstDay;
  const clock = { now: () => now };
  const { place, remember } = resolvePlace(paths, root, systemClock);
  remember();
  const parts = openDrain(paths, place.project, {
    userHome: home,
    clock,
    transcriptRoots: [join(home, '.claude', 'projects')],
  });
  const hook = createHook({ paths, clock, userHome: home });
  const told: string[] = [];
  /** With the recaps of all branches in both forms. */
  const stored = (): string => JSON.stringify(readJson(paths.project(place.project).prelude) ?? '');
  return {
    parts,
    root,
    sessionStart: (source) =>
      hook({ hook_event_name: 'SessionStart', session_id: `start-${source}`, cwd: root, source }),
    prelude: () => [...told, stored()].join('\n'),
    dayStart: (day) => firstDay + day * dayMs,
    sessionId: sessionIdOf,
    async play(session, { drainsEachTurn } = { drainsEachTurn: true }) {
      now = firstDay + session.day * dayMs;
      const transcriptPath = join(home, '.claude', 'projects', name, `${session.name}.jsonl`);
      const transcript = createTranscript(transcriptPath, { name: session.name, cwd: root });
      const call = { session_id: transcript.session, transcript_path: transcriptPath, cwd: root };
      hook({ ...call, hook_event_name: 'SessionStart', source: 'startup' });
      for (const [at, acts] of turnsOf(session).entries()) {
        const prompt_id = `${session.name}-turn-${at}`;
        const asked = acts.find((act) => act.kind === 'prompt');
        // A prompt that no hook reported is not the user's.
        if (asked?.kind === 'prompt')
          hook({ ...call, hook_event_name: 'UserPromptSubmit', prompt_id, prompt: asked.text });
        transcript.append(acts, at, now);
        now += turnMs;
        const answer = acts.findLast((act) => act.kind === 'answer');
        const last_assistant_message = answer?.kind === 'answer' ? answer.text : '';
        hook({ ...call, hook_event_name: 'Stop', prompt_id, last_assistant_message });
        if (drainsEachTurn) await drain(parts);
      }
      hook({ ...call, hook_event_name: 'SessionEnd', reason: 'exit' });
      await drain(parts);
      told.push(stored());
    },
    notes: () => parts.notes.list(),
  };
}
