import { existsSync, lstatSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Edit } from 'jsonc-parser';
import { undoEdits } from '../agents/json-edit.ts';
import {
  type Entries,
  type Holding,
  type InstallableAgent,
  type Scope,
  settingsEditor,
} from '../agents/settings.ts';
import { AppError, messageOf } from '../base/errors.ts';
import { ensureDirectory, readIfThere, readJson, replaceFile, writeJson } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';

/**
 * What `install` changed, so that `uninstall` can take back exactly that. Only the edits are kept, never a copy
 * of the settings: those may hold the agent's own credentials.
 */
export interface InstallRecord {
  agent: InstallableAgent;
  scope: Scope;
  at: string;
  version: string;
  node: string;
  entries: Entries;
  files: InstalledFile[];
}

interface InstalledFile {
  path: string;
  holds: Holding;
  /** False when there was no such file before. */
  existed: boolean;
  afterHash: string;
  undo: Edit[];
  /** Lists and maps that were there before us, even if empty. */
  containers: string[];
  madeFolder: boolean;
}

export const readInstalls = (path: string): InstallRecord[] =>
  readJson<{ installs: InstallRecord[] }>(path)?.installs ?? [];

export const writeInstalls = (path: string, installs: InstallRecord[]): void =>
  writeJson(path, { v: 1, installs });

export function applyToFile(
  path: string,
  holds: Holding,
  agent: InstallableAgent,
  entries: Entries,
): InstalledFile {
  const existed = existsSync(path);
  const madeFolder = !existsSync(dirname(path));
  const before = readIfThere(path) ?? '';
  const editor = settingsEditor(agent, holds, entries);
  const { text, undo } = editor.add(before, path);
  const containers = editor.containers(before, path);
  writeThrough(path, text);
  return { path, holds, existed, afterHash: sha256(text), undo, containers, madeFolder };
}

/** A settings file may be a link into somebody's dotfiles: the file it leads to is replaced, the link stays. */
function writeThrough(path: string, text: string): void {
  try {
    const target = isLink(path) ? realpathSync(path) : path;
    const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600;
    ensureDirectory(dirname(target));
    replaceFile(target, text, mode);
  } catch (error) {
    throw new AppError('CONFIG_WRITE_FAILED', `${path} could not be written: ${messageOf(error)}`, {
      hint: `check that you may write ${path}`,
      cause: error,
    });
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

export type Restored = 'restored' | 'entries removed' | 'gone already';

/** Byte for byte when nobody wrote the file since; otherwise our entries go and nothing else changes. */
export function restoreFile(file: InstalledFile, { agent, entries }: InstallRecord): Restored {
  const text = readIfThere(file.path);
  if (text === undefined) return 'gone already';
  if (sha256(text) !== file.afterHash) {
    const { text: left } = settingsEditor(agent, file.holds, entries).remove(
      text,
      file.path,
      file.containers,
    );
    if (left !== text) writeThrough(file.path, left);
    return 'entries removed';
  }
  if (file.existed) {
    writeThrough(file.path, undoEdits(readFileSync(file.path, 'utf8'), file.undo));
  } else {
    rmSync(file.path);
    if (file.madeFolder) removeIfEmpty(dirname(file.path));
  }
  return 'restored';
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The agent has put something there meanwhile; it stays.
  }
}
