import { lineHash } from '../base/hash.ts';
import type { EditHunk } from '../domain/event.ts';
import type { FileChange } from './agent.ts';

/** One file of a patch in the format of Codex's apply_patch, which other agents use too. */
export interface PatchedFile {
  path: string;
  action: 'add' | 'update' | 'delete';
  /** The part of the patch that is about the file. */
  patch: string;
}

const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/m;
const moved = /^\*\*\* Move to: (.+)$/m;

/** Reads `*** Begin Patch` text. The format has no line numbers, so the starts of a hunk are 0. */
export const readApplyPatch = (patch: string): PatchedFile[] =>
  patch
    .split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m)
    .slice(1)
    .map((part) => {
      const [, action = '', path = ''] = header.exec(part) ?? [];
      return {
        path: (moved.exec(part)?.[1] ?? path).trim(),
        action: action.toLowerCase() as PatchedFile['action'],
        patch: part,
      };
    });

/** Lines of a patch of one file, each with its sign, below a line that begins with `@@` or `***`. */
interface Block {
  oldStart: number;
  newStart: number;
  lines: string[];
}

function blocksOf(patch: string): Block[] {
  const blocks: Block[] = [];
  for (const line of patch.split('\n')) {
    if (/^(?:@@|\*\*\*)/.test(line)) {
      const [, oldStart = 0, newStart = 0] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? [];
      blocks.push({ oldStart: Number(oldStart), newStart: Number(newStart), lines: [] });
    } else if (/^[ +-]/.test(line)) blocks.at(-1)?.lines.push(line);
  }
  return blocks.filter(({ lines }) => lines.length > 0);
}

const textsOf = ({ lines }: Block, signs: string): string[] =>
  lines.filter(([sign = '']) => signs.includes(sign)).map((line) => line.slice(1));

/** Reads the hunks of a patch of one file, a unified diff or a part of `*** Begin Patch` text. */
export const readHunks = (patch: string): EditHunk[] =>
  blocksOf(patch)
    .map((block) => ({
      oldStart: block.oldStart,
      newStart: block.newStart,
      added: textsOf(block, '+').map(lineHash),
      removed: textsOf(block, '-').map(lineHash),
    }))
    .filter(({ added, removed }) => added.length + removed.length > 0);

export function wholeFileHunk(content: string): EditHunk {
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return { oldStart: 0, newStart: 1, added: lines.map(lineHash), removed: [] };
}

/**
 * Converts a patch of one file, in either format, to blocks that undo it. The blocks have no positions: the caller
 * finds each block's text in the file.
 */
export const undoOf = (patch: string): FileChange => ({
  kind: 'undo',
  blocks: blocksOf(patch).map((block) => ({
    now: textsOf(block, ' +').join('\n'),
    before: textsOf(block, ' -').join('\n'),
  })),
});

/** The text of a file that a patch creates. */
export const addedText = (patch: string): string =>
  patch
    .split('\n')
    .filter((line) => line.startsWith('+'))
    .map((line) => line.slice(1))
    .join('\n');
