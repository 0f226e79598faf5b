import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError, systemCodeOf } from '../../base/errors.ts';
import { removeIfThere, replaceFile } from '../../base/files.ts';

/**
 * The folder of ours inside a repository. A clone is somebody else's work: a link in it may lead anywhere, so
 * only plain files in plain folders are read or written, and none that is larger than a note can be.
 */
export const repoFolder = '.backstory';
export const repoNotesFolder = '.backstory/notes';

const maxBytes = 256 * 1024;

type Found = 'folder' | 'file' | 'none' | 'other';

function look(path: string): Found {
  try {
    const stat = lstatSync(path);
    if (stat.isDirectory()) return 'folder';
    return stat.isFile() && stat.size <= maxBytes ? 'file' : 'other';
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'none';
    throw error;
  }
}

/** Every folder on the way to it, from the root of the checkout on. */
function parents(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

const isWayPlain = (root: string, path: string): boolean =>
  parents(path).every((folder) => look(join(root, folder)) === 'folder');

/** Of a path inside the checkout; undefined where there is no such plain file. */
export function readInside(root: string, path: string): string | undefined {
  if (!isWayPlain(root, path) || look(join(root, path)) !== 'file') return undefined;
  return readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
}

/** Names of plain files in a folder inside the checkout, in order. */
export function filesInside(root: string, folder: string, ending: string): string[] {
  if (!isWayPlain(root, `${folder}/x`)) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending) && look(join(root, folder, name)) === 'file')
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
  const folder = parents(path).find((each) => !['none', 'folder'].includes(look(join(root, each))));
  if (folder === undefined && ['none', 'file'].includes(look(join(root, path)))) return;
  throw new AppError('INVALID_ARGUMENT', `${folder ?? path} is a link, or no plain file`, {
    hint: `Remove ${folder ?? path} and try again`,
  });
}
