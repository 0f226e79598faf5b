import { gitIn } from './in-repository.ts';
import { parsePatch } from './patch.ts';

/** The lines added by these commits, with one git process. Merges have none; too large an output gives none. */
export async function commitLines(root: string, commits: string[], timeoutMs: number) {
  const hashes = commits.filter((commit) => /^[0-9a-f]{7,64}$/.test(commit));
  if (hashes.length === 0) return [];
  const options = ['--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];
  const form = ['--unified=0', '--format=%x1e%H %ct'];
  const output = await gitIn(root, ['show', ...options, ...form, ...hashes, '--'], timeoutMs);
  return readCommits(output ?? '');
}

/** Reads what git prints in the form above. */
export function readCommits(output: string) {
  const [, ...records] = output.split('\x1e');
  return records.map((record) => {
    const [head = '', ...patch] = record.split('\n');
    const [hash = '', seconds] = head.split(' ');
    return {
      hash,
      /** Committer time. */
      at: Number(seconds) * 1000,
      added: parsePatch(patch.join('\n')).flatMap(({ path, hunks }) =>
        hunks.flatMap(({ start, added: lines }) =>
          path === '' || lines.length === 0 ? [] : [{ path, start, lines }],
        ),
      ),
    };
  });
}
