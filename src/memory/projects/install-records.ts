import { dirname } from 'node:path';
import type { Edit } from 'jsonc-parser';
import type { Entries, InstallableAgent, Scope, SettingsKind } from '../../agents/settings.ts';
import type { SettingsPlace } from '../../agents/settings-file.ts';
import { readJson, writeJson } from '../../base/files.ts';

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

export interface InstalledFile extends SettingsPlace {
  holds: SettingsKind;
  /** False when there was no such file before. */
  existed: boolean;
  afterHash: string;
  undo: Edit[];
  /** Lists and maps that were there before us, even if empty. */
  containers: string[];
  /** Folders that were not there before us, innermost first. */
  madeFolders: string[];
}

/**
 * Older versions did not record the checkout; then at least no link leads out of the file's own folder. Trust is always
 * kept in the user's own settings.
 */
export function placeOf({ path, root, holds }: InstalledFile, scope: Scope): SettingsPlace {
  return scope === 'user' || holds === 'trust' ? { path } : { path, root: root ?? dirname(path) };
}

export const readInstalls = (path: string): InstallRecord[] =>
  readJson<{ installs: InstallRecord[] }>(path)?.installs ?? [];

export const writeInstalls = (path: string, installs: InstallRecord[]): void =>
  writeJson(path, { v: 1, installs });
