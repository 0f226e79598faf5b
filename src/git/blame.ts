import { streamIn } from './in-repository.ts';

/** Where a line comes from, according to git. */
export interface BlamedLine {
  /** In the file as it is now, from 1. */
  line: number;
  text: string;
  /** Empty for a line that is in no commit yet. */
  commit: string;
  /** What the file was called there, and where the line stood in it. */
  path: string;
  lineThen: number;
  /** The commit before, with the file's name in it; undefined where the file began. */
  previous: { commit: string; path: string } | undefined;
  author: string;
  /** Milliseconds since 1970; of the commit, not of the patch in it. */
  at: number;
  summary: string;
}

/** From 1, both ends included. */
export interface LineRange {
  from: number;
  to: number;
}

export type Blame = { kind: 'lines'; lines: BlamedLine[] } | { kind: 'failed'; message: string };

/**
 * `git blame -w -C` of the asked lines and no others, read as it comes: whitespace alone is no change, and lines that
 * were moved or copied from a file of the same commit are followed there.
 */
export async function blame(
  root: string,
  path: string,
  { range, revision }: { range?: LineRange | undefined; revision?: string } = {},
): Promise<Blame> {
  const args = ['--literal-pathspecs', 'blame', '--porcelain', '--no-textconv', '-w', '-C'];
  // Git cuts an end that lies beyond the file's.
  if (range !== undefined) args.push('-L', `${range.from},${range.to}`);
  if (revision !== undefined) args.push(revision);
  const git = streamIn(root, [...args, '--', path]);
  if (git === undefined) return { kind: 'failed', message: `${root} is not a git repository` };
  const reader = readPorcelain();
  const decoder = new TextDecoder();
  let held = '';
  for await (const piece of git.pieces) {
    const lines = (held + decoder.decode(piece, { stream: true })).split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) reader.read(line);
  }
  const { code, message } = await git.ended;
  if (code === 0) return { kind: 'lines', lines: reader.lines };
  return { kind: 'failed', message: message || `git blame ended with ${code}` };
}

type CommitFields = Pick<BlamedLine, 'author' | 'at' | 'summary' | 'previous' | 'path'>;

/** What is said of a commit stands before the first of its lines only; a file's name again where it is another. */
export function readPorcelain(): { lines: BlamedLine[]; read(line: string): void } {
  const commits = new Map<string, CommitFields>();
  const lines: BlamedLine[] = [];
  let head = { commit: '', lineThen: 0, line: 0 };
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
        head = { commit: start[1] as string, lineThen: Number(start[2]), line: Number(start[3]) };
        previous = undefined;
        return;
      }
      const space = line.indexOf(' ');
      const [name, value] = space === -1 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
      const fields = fieldsOf(commits, head.commit);
      if (name === 'author') fields.author = value;
      else if (name === 'committer-time') fields.at = Number(value) * 1000;
      else if (name === 'summary') fields.summary = value;
      else if (name === 'previous') previous = namedIn(value);
      // The last thing said of an origin; a file that began there has no previous one, whatever another file had.
      else if (name === 'filename') Object.assign(fields, { path: value, previous });
    },
  };
}

const namedIn = (value: string) => ({
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
