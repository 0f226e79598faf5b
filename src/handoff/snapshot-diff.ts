import type { Snapshot } from '../domain/snapshot.ts';

/** Compares the working sets of two snapshots: added, removed and changed files, and searches. */
export function diffSnapshots(a: Snapshot, b: Snapshot) {
  const [before, after] = [a, b].map(
    ({ working_set }) =>
      new Map(working_set.files_read.map(({ path, content_hash }) => [path, content_hash])),
  ) as [Map<string, string>, Map<string, string>];
  const [searchesBefore, searchesAfter] = [a, b].map(({ working_set }) =>
    working_set.searches_run.map(({ search_id }) => search_id),
  ) as [string[], string[]];
  return {
    added_files: [...after.keys()].filter((path) => !before.has(path)).sort(),
    removed_files: [...before.keys()].filter((path) => !after.has(path)).sort(),
    changed_files: [...after]
      .flatMap(([path, hash]) => (before.has(path) && before.get(path) !== hash ? [path] : []))
      .sort(),
    added_searches: searchesAfter.filter((id) => !searchesBefore.includes(id)).sort(),
    removed_searches: searchesBefore.filter((id) => !searchesAfter.includes(id)).sort(),
  };
}
