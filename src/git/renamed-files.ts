import { type BlamedLine, blame } from './blame.ts';

/** Git takes lines for moved from another file only together, from about forty letters on. */
const around = 15;
const fewLetters = 40;
const maxMoves = 4;

/**
 * Where a line really began, if the commit that blame names only moved it there. Asked about one short line, git cannot
 * see that it was moved; so that one commit is looked at once more, with the lines around it, and where the line came
 * from another file its history is followed from there.
 */
export async function renamedFrom(root: string, line: BlamedLine): Promise<BlamedLine> {
  let found = line;
  for (let moves = 0; moves < maxMoves; moves++) {
    if (found.commit === '' || found.text.replace(/[^\p{L}\p{N}]/gu, '').length >= fewLetters) return found;
    const { commit, path, lineThen } = found;
    const range = { from: Math.max(1, lineThen - around), to: lineThen + around };
    const seen = await blame(root, path, { range, revision: `${commit}^!` });
    const here = seen.kind === 'lines' ? seen.lines.find((each) => each.line === lineThen) : undefined;
    if (here === undefined || here.commit === commit) return found;
    const from = { from: here.lineThen, to: here.lineThen };
    const earlier = await blame(root, here.path, { range: from, revision: here.commit });
    const origin = earlier.kind === 'lines' ? earlier.lines[0] : undefined;
    if (origin === undefined) return found;
    found = { ...origin, line: line.line, text: line.text };
  }
  return found;
}
