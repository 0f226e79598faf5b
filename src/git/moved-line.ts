import { type BlamedLine, blame } from './blame.ts';

/**
 * Lines before and after a moved line that are passed to git with it, because git detects moves only of blocks with at
 * least about 40 letters and digits.
 */
const contextLines = 15;
const minMovedLetters = 40;
const maxMoves = 4;

/**
 * Finds the origin of a line if the commit reported by blame only moved it from another file. For a single
 * short line git cannot detect the move, so this runs blame on that commit again with the surrounding lines.
 * If the line came from another file, the search continues in that file.
 */
export async function originOfMovedLine(root: string, line: BlamedLine): Promise<BlamedLine> {
  let found = line;
  for (let moves = 0; moves < maxMoves; moves++) {
    if (found.commit === '' || found.text.replace(/[^\p{L}\p{N}]/gu, '').length >= minMovedLetters)
      return found;
    const { commit, path, originalLine } = found;
    const range = { from: Math.max(1, originalLine - contextLines), to: originalLine + contextLines };
    const seen = await blame(root, path, { range, revision: `${commit}^!` });
    const here = seen.kind === 'lines' ? seen.lines.find((each) => each.line === originalLine) : undefined;
    if (here === undefined || here.commit === commit) return found;
    const from = { from: here.originalLine, to: here.originalLine };
    const earlier = await blame(root, here.path, { range: from, revision: here.commit });
    const origin = earlier.kind === 'lines' ? earlier.lines[0] : undefined;
    if (origin === undefined) return found;
    found = { ...origin, line: line.line, text: line.text };
  }
  return found;
}
