import { sha256 } from '../base/ids.ts';
import type { Snapshot, SnapshotManifest } from '../domain/snapshot.ts';
import { committedFile } from '../git/objects.ts';
import { filesBetween } from '../git/uncommitted-changes.ts';

/** The content of a working tree: a commit, and the hash of each file that differs from it; '' if it is deleted. */
export interface TreeState {
  commit: string;
  dirty: Map<string, string>;
}

export const treeOf = (commit: string, dirty: SnapshotManifest['repo_dirty_hashes']): TreeState => ({
  commit,
  dirty: new Map(dirty.map(({ path, content_hash }) => [path, content_hash])),
});
export const snapshotTree = ({ manifest }: Snapshot): TreeState =>
  treeOf(manifest.repo_commit, manifest.repo_dirty_hashes);

/** The first 32 digits, as `WorkingFile.content_hash` has them. */
export const contentHash = (content: string | Buffer): string => sha256(content).slice(0, 32);

/** The files whose content differs between two states, in order; read or not. */
export async function changedBetween(root: string, before: TreeState, after: TreeState): Promise<string[]> {
  const hashIn = ({ commit, dirty }: TreeState, path: string): string => {
    const text = dirty.get(path) === undefined ? committedFile(root, commit, path) : undefined;
    return dirty.get(path) ?? (text === undefined ? '' : contentHash(text));
  };
  const dirty = [...new Set([...before.dirty.keys(), ...after.dirty.keys()])];
  const changed = dirty.filter((path) => hashIn(before, path) !== hashIn(after, path));
  const committed = await filesBetween(root, before.commit, after.commit);
  return [...changed, ...committed.filter((path) => !dirty.includes(path))].sort();
}
