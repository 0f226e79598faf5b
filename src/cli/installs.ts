import {
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { undoEdits } from '../agents/json-edit.ts';
import { type Entries, type Holding, type InstallableAgent, settingsEditor } from '../agents/settings.ts';
import { AppError, messageOf } from '../base/errors.ts';
import { ensureDirectory, replaceFile } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import type { InstalledFile, InstallRecord } from '../memory/install-records.ts';

export function applyToFile(
  path: string,
  holds: Holding,
  agent: InstallableAgent,
  entries: Entries,
): InstalledFile {
  // A plugin or skill of ours that an earlier install left behind is nothing to give back.
  const existed = !isOwnFile(holds) && existsSync(path);
  const madeFolders = missingFolders(dirname(path));
  const before = readSettings(path) ?? '';
  const editor = settingsEditor(agent, holds, entries);
  const { text, undo } = editor.add(before, path);
  const containers = editor.containers(before, path);
  writeThrough(path, text);
  return { path, holds, existed, afterHash: sha256(text), undo, containers, madeFolders };
}

/** A file that is ours altogether, unlike settings with entries of ours in them. */
const isOwnFile = (holds: Holding): boolean => holds === 'plugin' || holds === 'skill';

const missingFolders = (folder: string): string[] =>
  existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))];

/** Undefined when there is none. Bytes that are no UTF-8 would not come back as they were, so they are refused. */
export function readSettings(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    throw new AppError('CONFIG_UNREADABLE', `${path} cannot be read as text, so nothing was changed`, {
      hint: `Correct ${path} and run the command again`,
      cause: error,
    });
  }
}

/** A settings file may be a link into somebody's dotfiles: the file it leads to is replaced, the link stays. */
function writeThrough(path: string, text: string): void {
  try {
    const target = targetOf(path);
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

/** Where a link leads, even if nothing is there yet; any other path is itself. */
function targetOf(path: string): string {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (link?.isSymbolicLink() !== true) return path;
  return existsSync(path) ? realpathSync(path) : resolve(dirname(path), readlinkSync(path));
}

export type Restored = 'restored' | 'entries removed' | 'gone already' | 'left, it is not ours any more';

/**
 * Byte for byte when nobody wrote the file since; otherwise our entries go and nothing else changes. Nothing is
 * written before every file has been looked at: one that is broken meanwhile leaves all as they are.
 */
export function restoreFiles(record: InstallRecord): { path: string; holds: Holding; result: Restored }[] {
  for (const file of record.files) prepare(file, record);
  // The last first: two of them may be links to one file.
  const results = record.files.toReversed().map((file) => {
    const { result, write } = prepare(file, record);
    write();
    return { path: file.path, holds: file.holds, result };
  });
  for (const { madeFolders } of record.files.toReversed()) madeFolders.forEach(removeIfEmpty);
  return results.reverse();
}

function prepare({ path, ...file }: InstalledFile, { agent, entries }: InstallRecord) {
  const text = readSettings(path);
  if (text === undefined) return { result: 'gone already' as const, write: () => {} };
  if (sha256(text) !== file.afterHash) {
    const { text: left } = settingsEditor(agent, file.holds, entries).remove(text, path, file.containers);
    // A file that was ours altogether and does not say so any more was made into something else by its owner.
    if (isOwnFile(file.holds) && left === text)
      return { result: 'left, it is not ours any more' as const, write: () => {} };
    const write = () => {
      if (isOwnFile(file.holds) && left === '') rmSync(targetOf(path));
      else if (left !== text) writeThrough(path, left);
    };
    return { result: 'entries removed' as const, write };
  }
  const write = () =>
    file.existed ? writeThrough(path, undoEdits(text, file.undo)) : rmSync(targetOf(path));
  return { result: 'restored' as const, write };
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The agent has put something there meanwhile; it stays.
  }
}
