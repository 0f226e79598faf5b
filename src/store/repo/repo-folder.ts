import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entryAt, listCheckoutFolder, readCheckoutText } from '../../base/checkout-file.ts';
import { AppError } from '../../base/errors.ts';
import { removeIfThere, replaceFile } from '../../base/files.ts';

/**
 * The Backstory folder of a repository. A link in a clone can point anywhere, so only regular files in
 * regular folders are read or written, up to the size of a note.
 */
export const repoFolder = '.backstory';
export const repoNotesFolder = '.backstory/notes';

/** The part of a Markdown file that `backstory knowledge` writes: its lines, and their ids and hashes. */
const knowledgePart =
  /^<!-- backstory knowledge: begin\b.*-->\r?\n([\s\S]*?)^<!-- backstory knowledge: end\b([\s\S]*?)-->/m;
const knowledgeMark = /^<!-- backstory knowledge: (?:begin|end)\b/gm;

/** Finds that part. `marks` counts the comments around it; a file without damage has two or none. */
export function findKnowledgePart(text: string): { marks: number; found: RegExpExecArray | null } {
  const marks = text.match(knowledgeMark)?.length ?? 0;
  // With many opening comments the search would take quadratic time.
  return { marks, found: marks === 2 ? knowledgePart.exec(text) : null };
}

const maxBytes = 256 * 1024;

/** Maximum number of entries to read. No team writes so many notes. */
const maxEntries = 10_000;

/** Reads a file of the checkout; returns undefined if it is not a regular file. */
export function readInside(root: string, path: string): string | undefined {
  return entryAt(root, path) === 'file'
    ? readCheckoutText(root, path, maxBytes)?.replaceAll('\r\n', '\n')
    : undefined;
}

export function filesInside(root: string, folder: string, ending: string): string[] {
  if (entryAt(root, folder) !== 'folder') return [];
  return listCheckoutFolder(root, folder, maxEntries)
    .filter(({ name, kind }) => kind === 'file' && name.endsWith(ending))
    .map(({ name }) => name)
    .sort();
}

/** Replaces a file of the checkout; throws if the path leads outside or is not a regular file. */
export function writeInside(root: string, path: string, content: string): void {
  ensurePlain(root, path);
  mkdirSync(join(root, dirname(path)), { recursive: true });
  // Readable for everybody, because git keeps no other modes.
  replaceFile(join(root, path), content, 0o644);
}

export function removeInside(root: string, path: string): boolean {
  ensurePlain(root, path);
  return removeIfThere(join(root, path));
}

function ensurePlain(root: string, path: string): void {
  if (['none', 'file'].includes(entryAt(root, path))) return;
  throw new AppError(
    'INVALID_ARGUMENT',
    `${path} is a link, is inside a linked folder, or is not a regular file`,
    {
      hint: `Remove ${path} and try again`,
    },
  );
}
