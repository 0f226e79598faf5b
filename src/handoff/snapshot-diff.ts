import type { Snapshot } from '../domain/snapshot.ts';
import { changedBetween, snapshotTree } from './changed-since.ts';

/**
 * Compares two snapshots: files and searches that the working set gained or lost, and files whose content changed, by
 * whomever.
 */
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
