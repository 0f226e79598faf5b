import { gitFoldersOf } from './git-folders.ts';
import { resultIn } from './in-repository.ts';
import { readRef } from './repository.ts';

/** Larger ones are read to be thrown away: nobody asks about a line of those. */
const maxObjectBytes = 8 * 1024 * 1024;
const maxBatchBytes = 512 * 1024 * 1024;
const defaultTimeoutMs = 60_000;
/** A name ends with its line; one that holds more than one line cannot be asked for. */
const isAskable = (name: string): boolean => name !== '' && !/[\n\r\0]/.test(name);

/**
 * Objects by name, such as a commit's hash or `commit:path`, read by one git process. What is not there is not in the
 * answer. No filter or diff program is run.
 */
export async function readObjects(
  root: string,
  asked: Iterable<string>,
  timeoutMs?: number,
): Promise<Map<string, string>> {
  const names = [...new Set(asked)].filter(isAskable);
  const found = new Map<string, string>();
  if (names.length === 0 || (timeoutMs ?? 1) <= 0) return found;
  const asking = new Map(names.map((name) => [name, withoutRef(root, name)]));
  const result = await resultIn(root, ['cat-file', '--batch'], {
    input: `${[...asking.values()].join('\n')}\n`,
    timeoutMs: timeoutMs ?? defaultTimeoutMs,
    maxBytes: maxBatchBytes,
  });
  // Git may have been ended before it came to every name; what it did answer counts.
  if (result !== undefined) parseBatch(result.output, names, found);
  return found;
}

/** Git is shown no refs of the repository, so the branch in `refs/heads/name:path` is looked up here. */
function withoutRef(root: string, name: string): string {
  const ref = /^refs\/[^:]+(?=:)/.exec(name)?.[0];
  const folders = ref === undefined ? undefined : gitFoldersOf(root);
  return ref === undefined || folders === undefined
    ? name
    : `${readRef(folders.common, ref) || ref}${name.slice(ref.length)}`;
}

/** Answers come in the order of the questions: a line with kind and size, then the bytes. */
function parseBatch(bytes: Buffer, names: string[], found: Map<string, string>): void {
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
