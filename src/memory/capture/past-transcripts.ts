import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation } from '../../agents/agent.ts';
import { historyName } from '../../agents/claude-code/history.ts';
import type { AgentFolders } from '../../agents/setup.ts';
import { findTranscripts, transcriptAgents } from '../../agents/transcripts.ts';
import { readJson, writeJson } from '../../base/files.ts';
import { withTilde } from './capture.ts';

/**
 * The transcripts that agents had when Backstory was first installed, with their sizes. Their prompts count as
 * typed by the user. Later ones count only if a hook saw how they were entered, because any program of the user can
 * write a transcript.
 */
export interface PastTranscripts {
  at: number;
  /** Sizes in bytes by path, with `~` for the home folder. */
  files: Record<string, number>;
  isByAgent?: true;
}

export const readPast = (path: string): PastTranscripts | undefined => readJson<PastTranscripts>(path);

/** Returns a function that says whether a prompt was in a transcript before the installation. */
export function pastPrompts(path: string, userHome: string) {
  const past = readPast(path);
  return ({ source, at = '' }: Observation): boolean => {
    const file = withTilde(source?.file ?? '', userHome);
    const bytes = past?.files[file];
    if (past === undefined || bytes === undefined || !(Date.parse(at) <= past.at)) return false;
    // A session in a database has no position in a file; its time has to be enough.
    return file.includes('#') || (source?.offset ?? 0) < bytes;
  };
}

export interface InstallMoment {
  now: number;
  userHome: string;
  /** An agent could have written transcripts right before it installs Backstory, so none count as the past. */
  isByAgent: boolean;
}

export function recordPast(
  path: string,
  folders: AgentFolders,
  { now, userHome, isByAgent }: InstallMoment,
): void {
  if (existsSync(path)) return;
  const history = join(folders['claude-code'].config, historyName);
  const files = isByAgent
    ? []
    : [
        ...findTranscripts(folders, transcriptAgents).map(({ file, bytes }) => [file, bytes] as const),
        ...(existsSync(history) ? [[history, statSync(history).size] as const] : []),
      ];
  const past: PastTranscripts = {
    at: now,
    ...(isByAgent ? { isByAgent } : {}),
    files: Object.fromEntries(files.map(([file, bytes]) => [withTilde(file, userHome), bytes])),
  };
  writeJson(path, past);
}
