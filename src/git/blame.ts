import { linesOf } from '../base/lines.ts';
import { streamIn } from './in-repository.ts';

export interface BlamedLine {
  line: number;
  text: string;
  /** Hash of the commit that last changed the line; empty if the line is not committed yet. */
  commit: string;
  /** Path and line number in that commit. */
  path: string;
  originalLine: number;
  /** The preceding commit and the file's path in it; undefined if that commit created the file. */
  previous: { commit: string; path: string } | undefined;
  author: string;
  /** Committer time. */
  at: number;
  summary: string;
}

/** A range of line numbers, counted from 1; both ends are included. */
export interface LineRange {
  from: number;
  to: number;
}

export type Blame = { kind: 'lines'; lines: BlamedLine[] } | { kind: 'failed'; message: string };

/**
 * Runs `git blame -w` on the given lines only and parses the output as it arrives. Changes of white space alone are
 * ignored. Moved lines are not followed (`-M`, `-C`): that takes ten times as long, depends on which lines are asked
 * for, and takes new code that resembles older code for a copy of it.
 */
export async function blame(
  root: string,
  path: string,
  { range, revision }: { range?: LineRange | undefined; revision?: string } = {},
): Promise<Blame> {
  const args = ['--literal-pathspecs', 'blame', '--porcelain', '--no-textconv', '-w'];
  // Git accepts an end beyond the last line.
  if (range !== undefined) args.push('-L', `${range.from},${range.to}`);
  if (revision !== undefined) args.push(revision);
  const git = streamIn(root, [...args, '--', path]);
  if (git === undefined) return { kind: 'failed', message: `${root} is not a git repository` };
  const reader = readPorcelain();
  for await (const line of linesOf(git.pieces)) reader.read(line);
  const { code, message } = await git.ended;
  if (code === 0) return { kind: 'lines', lines: reader.lines };
  return { kind: 'failed', message: message || `git blame ended with ${code}` };
}

type CommitFields = Pick<BlamedLine, 'author' | 'at' | 'summary' | 'previous' | 'path'>;

/**
 * Parses the porcelain format. Git prints the fields of a commit only before the first of its lines, and
 * repeats the file name where it differs.
 */
export function readPorcelain(): { lines: BlamedLine[]; read(line: string): void } {
  const commits = new Map<string, CommitFields>();
  const lines: BlamedLine[] = [];
  let head = { commit: '', originalLine: 0, line: 0 };
  let previous: BlamedLine['previous'];
  return {
    lines,
    read(line) {
      if (line.startsWith('\t')) {
        const commit = /^0+$/.test(head.commit) ? '' : head.commit;
        lines.push({
          ...head,
          ...fieldsOf(commits, head.commit),
          commit,
          text: line.slice(1).replace(/\r$/, ''),
        });
        return;
      }
      const start = /^([0-9a-f]{40,64}) (\d+) (\d+)/.exec(line);
      if (start !== null) {
        head = { commit: start[1] as string, originalLine: Number(start[2]), line: Number(start[3]) };
        previous = undefined;
        return;
      }
      const [name = ''] = line.split(' ');
      const value = line.slice(name.length + 1);
      const fields = fieldsOf(commits, head.commit);
      if (name === 'author') fields.author = value;
      else if (name === 'committer-time') fields.at = Number(value) * 1000;
      else if (name === 'summary') fields.summary = value;
      else if (name === 'previous') previous = parsePrevious(value);
      // `filename` is the last field of an entry. If the entry has no `previous` field, this commit created the file,
      // even if an earlier entry of the commit, about another file, had one.
      else if (name === 'filename') Object.assign(fields, { path: value, previous });
    },
  };
}

const parsePrevious = (value: string) => ({
  commit: value.slice(0, value.indexOf(' ')),
  path: value.slice(value.indexOf(' ') + 1),
});

function fieldsOf(commits: Map<string, CommitFields>, commit: string): CommitFields {
  const known = commits.get(commit);
  if (known !== undefined) return known;
  const fields: CommitFields = { author: '', at: 0, summary: '', previous: undefined, path: '' };
  commits.set(commit, fields);
  return fields;
}
