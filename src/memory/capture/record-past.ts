import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { historyName } from '../../agents/claude-code/history.ts';
import type { AgentFolders, InstallableAgent } from '../../agents/setup.ts';
import { findTranscripts } from '../../agents/transcripts.ts';
import { writeJson } from '../../base/files.ts';
import { withTilde } from './capture.ts';
import { readPast } from './past-transcripts.ts';

export interface InstallMoment {
  now: number;
  userHome: string;
  /** An agent could have written transcripts right before it installs Backstory, so none count as the past. */
  isByAgent: boolean;
}

/** Records which transcripts an agent has, unless an earlier install did. */
export function recordPast(
  path: string,
  agent: InstallableAgent,
  folders: AgentFolders,
  { now, userHome, isByAgent }: InstallMoment,
): void {
  const known = readPast(path);
  if (known[agent] !== undefined) return;
  const history = join(folders[agent].config, historyName);
  const files = isByAgent
    ? []
    : [
        ...findTranscripts(folders, [agent]).map(({ file, bytes }) => [file, bytes] as const),
        ...(existsSync(history) ? [[history, statSync(history).size] as const] : []),
      ];
  const sizes = Object.fromEntries(files.map(([file, bytes]) => [withTilde(file, userHome), bytes]));
  writeJson(path, { ...known, [agent]: { at: now, files: sizes } });
}
