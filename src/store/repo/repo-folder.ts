import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entryAt, listCheckoutFolder, readCheckoutText } from '../../base/checkout-file.ts';
import { AppError } from '../../base/errors.ts';
import { removeIfThere, replaceFile } from '../../base/files.ts';

/**
 * The folder of ours inside a repository. A clone is somebody else's work: a link in it may lead anywhere, so
 * only plain files in plain folders are read or written, and none that is larger than a note can be.
 */
export const repoFolder = '.backstory';
export const repoNotesFolder = '.backstory/notes';

const maxBytes = 256 * 1024;

/** Far more than a team writes. */
const maxEntries = 10_000;

/** Of a path inside the checkout; undefined where there is no such plain file. */
export function readInside(root: string, path: string): string | undefined {
  return entryAt(root, path) === 'file'
    ? readCheckoutText(root, path, maxBytes)?.replaceAll('\r\n', '\n')
    : undefined;
}

/** Names of plain files in a folder inside the checkout, in order. */
export function filesInside(root: string, folder: string, ending: string): string[] {
  if (entryAt(root, folder) !== 'folder') return [];
  return listCheckoutFolder(root, folder, maxEntries)
    .filter(({ name, kind }) => kind === 'file' && name.endsWith(ending))
    .map(({ name }) => name)
    .sort();
}

/** Replaces a file inside the checkout; throws where that would lead out of it, or over what is no plain file. */
export function writeInside(root: string, path: string, content: string): void {
  ensurePlain(root, path);
  mkdirSync(join(root, dirname(path)), { recursive: true });
  // Readable for everybody who may read the repository: git keeps no other modes.
  replaceFile(join(root, path), content, 0o644);
}

export function removeInside(root: string, path: string): boolean {
  ensurePlain(root, path);
  return removeIfThere(join(root, path));
}

function ensurePlain(root: string, path: string): void {
  if (['none', 'file'].includes(entryAt(root, path))) return;
  throw new AppError('INVALID_ARGUMENT', `${path} is a link, lies behind one, or is no plain file`, {
    hint: `Remove ${path} and try again`,
  });
}
