import type { HistoryPrompt } from '../../agents/claude-code/history.ts';
import { type FoundTranscript, transcriptSources } from '../../agents/transcripts.ts';
import { catchUp } from '../../recall/catch-up.ts';
import type { LogIndex } from '../../store/store.ts';
import { renderPrelude } from '../drain.ts';
import { distilSessions } from '../notes/distil-sessions.ts';
import { activationOfProject } from '../projects/activation.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { withTilde } from './capture.ts';
import { recordCommits } from './commits.ts';
import { addHistory } from './import-history.ts';
import { openTranscripts } from './read-transcripts.ts';

/**
 * Imports past sessions as events, as if they had been captured at the time. Event ids come from the agents, so
 * importing is idempotent and can continue after a kill.
 */
export const nothing = {
  files: 0,
  events: 0,
  /** Prompts of sessions whose transcripts are gone, from Claude Code's `history.jsonl`. */
  prompts: 0,
  /** The newest of the repository, and those since the first session. `import git` imports the older ones. */
  commits: 0,
  readMs: 0,
  isComplete: true,
};
export type ImportReport = typeof nothing;

const unlimited = { maxBytes: Number.MAX_SAFE_INTEGER, isOver: () => false };

export interface ImportSteps {
  onRead(bytes: number): void;
  onIndex(done: number, total: number): void;
  onDistil?(done: number, total: number): void;
}

export async function importTranscripts(
  parts: OpenProject,
  transcripts: FoundTranscript[],
  steps: ImportSteps,
  history: HistoryPrompt[] = [],
): Promise<ImportReport> {
  const writing = parts.access.forWriting();
  if (writing === undefined) return { ...nothing, isComplete: false };
  const report = { ...nothing };
  try {
    const { index } = writing;
    const limits = { maxBytes: Number.MAX_SAFE_INTEGER, onProgress: steps.onIndex };
    await catchUp(parts, index, limits);
    const { readNew } = await openTranscripts({ ...parts, index });
    const started = parts.clock.now();
    for (const { agent, file, bytes } of transcripts) {
      const source = transcriptSources[agent];
      if (source === undefined) continue;
      for (const path of [file, ...source.companions(file)]) {
        const done = await readNew({ file: withTilde(path, parts.userHome), agent, source }, unlimited);
        if (done === undefined) continue;
        report.files += 1;
        report.events += done.events;
      }
      steps.onRead(bytes);
    }
    report.prompts = await addHistory({ ...parts, index }, history);
    report.readMs = parts.clock.now() - started;
    await catchUp(parts, index, limits);
    report.commits = await recordCommits({ ...parts, index }, { isAgain: true });
    await catchUp(parts, index, limits);
    if ((await extractStatements(parts, index, steps)) > 0) await catchUp(parts, index, limits);
    await renderPrelude(parts, index);
  } finally {
    await writing.close();
  }
  return report;
}

/** A person who has just imported their past is asked about it, so all of it is read now, and not in the background. */
async function extractStatements(
  parts: OpenProject,
  index: LogIndex,
  { onDistil }: ImportSteps,
): Promise<number> {
  const activation = activationOfProject(parts);
  if (!activation.on || activation.config.distil !== 'on') return 0;
  const onProgress = onDistil === undefined ? {} : { onProgress: onDistil };
  return distilSessions(parts, index, { ...unlimited, ...onProgress, offersLikeliest: true });
}
