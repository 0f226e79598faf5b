import { join } from 'node:path';
import { stampAt } from '../base/plain-file.ts';
import { readGitFile } from './git-dir.ts';

/** What every hook reads of a git directory. It needs no other code, because a hook must load fast. */

export const isCommitHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

const maxPackedRefsBytes = 64 * 1024 * 1024;

/** Reads branch and commit without starting a process. `head` is empty before the first commit. */
export function readHead(gitDir: string, commonDir: string): { branch: string; head: string } {
  const text = readGitFile(join(gitDir, 'HEAD'))?.trim() ?? '';
  if (!text.startsWith('ref: ')) return { branch: '', head: commitIn(text) };
  const ref = text.slice('ref: '.length);
  return isRefName(ref)
    ? { branch: ref.replace(/^refs\/heads\//, ''), head: readRef(commonDir, ref) }
    : { branch: '', head: '' };
}

/** Any other name could point outside. `.invalid` is a placeholder for refs stored in another format. */
const isRefName = (ref: string): boolean => /^refs\/[^\0\n\\]+$/.test(ref) && !/\/\.|\.\./.test(ref);

/** Returns the commit of a ref such as `refs/heads/main`, or an empty string if there is no such ref. */
export function readRef(commonDir: string, ref: string): string {
  if (!isRefName(ref)) return '';
  const loose = readGitFile(join(commonDir, ref));
  if (loose !== undefined) return commitIn(loose.trim());
  const packed = readGitFile(join(commonDir, 'packed-refs'), maxPackedRefsBytes) ?? '';
  const line = packed.split('\n').find((candidate) => candidate.endsWith(` ${ref}`));
  return commitIn(line?.split(' ')[0] ?? '');
}

const commitIn = (text: string): string => (isCommitHash(text) ? text : '');

/** Changes when a remote is added or renamed, so that a cached project identity is valid until then. */
export function configStamp(commonDir: string): string {
  const stamp = stampAt(join(commonDir, 'config'));
  return stamp === undefined ? '' : `${stamp.mtimeMs}:${stamp.size}`;
}
