import { lineHash } from '../base/hash.ts';
import type { EditHunk } from '../domain/event.ts';

/** One file of a patch, as Codex writes them and other agents have taken over. */
export interface PatchedFile {
  path: string;
  action: 'add' | 'update' | 'delete';
  hunks: EditHunk[];
}

const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const moved = /^\*\*\* Move to: (.+)$/;

/** Reads `*** Begin Patch` text. Such patches carry no line numbers, so a hunk's starts are 0. */
export function readApplyPatch(patch: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  let file: PatchedFile | undefined;
  let hunk: EditHunk | undefined;
  for (const line of patch.split('\n')) {
    const start = header.exec(line);
    const target = moved.exec(line);
    if (start !== null) {
      const action = (start[1] as string).toLowerCase() as PatchedFile['action'];
      file = { path: (start[2] as string).trim(), action, hunks: [] };
      files.push(file);
      hunk = undefined;
    } else if (target !== null && file !== undefined) {
      file.path = (target[1] as string).trim();
    } else if (line.startsWith('@@')) {
      hunk = undefined;
    } else if (file !== undefined && /^[+-]/.test(line)) {
      if (hunk === undefined) {
        hunk = { oldStart: 0, newStart: 0, added: [], removed: [] };
        file.hunks.push(hunk);
      }
      (line.startsWith('+') ? hunk.added : hunk.removed).push(lineHash(line.slice(1)));
    }
  }
  return files;
}

/** Reads the hunks of a unified diff; headers of files are passed over. */
export function readUnifiedDiff(diff: string): EditHunk[] {
  const hunks: EditHunk[] = [];
  let hunk: EditHunk | undefined;
  for (const line of diff.split('\n')) {
    const start = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (start !== null) {
      hunk = { oldStart: Number(start[1]), newStart: Number(start[2]), added: [], removed: [] };
      hunks.push(hunk);
    } else if (hunk !== undefined && line.startsWith('+')) {
      hunk.added.push(lineHash(line.slice(1)));
    } else if (hunk !== undefined && line.startsWith('-')) {
      hunk.removed.push(lineHash(line.slice(1)));
    }
  }
  return hunks;
}

/** A whole file that is new, or gone. */
export function wholeFileHunk(content: string, side: 'added' | 'removed'): EditHunk {
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const hashes = lines.map(lineHash);
  return side === 'added'
    ? { oldStart: 0, newStart: 1, added: hashes, removed: [] }
    : { oldStart: 1, newStart: 0, added: [], removed: hashes };
}
