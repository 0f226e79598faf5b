import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Snapshot } from '../../domain/snapshot.ts';
import { createSnapshotFiles } from './snapshot-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backstory-snapshots-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('forgets an event together with its search and the files that no other event used', () => {
  const files = createSnapshotFiles(folder);
  const snapshot_id = files.claim('snap_1_work');
  const [read, again, search] = ['aaaaaaaa1', 'bbbbbbbb2', 'cccccccc3'];
  const run = (search_id: string) => ({ search_id, tool: 'search_content', query: 'ibis' });
  const named = [{ path: 'once.ts' }, { path: 'twice.ts' }, { path: 'older.ts' }];
  files.put({
    manifest: {
      schema_version: 1,
      snapshot_id,
      goal: '',
      repo_dirty_files: [],
      repo_dirty_hashes: [],
      created_at: 1,
    },
    working_set: {
      schema_version: 1,
      files_read: named,
      searches_run: [run('search-0001-cccccccc'), run('search-0001-dddddddd')],
      frecency_top_n: named,
    },
    action_log: [
      { id: read, kind: 'read', path: 'once.ts' },
      { id: read, kind: 'read', path: 'twice.ts' },
      { id: again, kind: 'read', path: 'twice.ts' },
      { id: search, kind: 'search', text: 'ibis' },
    ],
    decisions: [],
    pinned_snippets: [],
  } as unknown as Snapshot);
  files.scrub({ ids: new Set([read, search]), hasText: () => false });
  const kept = [{ path: 'twice.ts' }, { path: 'older.ts' }];
  expect(files.get(snapshot_id)).toMatchObject({
    working_set: {
      files_read: kept,
      searches_run: [{ search_id: 'search-0001-dddddddd' }],
      frecency_top_n: kept,
    },
    action_log: [{ id: again }],
  });
});
