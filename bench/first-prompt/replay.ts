import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readClaudeHook } from '../../src/agents/claude-code/hook.ts';
import { agentFolders } from '../../src/agents/settings.ts';
import { findTranscripts } from '../../src/agents/transcripts.ts';
import { systemClock } from '../../src/base/clock.ts';
import { configDefaults } from '../../src/base/config.ts';
import { homePaths } from '../../src/base/paths.ts';
import { createRecall } from '../../src/cmd/hook-recall.ts';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { promptContext } from '../../src/hooks/prompt.ts';
import { importTranscripts } from '../../src/memory/capture/import-transcripts.ts';
import { drain } from '../../src/memory/drain.ts';
import { readPrelude, type StoredRecap } from '../../src/memory/prelude/prelude-file.ts';
import type { OpenProject } from '../../src/memory/projects/open-project.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';
import { isRequest } from '../../src/memory/prompt-context/request.ts';
import { estimateTokens } from '../../src/text/tokens.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { markInstalled, markPast, openDrain } from '../../test/harness/home.ts';
import { readWithFiles } from '../holds/read-with-files.ts';
import { importFolder } from '../recall-wordings/import-sessions.ts';

/** A project whose memory grows session by session, as it did for its author. */
export interface ReplayedProject {
  /** The first request of each session, in the order of time. */
  requests: { session: string; at: number; text: string; branch: string }[];
  /** Imports everything before this moment, and extracts notes as the product does. */
  importUntil(at: number): Promise<void>;
  /** Returns what the hook tells about the first prompt of a session. Nothing is recorded. */
  ask(session: string, prompt: string): Promise<{ tokens: number; lines: string[] }>;
  /** The lines that a new session is told at its start. */
  prelude(): string[];
  /** The lines of one section of it. */
  lines(section: string): string[];
  /** The last work, for a session that starts on a branch, as a session that starts there is told, and as one that asks for it. */
  recap(branch: string): StoredRecap | undefined;
}

/**
 * `exchange` is a folder with the answers of a model about the sessions, see `file-writer.ts`. If it is given, a session
 * is imported when it has ended and read by the model then; otherwise as far as it had gone.
 */
export async function replayProject(
  name: string,
  folder: string,
  exchange?: string,
  isFirst = (event: EventEnvelope): boolean =>
    event.kind === 'prompt' && event.origin === 'user' && isRequest(event.body.text),
): Promise<ReplayedProject> {
  const { parts: whole } = await importFolder(name, folder);
  const transcripts = timedTranscripts(join(whole.userHome, '.claude', 'projects', 'repo'));
  const home = temporaryFolder('replay');
  const root = join(home, 'repo');
  const claude = join(home, '.claude');
  // A remote gives the project the same id in each run.
  execFileSync('git', ['init', '-q', root]);
  execFileSync('git', ['-C', root, 'remote', 'add', 'origin', `https://example.com/${name}.git`]);
  const paths = homePaths(join(home, '.backstory'));
  markInstalled(paths.home);
  const { place, remember } = resolvePlace(paths, root, systemClock);
  remember();
  let now = 0;
  const clock = { now: () => now };
  const transcriptRoots = [join(claude, 'projects')];
  const parts = openDrain(paths, place.project, { userHome: home, clock, transcriptRoots });
  const config = { ...configDefaults, tell: ['prelude', 'prompt', 'rules'] as const };
  const folderOfTranscripts = join(claude, 'projects', 'repo');
  mkdirSync(folderOfTranscripts, { recursive: true });
  return {
    requests: firstRequests(whole, isFirst),
    async importUntil(at) {
      for (const { file, lines } of transcripts) {
        const before = lines.filter((line) => line.at < at);
        const end = before.at(-1)?.at ?? 0;
        if (end < now || before.length === 0) continue;
        if (exchange !== undefined && before.length < lines.length) continue;
        const text = before.map((line) => line.text.replaceAll(join(whole.userHome, 'repo'), root)).join('');
        writeFileSync(join(folderOfTranscripts, file), text);
        utimesSync(join(folderOfTranscripts, file), end / 1000, end / 1000);
      }
      now = at;
      markPast(paths.home, home);
      const progress = { onRead() {}, onIndex() {} };
      await importTranscripts(parts, findTranscripts(agentFolders({}, home), ['claude-code']), progress);
      const { isComplete } = await drain(parts);
      if (!isComplete) throw new Error(`${name} was not indexed completely`);
      if (exchange !== undefined) await readWithFiles(parts, { folder: exchange, mode: 'replay' });
    },
    prelude: () => withoutIds((readPrelude(paths, place.project)?.lines ?? []).map(({ text }) => text)),
    lines: (section) =>
      (readPrelude(paths, place.project)?.lines ?? []).flatMap((line) =>
        line.section === section ? [line.text] : [],
      ),
    recap: (branch) => readPrelude(paths, place.project, { ...place, branch })?.recap,
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
      const loadRecall = () => createRecall(paths, clock);
      const hook = readClaudeHook(call, environment);
      const told = await promptContext(hook, place, { config, paths, clock, loadRecall });
      const listed = told.split('\n').filter((line) => line.startsWith('- '));
      return {
        tokens: told === '' ? 0 : estimateTokens(told),
        lines: withoutIds(listed.map((line) => line.slice(2))),
      };
    },
  };
}

const withoutIds = (lines: string[]): string[] => lines.map((line) => line.replace(/ \[\w+\]$/, ''));

/** The first request of each session that the user typed. */
function firstRequests(
  { log }: OpenProject,
  isFirst: (event: EventEnvelope) => boolean,
): ReplayedProject['requests'] {
  const first = new Map<string, ReplayedProject['requests'][number]>();
  for (const { entry } of log.read({})) {
    if (entry.kind !== 'event' || entry.event.kind !== 'prompt' || !isFirst(entry.event)) continue;
    const { agentSession: session, body, branch } = entry.event;
    const at = Date.parse(entry.event.at);
    const known = first.get(session);
    if (known === undefined || at < known.at) first.set(session, { session, at, text: body.text, branch });
  }
  return [...first.values()].sort((a, b) => a.at - b.at || (a.session < b.session ? -1 : 1));
}

/** The lines of transcripts with their times. A line without a time has that of the line before. */
const timedTranscripts = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((file) => {
      let at = 0;
      const lines = readFileSync(join(folder, file), 'utf8')
        .split(/(?<=\n)/)
        .map((text) => {
          at = Date.parse(/"timestamp":"([^"]+)"/.exec(text)?.[1] ?? '') || at;
          return { at, text };
        });
      return { file, lines };
    });
