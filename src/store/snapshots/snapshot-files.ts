import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../../base/errors.ts';
import { ensureDirectory, namesIn, readJson, replaceFile } from '../../base/files.ts';
import type { Snapshot } from '../../domain/snapshot.ts';

export interface ForgetRequest {
  /** Ids of events and notes. */
  ids: ReadonlySet<string>;
  /** Whether any part of a snapshot contains the text. */
  hasText(part: unknown): boolean;
}

/** Matches the id of a snapshot. The id is a file name, so it may not contain a slash or lead out of the folder. */
export const snapshotId = /^snap_[A-Za-z0-9._-]{1,150}$/;

/** Stores snapshots as files: `snapshots/<id>/snapshot.json`. Each is written once, atomically. */
export function createSnapshotFiles(folder: string) {
  const fileOf = (id: string): string => join(folder, id, 'snapshot.json');
  const ids = (): string[] => namesIn(folder).filter((name) => snapshotId.test(name));
  const read = (id: string): Snapshot | undefined => {
    const snapshot = readJson<Snapshot>(fileOf(id));
    return snapshot?.manifest?.schema_version === 1 ? snapshot : undefined;
  };
  const write = (snapshot: Snapshot): void =>
    replaceFile(fileOf(snapshot.manifest.snapshot_id), `${JSON.stringify(snapshot)}\n`);

  return {
    /** Reserves and returns a free id that starts with `wanted`, by creating its folder. */
    claim(wanted: string) {
      ensureDirectory(folder);
      for (let count = 1; ; count++) {
        const id = count === 1 ? wanted : `${wanted}-${count}`;
        try {
          mkdirSync(join(folder, id), { mode: 0o700 });
          return id;
        } catch (error) {
          if (systemCodeOf(error) !== 'EEXIST') throw error;
        }
      }
    },
    put: write,
    get: (id: string) => (snapshotId.test(id) ? read(id) : undefined),
    list: () =>
      ids()
        .flatMap((id) => read(id) ?? [])
        .sort((a, b) => order(a) - order(b) || (a.manifest.snapshot_id < b.manifest.snapshot_id ? -1 : 1)),
    /** The names contain the time, so snapshots from before it are not read. */
    newestSince: (ms: number) =>
      ids()
        .filter((id) => madeAt(id) >= ms)
        .flatMap((id) => read(id) ?? []),
    removeOlder(ms: number) {
      for (const id of ids().filter((name) => madeAt(name) < ms))
        rmSync(join(folder, id), { recursive: true, force: true, maxRetries: 5 });
    },
    folder: (id: string) => join(folder, id),
    // A folder without a file belongs to an interrupted save.
    unreadable: () => ids().filter((id) => existsSync(fileOf(id)) && read(id) === undefined),
    /**
     * Removes everything that matches the request from every snapshot, including references to it. Returns how
     * many snapshots changed.
     */
    scrub(request: ForgetRequest) {
      let changed = 0;
      for (const id of ids()) {
        const snapshot = read(id);
        if (snapshot === undefined) {
          // Incomplete or damaged: its content cannot be checked.
          rmSync(join(folder, id), { recursive: true, force: true, maxRetries: 5 });
          continue;
        }
        const clean = removeForgotten(snapshot, request);
        if (JSON.stringify(clean) === JSON.stringify(snapshot)) continue;
        write(clean);
        changed++;
      }
      return changed;
    },
  };
}

export type SnapshotFiles = ReturnType<typeof createSnapshotFiles>;

const madeAt = (id: string): number => Number(/^snap_(\d+)/.exec(id)?.[1] ?? 0) * 1000;

const order = ({ manifest }: Snapshot): number => manifest.created_at;

function removeForgotten(snapshot: Snapshot, { ids, hasText }: ForgetRequest): Snapshot {
  const isKept = (part: object): boolean => {
    const id = 'source' in part ? part.source : 'id' in part ? part.id : '';
    return !ids.has(String(id)) && !hasText(part);
  };
  // In a snapshot, a search ends with the start of its event's id, so a forgotten search is found by that. A file is
  // forgotten if only forgotten actions concern it.
  const marks = new Set([...ids].map((id) => id.slice(0, 8)));
  const isSearchForgotten = (search: string): boolean => marks.has(search.slice(search.lastIndexOf('-') + 1));
  const pathsOf = (isForgotten: boolean) =>
    new Set(snapshot.action_log.flatMap(({ id, path }) => (ids.has(id) === isForgotten ? [path] : [])));
  const [forgottenPaths, keptPaths] = [pathsOf(true), pathsOf(false)];
  const isUsed = ({ path }: { path: string }): boolean => !forgottenPaths.has(path) || keptPaths.has(path);
  const { manifest, working_set } = snapshot;
  const isGoalForgotten =
    hasText(manifest.goal) ||
    // A goal that the user did not state is the start of a prompt, so it goes with that prompt.
    snapshot.action_log.some(
      ({ id, text }) => ids.has(id) && text !== undefined && containsGoal(text, manifest.goal),
    );
  return {
    ...snapshot,
    manifest: {
      ...manifest,
      goal: isGoalForgotten ? '[forgotten]' : manifest.goal,
      repo_dirty_files: manifest.repo_dirty_files.filter((path) => !hasText(path)),
      repo_dirty_hashes: manifest.repo_dirty_hashes.filter(({ path }) => !hasText(path)),
    },
    working_set: {
      ...working_set,
      files_read: working_set.files_read.filter((file) => isUsed(file) && isKept(file)),
      searches_run: working_set.searches_run.filter(
        (run) => !isSearchForgotten(run.search_id) && isKept(run),
      ),
      frecency_top_n: working_set.frecency_top_n.filter((file) => isUsed(file) && isKept(file)),
    },
    action_log: snapshot.action_log.filter(isKept),
    decisions: snapshot.decisions.filter(isKept),
    pinned_snippets: snapshot.pinned_snippets.filter(isKept),
  };
}

const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
const containsGoal = (text: string, goal: string): boolean =>
  plain(goal) !== '' && plain(text).includes(plain(goal.replace(/…$/, '')).slice(0, 80));
