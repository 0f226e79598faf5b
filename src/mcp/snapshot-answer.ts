import type { Snapshot, SnapshotManifest } from '../domain/snapshot.ts';
import { itemsThatFit } from './session-answer.ts';

const shownDirtyBytes = 4_000;

export const shownManifest = (manifest: SnapshotManifest): SnapshotManifest => ({
  ...manifest,
  repo_dirty_files: itemsThatFit(manifest.repo_dirty_files, shownDirtyBytes),
});

/**
 * Returns the newest part of a snapshot that fits into an answer, because a snapshot may have a megabyte. `truncated`
 * says whether there is more.
 */
export function shownSnapshot(snapshot: Snapshot) {
  const { working_set } = snapshot;
  const shown = {
    manifest: shownManifest(snapshot.manifest),
    working_set: {
      ...working_set,
      files_read: itemsThatFit(working_set.files_read, 2_500),
      searches_run: itemsThatFit(working_set.searches_run, 1_000),
      frecency_top_n: itemsThatFit(working_set.frecency_top_n, 1_000),
    },
    action_log: itemsThatFit([...snapshot.action_log].reverse(), 4_500).reverse(),
    decisions: itemsThatFit(snapshot.decisions, 2_000),
    pinned_snippets: itemsThatFit(snapshot.pinned_snippets, 2_000),
  };
  return { snapshot: shown, truncated: JSON.stringify(shown) !== JSON.stringify(snapshot) };
}
