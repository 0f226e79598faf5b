import { lineHash } from '../base/hash.ts';
import type { Anchor } from '../domain/anchor.ts';
import type { Edit } from '../domain/edit.ts';
import type { ReadStep } from '../store/store.ts';

const blank = lineHash('');
/** Lines of an anchor; the start of a longer block is enough to find it again. */
const maxLines = 400;
const isLine = (hash: string): boolean => hash !== blank && /^[0-9a-f]{14}$/.test(hash);

/** Lines that one hunk added. Later edits of the same turn move and shorten them. */
interface Piece {
  edit: Edit;
  start: number;
  added: string[];
  replaced: { start: number; hashes: string[] };
}

/** The code that a turn left where it left it. An attempt that the turn reverted has no anchors. */
export function anchorsOfEdits(edits: Edit[]): Anchor[] {
  const pieces: Piece[] = [];
  for (const edit of edits) {
    const own = pieces.filter((piece) => piece.edit.path === edit.path);
    // Hunks are applied from the end of the file, so that one hunk does not shift the positions of the next.
    for (const hunk of [...edit.hunks].reverse()) {
      for (const hash of hunk.removed) removeLine(own, hash);
      for (const piece of own)
        if (hunk.newStart > 0 && piece.start > hunk.newStart)
          piece.start += hunk.added.length - hunk.removed.length;
    }
    for (const hunk of edit.hunks)
      pieces.push({
        edit,
        start: hunk.newStart,
        added: hunk.added.filter(isLine),
        replaced: { start: hunk.oldStart, hashes: hunk.removed.filter(isLine) },
      });
  }
  return pieces
    .filter(({ added }) => added.length > 0)
    .map(({ edit, start, added, replaced }) => ({
      path: edit.path,
      start: Math.max(0, start),
      lines: { kind: 'hashes', hashes: added.slice(0, maxLines), replaced },
      commit: edit.head,
      branch: edit.branch,
      at: edit.at,
    }));
}

/** Removes a line from the pieces. If several lines are equal, it removes the one that was written last. */
function removeLine(pieces: Piece[], hash: string): void {
  for (const { added } of pieces.toReversed()) {
    const at = added.lastIndexOf(hash);
    if (at === -1) continue;
    added.splice(at, 1);
    return;
  }
}

/** Anchors for the lines that the agent read, in files that `isNamed` accepts. */
export const anchorsOfReads = (reads: ReadStep[], isNamed: (path: string) => boolean): Anchor[] =>
  reads
    .filter(({ path, hash, lines }) => hash !== '' && lines > 0 && isNamed(path))
    .map(({ path, startLine, lines, hash, head, at }) => ({
      path,
      start: startLine,
      lines: { kind: 'span', count: lines, hash },
      commit: head,
      branch: '',
      at,
    }));
