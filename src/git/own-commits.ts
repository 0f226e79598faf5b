import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { statsAt } from '../base/plain-file.ts';
import { isCommitHash } from './head.ts';
import { gitInSync } from './in-repository.ts';
import type { Repository } from './repository.ts';

/** Short, because a hook that sees a folder for the first time waits for git. */
const timeoutMs = 1_500;

/**
 * Returns the first commit of a repository. Undefined in a shallow clone, whose oldest commit is not the first, and
 * if the repository borrows objects from another one.
 */
export function rootCommit(repository: Repository): string | undefined {
  if (repository.isShallow || borrowsObjects(repository)) return undefined;
  const roots = gitInSync(repository, ['rev-list', '--max-parents=0', 'HEAD'], { timeoutMs }) ?? '';
  return roots.split('\n').filter(isCommitHash).sort()[0];
}

export function ownCommits(repository: Repository, hashes: Iterable<string>): Set<string> {
  const unique = [...new Set(hashes)].filter(isCommitHash);
  if (unique.length === 0 || borrowsObjects(repository)) return new Set();
  const input = `${unique.join('\n')}\n`;
  const output = gitInSync(repository, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    timeoutMs,
    input,
  });
  const found = (output ?? '').split('\n').filter((line) => line.endsWith(' commit'));
  return new Set(
    found.map((line) => line.slice(0, line.indexOf(' '))).filter((hash) => hasOwn(repository, hash)),
  );
}

/** An unpacked archive can link to the objects of any repository here, and would seem to share its history. */
function borrowsObjects({ commonDir }: Repository): boolean {
  const objects = join(commonDir, 'objects');
  return (
    statsAt(join(objects, 'info', 'alternates')) !== undefined ||
    [commonDir, objects, join(objects, 'info')].some((path) => statsAt(path)?.isSymbolicLink() === true) ||
    [objects, join(objects, 'pack')].some(hasLinks)
  );
}

const hasOwn = ({ commonDir }: Repository, hash: string): boolean =>
  !hasLinks(join(commonDir, 'objects', hash.slice(0, 2)));

function hasLinks(folder: string): boolean {
  try {
    return readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isSymbolicLink());
  } catch {
    return false;
  }
}
