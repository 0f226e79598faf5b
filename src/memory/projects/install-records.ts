import { dirname } from 'node:path';
import type { Edit } from 'jsonc-parser';
import type { SettingsPlace } from '../../agents/read-settings.ts';
import type { Entries, InstallableAgent, Scope, SettingsKind } from '../../agents/settings.ts';
import { readJson, writeJson } from '../../base/files.ts';

/**
 * The changes that `install` made, so that `uninstall` can revert exactly those. Only edits are stored, never a copy of
 * the settings, which may contain the agent's credentials.
 */
export interface InstallRecord {
  agent: InstallableAgent;
  scope: Scope;
  /** The installed surface besides capture, and its tools; absent in records of older versions. */
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
  /** Whether the file existed before `install`; false if `install` created it. */
  existed: boolean;
  afterHash: string;
  undo: Edit[];
  /** Lists and maps that existed before, even if empty. */
  containers: string[];
  /** Folders that `install` created, innermost first. */
  madeFolders: string[];
}

/**
 * The root limits which symbolic links are followed. Older versions did not record it; then the file's own folder is
 * the limit. Trust is always stored in the user's own settings.
 */
export function placeOf({ path, root, holds }: InstalledFile, scope: Scope): SettingsPlace {
  return scope === 'user' || holds === 'trust' ? { path } : { path, root: root ?? dirname(path) };
}

export const readInstalls = (path: string): InstallRecord[] =>
  readJson<{ installs: InstallRecord[] }>(path)?.installs ?? [];

export const writeInstalls = (path: string, installs: InstallRecord[]): void =>
  writeJson(path, { v: 1, installs });
