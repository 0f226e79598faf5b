import { sha256 } from '../base/ids.ts';
import type { Snapshot, SnapshotManifest } from '../domain/snapshot.ts';
import { committedFile } from '../git/objects.ts';
import { filesBetween } from '../git/uncommitted-changes.ts';

/** The content of a working tree: a commit, and the hash of each file that differs from it; '' if it is deleted. */
interface TreeState {
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

/** The files and searches that the working set gained or lost, and files that changed, by whomever. */
export async function diffSnapshots(root: string, a: Snapshot, b: Snapshot) {
  const [before, after] = [a, b].map(
    ({ working_set }) =>
      new Map(working_set.files_read.map(({ path, content_hash }) => [path, content_hash])),
  ) as [Map<string, string>, Map<string, string>];
  const [searchesBefore, searchesAfter] = [a, b].map(({ working_set }) =>
    working_set.searches_run.map(({ search_id }) => search_id),
  ) as [string[], string[]];
  // Without git, only the files of the working set are compared.
  const changed = [...after].flatMap(([path, hash]) =>
    before.has(path) && before.get(path) !== hash ? [path] : [],
  );
  return {
    added_files: [...after.keys()].filter((path) => !before.has(path)).sort(),
    removed_files: [...before.keys()].filter((path) => !after.has(path)).sort(),
    changed_files: [
      ...new Set([...changed, ...(await changedBetween(root, snapshotTree(a), snapshotTree(b)))]),
    ].sort(),
    added_searches: searchesAfter.filter((id) => !searchesBefore.includes(id)).sort(),
    removed_searches: searchesBefore.filter((id) => !searchesAfter.includes(id)).sort(),
  };
}
