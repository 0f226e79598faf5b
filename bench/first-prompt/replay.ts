import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { readClaudeHook } from '../../src/agents/claude-code/hook.ts';
import { agentFolders } from '../../src/agents/settings.ts';
import { findTranscripts } from '../../src/agents/transcripts.ts';
import { systemClock } from '../../src/base/clock.ts';
import { configDefaults } from '../../src/base/config.ts';
import { homePaths } from '../../src/base/paths.ts';
import { createRecall } from '../../src/cmd/hook-recall.ts';
import { promptContext } from '../../src/hooks/prompt.ts';
import { importTranscripts } from '../../src/memory/capture/import-transcripts.ts';
import { drain } from '../../src/memory/drain.ts';
import { readPrelude } from '../../src/memory/prelude/prelude-file.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';
import { estimateTokens } from '../../src/text/tokens.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { markInstalled, markPast, openDrain } from '../../test/harness/home.ts';
import { readWithFiles } from '../holds/read-with-files.ts';
import { writeTranscript } from '../recall-wordings/import-sessions.ts';
import type { RealSession } from '../recall-wordings/read-sets.ts';

/** A project whose memory grows session by session, as it did for its author. */
export interface ReplayedProject {
  /** Imports everything before this moment, and extracts notes as the product does. */
  importUntil(at: number): Promise<void>;
  /** Returns what the hook tells about the first prompt of a session. Nothing is recorded. */
  ask(session: string, prompt: string): Promise<{ tokens: number; lines: string[] }>;
  /** The lines that a new session is told at its start, as far as they tell something that was said. */
  prelude(): string[];
}

export interface ReplayOptions {
  /**
   * Folder with the answers of a model about the sessions, see `file-writer.ts`. If it is given, a session is imported
   * when it has ended and read by the model then; otherwise as far as it had gone.
   */
  requests?: string;
}

export function replayProject(
  name: string,
  given: RealSession[],
  { requests }: ReplayOptions = {},
): ReplayedProject {
  const home = temporaryFolder('replay');
  const root = join(home, 'repo');
  const claude = join(home, '.claude');
  // A remote gives the project the same id in each run.
  execFileSync('git', ['init', '-q', root]);
  execFileSync('git', ['-C', root, 'remote', 'add', 'origin', `https://example.com/${name}.git`]);
  const sessions = inCheckout(given);
  const paths = homePaths(join(home, '.backstory'));
  markInstalled(paths.home);
  const { place, remember } = resolvePlace(paths, root, systemClock);
  remember();
  let now = 0;
  const clock = { now: () => now };
  const transcriptRoots = [join(claude, 'projects')];
  const parts = openDrain(paths, place.project, { userHome: home, clock, transcriptRoots });
  const config = { ...configDefaults, tell: ['prelude', 'prompt', 'rules'] as const };
  return {
    async importUntil(at) {
      for (const [number, { id, messages }] of sessions.entries()) {
        const before = messages.filter((message) => message.at < at);
        if (requests !== undefined && before.length < messages.length) continue;
        if (before.length === 0 || before.every((message) => message.at < now)) continue;
        for (const { act } of before)
          if (act.kind === 'edit' && !isAbsolute(act.path)) touch(join(root, act.path));
        const path = join(claude, 'projects', 'repo', `${String(number).padStart(4, '0')}.jsonl`);
        writeTranscript(path, { id, messages: before }, root);
      }
      now = at;
      markPast(paths.home, home);
      const progress = { onRead() {}, onIndex() {} };
      await importTranscripts(parts, findTranscripts(agentFolders({}, home), ['claude-code']), progress);
      const { isComplete } = await drain(parts);
      if (!isComplete) throw new Error(`${name} was not indexed completely`);
      if (requests !== undefined) await readWithFiles(parts, { folder: requests, mode: 'replay' });
    },
    prelude: () =>
      withoutIds(
        readPrelude(paths, place.project)?.lines.flatMap(({ note, text }) =>
          note === undefined ? [] : [text],
        ) ?? [],
      ),
    async ask(session, prompt) {
      const call = {
        hook_event_name: 'UserPromptSubmit',
        session_id: session,
        prompt_id: '',
        cwd: root,
        prompt,
      };
      const environment = {
        aiAgent: '',
        clientPid: 1,
        nowMs: now,
        userHome: '',
        variables: {},
        redact: (text: string) => text,
      };
      const loadRecall = () => createRecall(paths, 'assets/static-en.bin', clock);
      const hook = readClaudeHook(call, environment);
      const told = await promptContext(hook, place, { config, paths, loadRecall });
      const listed = told.split('\n').filter((line) => line.startsWith('- '));
      return {
        tokens: told === '' ? 0 : estimateTokens(told),
        lines: withoutIds(listed.map((line) => line.slice(2))),
      };
    },
  };
}

const withoutIds = (lines: string[]): string[] => lines.map((line) => line.replace(/ \[\w+\]$/, ''));

/** The sessions with paths relative to the author's checkout: the deepest folder with most of the edits. */
function inCheckout(sessions: RealSession[]): RealSession[] {
  const edited = sessions.flatMap(({ messages }) =>
    messages.flatMap(({ act }) => (act.kind === 'edit' && isAbsolute(act.path) ? [act.path] : [])),
  );
  const theirs = commonFolder(edited);
  const moved = (path: string): string =>
    theirs !== '' && path.startsWith(`${theirs}/`) ? path.slice(theirs.length + 1) : path;
  return sessions.map(({ id, messages }) => ({
    id,
    messages: messages.map((message) =>
      message.act.kind === 'edit' || message.act.kind === 'read'
        ? { ...message, act: { ...message.act, path: moved(message.act.path) } }
        : message,
    ),
  }));
}

const mostShare = 0.6;

/** The deepest folder that contains most of the paths. */
function commonFolder(paths: string[]): string {
  let folder = '';
  for (;;) {
    const next = Map.groupBy(
      paths.filter((path) => path.startsWith(`${folder}/`)),
      (path) => path.slice(folder.length + 1).split('/')[0] ?? '',
    );
    const [name, own] = [...next].sort((a, b) => b[1].length - a[1].length)[0] ?? ['', []];
    const isFile = own.some((path) => path === `${folder}/${name}`);
    if (own.length < paths.length * mostShare || isFile || own.length === 0) return folder;
    folder = `${folder}/${name}`;
  }
}

/** Creates a file, unless the transcript also has one of its folders as the path of an edit. */
function touch(path: string): void {
  if (existsSync(path)) return;
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch {
    return;
  }
  writeFileSync(path, '');
}
