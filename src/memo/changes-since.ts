import { createTwoFilesPatch } from 'diff';
import { isWholeFile, type MemoStep } from '../domain/memo.ts';
import type { PieceInContext } from './context-contents.ts';
import { seenLines } from './text-seen-by-agent.ts';

const context = 2;
/** An agent's answer has room for no more; beyond it, reading the file is the shorter way. */
const maxDiffChars = 8_000;

/** What has become of the lines an agent saw, as a unified diff; undefined when what it saw is not to be had any more. */
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
  return diff.length > maxDiffChars ? undefined : diff;
}

function diffOf(name: string, seen: string[], now: string[]): string {
  const patch = createTwoFilesPatch(
    `${name} (as you saw it)`,
    `${name} (now)`,
    `${seen.join('\n')}\n`,
    `${now.join('\n')}\n`,
    '',
    '',
    { context },
  );
  return patch.replace(/^=+\n/, '').trimEnd();
}
