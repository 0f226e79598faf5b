import type { Edit } from 'jsonc-parser';
import type { SettingsPlace } from '../../agents/read-settings.ts';
import type { Entries, InstallableAgent, Scope, SettingsKind } from '../../agents/setup.ts';
import { readJson, writeJson } from '../../base/files.ts';

/**
 * The changes that `install` made, so that `uninstall` can revert exactly those. Only edits are stored, never a copy of
 * the settings, which may contain the agent's credentials.
 */
export interface InstallRecord {
  agent: InstallableAgent;
  scope: Scope;
  /** What was installed in addition to capture: `mcp`, `skill` or `both`, and the MCP tools. */
  surface: string;
  tools: string;
  /** Whether a person let the agent call the tools that only read without asking. Absent if nobody was asked. */
  allowTools?: 'yes' | 'no';
  at: string;
  /** When the hook was last installed again after it had stopped working. */
  repairedAt?: string;
  version: string;
  node: string;
  entries: Entries;
  files: InstalledFile[];
}

export interface InstalledFile extends SettingsPlace {
  holds: SettingsKind;
  existed: boolean;
  afterHash: string;
  undo: Edit[];
  /**
   * Lists and objects of the settings file that existed before the installation. `uninstall` keeps them, even if
   * empty.
   */
  containers: string[];
  /** Folders that `install` created, innermost first. */
  madeFolders: string[];
}

export const readInstalls = (path: string): InstallRecord[] =>
  readJson<{ installs: InstallRecord[] }>(path)?.installs ?? [];

export const writeInstalls = (path: string, installs: InstallRecord[]): void =>
  writeJson(path, { v: 1, installs });
