import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { historyName } from '../../agents/claude-code/history.ts';
import type { AgentFolders } from '../../agents/setup.ts';
import { findTranscripts, transcriptAgents } from '../../agents/transcripts.ts';
import { writeJson } from '../../base/files.ts';
import { withTilde } from './capture.ts';
import type { PastTranscripts } from './past-transcripts.ts';

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
    files: Object.fromEntries(files.map(([file, bytes]) => [withTilde(file, userHome), bytes])),
  };
  writeJson(path, past);
}
