import { createTwoFilesPatch } from 'diff';
import { isWholeFile, type MemoStep } from '../domain/memo.ts';
import type { PieceInContext } from './context-contents.ts';
import { seenLines } from './text-seen-by-agent.ts';

const contextLines = 2;
/** Maximum length of a diff in an answer. If the diff is longer, it is cheaper to read the file again. */
const maxDiffLength = 8_000;

/** A unified diff from the lines that an agent saw to the file now; undefined if the old lines cannot be recovered. */
export function changesSince(
  changed: PieceInContext[],
  disk: string[],
  path: string,
  view: { root: string; userHome: string; key: string; steps: MemoStep[] },
): string | undefined {
  const diffs: string[] = [];
  for (const piece of changed) {
    const seen = seenLines(piece, { ...view, path });
    if (seen === undefined) return undefined;
    const now = isWholeFile(piece)
      ? disk
      : disk.slice(piece.startLine - 1, piece.startLine - 1 + piece.lines);
    const name = isWholeFile(piece) ? path : `${path} from line ${piece.startLine}`;
    diffs.push(diffOf(name, seen, now));
  }
  const diff = diffs.join('\n');
  return diff.length > maxDiffLength ? undefined : diff;
}

function diffOf(name: string, seen: string[], now: string[]): string {
  const patch = createTwoFilesPatch(
    `${name} (as you saw it)`,
    `${name} (now)`,
    `${seen.join('\n')}\n`,
    `${now.join('\n')}\n`,
    '',
    '',
    { context: contextLines },
  );
  return patch.replace(/^=+\n/, '').trimEnd();
}
