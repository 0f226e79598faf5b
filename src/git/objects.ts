import { gitFoldersOf } from './git-folders.ts';
import { readRef } from './head.ts';
import { gitInSync, resultIn } from './in-repository.ts';
import { repositoryAt } from './repository.ts';

/** Larger objects are skipped, because they are data and not code that people ask about. */
const maxObjectBytes = 8 * 1024 * 1024;
const maxBatchBytes = 512 * 1024 * 1024;
const defaultTimeoutMs = 60_000;
/** `cat-file --batch` reads one name per line, so a name with a line break cannot be requested. */
const isSingleLine = (name: string): boolean => name !== '' && !/[\n\r\0]/.test(name);

/** Reads objects by name, such as `commit:path`. Missing ones are left out. Git runs no filter for this. */
export async function readObjects(
  root: string,
  objectNames: Iterable<string>,
  { timeoutMs, maxBytes }: { timeoutMs?: number | undefined; maxBytes?: number } = {},
): Promise<Map<string, string>> {
  const names = [...new Set(objectNames)].filter(isSingleLine);
  const found = new Map<string, string>();
  if (names.length === 0 || (timeoutMs ?? 1) <= 0) return found;
  const requests = new Map(names.map((name) => [name, resolveRef(root, name)]));
  const result = await resultIn(root, ['cat-file', '--batch'], {
    input: `${[...requests.values()].join('\n')}\n`,
    timeoutMs: timeoutMs ?? defaultTimeoutMs,
    maxBytes: maxBytes ?? maxBatchBytes,
  });
  // Git may have been killed before it answered the last name; use what it printed until then.
  if (result !== undefined) parseBatch(result.output, names, found);
  return found;
}

/** The isolated git directory has no refs, so the branch in `refs/heads/name:path` is resolved here. */
function resolveRef(root: string, name: string): string {
  const ref = /^refs\/[^:]+(?=:)/.exec(name)?.[0];
  const folders = ref === undefined ? undefined : gitFoldersOf(root);
  return ref === undefined || folders === undefined
    ? name
    : `${readRef(folders.common, ref) || ref}${name.slice(ref.length)}`;
}

/** Git answers in the order of the names: a line with type and size, then the bytes. */
export function parseBatch(bytes: Buffer, names: string[], found: Map<string, string>): void {
  let at = 0;
  for (const name of names) {
    const end = bytes.indexOf(0x0a, at);
    if (end === -1) return;
    const size = /^[0-9a-f]{40,64} \w+ (\d+)$/.exec(bytes.toString('utf8', at, end))?.[1];
    at = end + 1;
    if (size === undefined) continue;
    const length = Number(size);
    if (length <= maxObjectBytes) found.set(name, bytes.toString('utf8', at, at + length));
    at += length + 1;
  }
}

/** The content of a file in a commit, or undefined. Git runs no filter or diff program for this. */
export function committedFile(root: string, commit: string, path: string): string | undefined {
  if (!/^(?:HEAD|[0-9a-f]{7,64})$/.test(commit)) return undefined;
  const repository = repositoryAt(root);
  if (repository === undefined) return undefined;
  const limits = { timeoutMs: 3_000, maxBytes: 4 * 1024 * 1024 };
  return gitInSync(repository, ['cat-file', 'blob', `${commit}:${path}`], limits);
}
