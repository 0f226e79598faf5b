import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { undoEdits } from '../agents/json-edit.ts';
import { readSettings, type SettingsPlace, settingsTarget } from '../agents/read-settings.ts';
import { type SettingsFile, settingsEditor } from '../agents/settings.ts';
import type { Entries, InstallableAgent, SettingsKind } from '../agents/setup.ts';
import { AppError, messageOf } from '../base/errors.ts';
import { ensureDirectory, replaceFile } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import type { InstalledFile, InstallRecord } from '../memory/projects/install-records.ts';

export function applyToFile(
  { holds, mode: createMode, ...place }: SettingsFile,
  agent: InstallableAgent,
  entries: Entries,
): InstalledFile {
  const { path } = place;
  const found = readSettings(place);
  // If our own plugin or skill file is left over from an earlier install, treat it as new. Otherwise uninstall would
  // restore it.
  const existed = !isOwnFile(holds) && found !== undefined;
  const madeFolders = missingFolders(dirname(path));
  const before = found ?? '';
  const editor = settingsEditor(agent, holds, entries);
  const { text, undo } = editor.add(before, path);
  const containers = editor.containers(before, path);
  writeThrough(place, text, createMode);
  return { ...place, holds, existed, afterHash: sha256(text), undo, containers, madeFolders };
}

/** True for files that consist only of our content, unlike settings files with some entries of ours. */
const isOwnFile = (holds: SettingsKind): boolean => holds === 'plugin' || holds === 'skill';

const missingFolders = (folder: string): string[] =>
  existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))];

function writeThrough(place: SettingsPlace, text: string, createMode = 0o600): void {
  try {
    const { path, mode = createMode } = settingsTarget(place);
    ensureDirectory(dirname(path));
    replaceFile(path, text, mode);
  } catch (error) {
    throw new AppError('CONFIG_WRITE_FAILED', `${place.path} could not be written: ${messageOf(error)}`, {
      hint: `check the permissions of ${place.path}`,
      cause: error,
    });
  }
}

export type Restored = 'restored' | 'entries-removed' | 'gone-already' | 'kept';

/**
 * Restores the files byte for byte if they are unchanged since the install; otherwise removes only our entries. All
 * files are checked before the first is written, so an unreadable one leaves everything as it is.
 */
export function restoreFiles(
  record: InstallRecord,
): { path: string; holds: SettingsKind; result: Restored }[] {
  for (const file of record.files) prepare(file, record);
  // Restore the files in reverse order of editing, because two paths may be links to the same file.
  const results = record.files.toReversed().map((file) => {
    const { result, write } = prepare(file, record);
    write();
    return { path: file.path, holds: file.holds, result };
  });
  for (const { madeFolders } of record.files.toReversed()) madeFolders.forEach(removeIfEmpty);
  return results.reverse();
}

function prepare(file: InstalledFile, { agent, entries }: InstallRecord) {
  const { path } = file;
  const text = readSettings(file);
  if (text === undefined) return { result: 'gone-already' as const, write: () => {} };
  if (sha256(text) !== file.afterHash) {
    const { text: left } = settingsEditor(agent, file.holds, entries).remove(text, path, file.containers);
    // The file was entirely ours but no longer contains our marker, so the user has replaced its content. Keep it.
    if (isOwnFile(file.holds) && left === text) return { result: 'kept' as const, write: () => {} };
    const write = () => {
      if (isOwnFile(file.holds) && left === '') rmSync(settingsTarget(file).path);
      else if (left !== text) writeThrough(file, left);
    };
    return { result: 'entries-removed' as const, write };
  }
  const write = () =>
    file.existed ? writeThrough(file, undoEdits(text, file.undo)) : rmSync(settingsTarget(file).path);
  return { result: 'restored' as const, write };
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The folder is not empty, so it stays.
  }
}
