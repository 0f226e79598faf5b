import type { Snapshot, SnapshotManifest } from '../domain/snapshot.ts';
import { fitting } from './session-answer.ts';

const shownDirtyBytes = 4_000;

export const shownManifest = (manifest: SnapshotManifest): SnapshotManifest => ({
  ...manifest,
  repo_dirty_files: fitting(manifest.repo_dirty_files, shownDirtyBytes),
});

/** A snapshot may be a megabyte; an answer has room for the newest of it. `truncated` says that there is more. */
export function shownSnapshot(snapshot: Snapshot) {
  const { working_set } = snapshot;
  const shown = {
    manifest: shownManifest(snapshot.manifest),
    working_set: {
      ...working_set,
      files_read: fitting(working_set.files_read, 2_500),
      searches_run: fitting(working_set.searches_run, 1_000),
      frecency_top_n: fitting(working_set.frecency_top_n, 1_000),
    },
    action_log: fitting([...snapshot.action_log].reverse(), 4_500).reverse(),
    decisions: fitting(snapshot.decisions, 2_000),
    pinned_snippets: fitting(snapshot.pinned_snippets, 2_000),
  };
  return { snapshot: shown, truncated: JSON.stringify(shown) !== JSON.stringify(snapshot) };
}
