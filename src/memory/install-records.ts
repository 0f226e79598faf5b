import type { Edit } from 'jsonc-parser';
import type { Entries, Holding, InstallableAgent, Scope } from '../agents/settings.ts';
import { readJson, writeJson } from '../base/files.ts';

/**
 * What `install` changed, so that `uninstall` can take back exactly that. Only the edits are kept, never a copy
 * of the settings: those may hold the agent's own credentials.
 */
export interface InstallRecord {
  agent: InstallableAgent;
  scope: Scope;
  /** What the agent got beside capture, and which tools; absent where an older version installed. */
  surface?: string;
  tools?: string;
  at: string;
  version: string;
  node: string;
  entries: Entries;
  files: InstalledFile[];
}

export interface InstalledFile {
  path: string;
  holds: Holding;
  /** False when there was no such file before. */
  existed: boolean;
  afterHash: string;
  undo: Edit[];
  /** Lists and maps that were there before us, even if empty. */
  containers: string[];
  /** Folders that were not there before us, innermost first. */
  madeFolders: string[];
}

export const readInstalls = (path: string): InstallRecord[] =>
  readJson<{ installs: InstallRecord[] }>(path)?.installs ?? [];

export const writeInstalls = (path: string, installs: InstallRecord[]): void =>
  writeJson(path, { v: 1, installs });
