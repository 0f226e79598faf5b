import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readCheckoutFile, resolveWritePath } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';

/** A settings file of an agent. The content of a project's settings file is chosen by the repository. */
export interface SettingsPlace {
  path: string;
  root?: string;
}

const maxBytes = 16 * 1024 * 1024;

/** Returns undefined if there is no file. Throws if it is not UTF-8, because writing it back would change its bytes. */
export function readSettings({ path, root }: SettingsPlace): string | undefined {
  const bytes = root === undefined ? readUserFile(path) : readProjectFile(root, path);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new AppError('CONFIG_UNREADABLE', `${path} is not valid UTF-8, so nothing was changed`, {
      hint: `Correct ${path} and run the command again`,
      cause: error,
    });
  }
}

function readUserFile(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new AppError('CONFIG_UNREADABLE', `${path} cannot be read, so nothing was changed`, {
      hint: `Check the permissions of ${path} and run the command again`,
      cause: error,
    });
  }
}

function readProjectFile(root: string, path: string): Buffer | undefined {
  const file = readCheckoutFile(root, path, maxBytes);
  if (file.kind === 'absent') return undefined;
  if (file.kind === 'file') return file.bytes;
  throw new AppError(
    'CONFIG_UNREADABLE',
    `${path} is ${file.kind === 'large' ? 'too large' : 'a link that leads out of the checkout, or not a regular file'}, so nothing was changed`,
    { hint: `Replace ${path} with a regular file and run the command again` },
  );
}

/**
 * The file to write, and its mode. If the settings file is a symbolic link, for example into the user's dotfiles, the
 * target is replaced and the link stays. A project's link must lead into the project.
 */
export function settingsTarget({ path, root }: SettingsPlace): { path: string; mode?: number } {
  if (root === undefined) {
    const target = targetOf(path);
    const mode = statSync(target, { throwIfNoEntry: false })?.mode;
    return mode === undefined ? { path: target } : { path: target, mode: mode & 0o777 };
  }
  const place = resolveWritePath(root, path);
  if (place !== undefined) return place;
  throw new Error('it is a link that leads out of the checkout, or not a regular file');
}

/** The target of a symbolic link, even if it does not exist yet. Returns any other path unchanged. */
function targetOf(path: string): string {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (link?.isSymbolicLink() !== true) return path;
  return existsSync(path) ? realpathSync(path) : resolve(dirname(path), readlinkSync(path));
}
