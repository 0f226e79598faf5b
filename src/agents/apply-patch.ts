import { lineHash } from '../base/hash.ts';
import type { EditHunk } from '../domain/event.ts';
import type { FileChange, UndoBlock } from './agent.ts';

/** One file of a patch in the format of Codex's apply_patch, which other agents use too. */
export interface PatchedFile {
  path: string;
  action: 'add' | 'update' | 'delete';
  hunks: EditHunk[];
  /** The part of the patch that is about the file. */
  patch: string;
}

const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const moved = /^\*\*\* Move to: (.+)$/;

/** Reads `*** Begin Patch` text. The format has no line numbers, so the starts of a hunk are 0. */
export const readApplyPatch = (patch: string): PatchedFile[] =>
  patch
    .split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m)
    .slice(1)
    .flatMap((part) => readFilePatch(part) ?? []);

function readFilePatch(patch: string): PatchedFile | undefined {
  let file: PatchedFile | undefined;
  let hunk: EditHunk | undefined;
  for (const line of patch.split('\n')) {
    const start = header.exec(line);
    const target = moved.exec(line);
    if (start !== null) {
      const action = (start[1] as string).toLowerCase() as PatchedFile['action'];
      file = { path: (start[2] as string).trim(), action, hunks: [], patch };
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
  return file;
}

/** Reads the hunks of a unified diff and ignores file headers. */
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

/** A hunk that adds a whole file. */
export function wholeFileHunk(content: string): EditHunk {
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return { oldStart: 0, newStart: 1, added: lines.map(lineHash), removed: [] };
}

/**
 * Converts a patch of one file, in either format, to blocks that undo it. The blocks have no positions: the caller
 * finds each block's text in the file.
 */
export function undoOf(patch: string): FileChange {
  const blocks: UndoBlock[] = [];
  let now: string[] = [];
  let before: string[] = [];
  const close = () => {
    if (now.length + before.length > 0) blocks.push({ now: now.join('\n'), before: before.join('\n') });
    [now, before] = [[], []];
  };
  let isInside = false;
  for (const line of patch.split('\n')) {
    if (line.startsWith('@@') || line.startsWith('***')) {
      close();
      isInside = true;
    } else if (isInside || !/^(?:---|\+\+\+|Index:|diff |===)/.test(line)) {
      if (/^[ +]/.test(line)) now.push(line.slice(1));
      if (/^[ -]/.test(line)) before.push(line.slice(1));
    }
  }
  close();
  return { kind: 'undo', blocks };
}

/** The text of a file that a patch creates. */
export const addedText = (patch: string): string =>
  patch
    .split('\n')
    .filter((line) => line.startsWith('+'))
    .map((line) => line.slice(1))
    .join('\n');
