import { execFileSync } from 'node:child_process';
import { type BlamedLine, readPorcelain } from '../../src/git/blame.ts';

/** Commit times are whole seconds, and the clocks of two machines differ. */
const slackMs = 60_000;

/**
 * What `git blame -w -M -C -C` says of a file. The result tells whether the commit of a line is the one that followed
 * one of these edits: the first of the file that is not older.
 */
export function blameFile(
  root: string,
  path: string,
): (line: number, edits: { at: string }[]) => 'right' | 'wrong' {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  // A mirror may lack large files, which only the second `-C` reads.
  const porcelain = (): string => {
    try {
      return git('blame', '--porcelain', '-w', '-M', '-C', '-C', '--', path);
    } catch {
      return git('blame', '--porcelain', '-w', '-M', '-C', '--', path);
    }
  };
  const reader = readPorcelain();
  for (const line of porcelain().split('\n')) reader.read(line);
  const before = new Map<string, number>();
  /** When the file was last committed before the commit of a line; 0 if never. */
  const committedBefore = ({ commit, previous }: BlamedLine): number => {
    if (previous === undefined) return 0;
    const key = `${commit} ${previous.path}`;
    const known =
      before.get(key) ??
      Number(git('log', '-1', '--format=%ct', previous.commit, '--', previous.path).trim()) * 1000;
    before.set(key, known);
    return known;
  };
  const blamed = new Map(reader.lines.map((line) => [line.line, line]));
  return (number, edits) => {
    const line = blamed.get(number);
    const follows = ({ at }: { at: string }): boolean =>
      line !== undefined &&
      Date.parse(at) <= line.at + slackMs &&
      Date.parse(at) >= committedBefore(line) - slackMs;
    return edits.some(follows) ? 'right' : 'wrong';
  };
}
