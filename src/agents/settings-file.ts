import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readCheckoutFile, resolveWritePath } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';

/** A settings file of an agent. Those of a project lie in its checkout, where the repository chooses what they are. */
export interface SettingsPlace {
  path: string;
  /** The checkout; absent for the user's own settings. */
  root?: string;
}

const maxBytes = 16 * 1024 * 1024;

/** Undefined when there is none. Bytes that are no UTF-8 would not come back as they were, so they are refused. */
export function readSettings({ path, root }: SettingsPlace): string | undefined {
  const bytes = root === undefined ? readOwn(path) : readProjects(root, path);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new AppError('CONFIG_UNREADABLE', `${path} cannot be read as text, so nothing was changed`, {
      hint: `Correct ${path} and run the command again`,
      cause: error,
    });
  }
}

function readOwn(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new AppError('CONFIG_UNREADABLE', `${path} cannot be read, so nothing was changed`, {
      hint: `check that you may read ${path}`,
      cause: error,
    });
  }
}

function readProjects(root: string, path: string): Buffer | undefined {
  const file = readCheckoutFile(root, path, maxBytes);
  if (file.kind === 'absent') return undefined;
  if (file.kind === 'file') return file.bytes;
  throw new AppError(
    'CONFIG_UNREADABLE',
    `${path} is ${file.kind === 'large' ? 'too large' : 'a link that leads out of the checkout, or no plain file'}, so nothing was changed`,
    { hint: `Replace ${path} by a plain file and run the command again` },
  );
}

/**
 * The file to replace, and its mode. A settings file may be a link, for the user's own settings into their dotfiles: the
 * file it leads to is replaced, the link stays. A project's link must lead into the project.
 */
export function settingsTarget({ path, root }: SettingsPlace): { path: string; mode?: number } {
  if (root === undefined) {
    const target = targetOf(path);
    const mode = statSync(target, { throwIfNoEntry: false })?.mode;
    return mode === undefined ? { path: target } : { path: target, mode: mode & 0o777 };
  }
  const place = resolveWritePath(root, path);
  if (place !== undefined) return place;
  throw new Error('it is a link that leads out of the checkout, or no plain file');
}

/** Where a link leads, even if nothing is there yet; any other path is itself. */
function targetOf(path: string): string {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (link?.isSymbolicLink() !== true) return path;
  return existsSync(path) ? realpathSync(path) : resolve(dirname(path), readlinkSync(path));
}
