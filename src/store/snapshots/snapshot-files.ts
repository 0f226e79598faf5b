import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../../base/errors.ts';
import { ensureDirectory, readJson, replaceFile } from '../../base/files.ts';
import type { Snapshot } from '../../domain/snapshot.ts';

/** Snapshots as files: `snapshots/<id>/snapshot.json`, each written once and whole. */
export interface SnapshotFiles {
  /** A free id that begins like this; the folder is then taken. */
  claim(wanted: string): string;
  put(snapshot: Snapshot): void;
  get(id: string): Snapshot | undefined;
  /** Newest last. */
  list(): Snapshot[];
  /** Made after this time, told by their names, so that older ones need not be read. */
  newestSince(ms: number): Snapshot[];
  removeOlder(ms: number): void;
  folder(id: string): string;
  /** The ids of those whose file is missing or not a snapshot. */
  unreadable(): string[];
  /** Takes out of every snapshot what an id or a text is found in; whatever names it goes. Counts what changed. */
  scrub(doomed: Doomed): number;
}

export interface Doomed {
  /** Events and notes. */
  ids: ReadonlySet<string>;
  /** Of anything a snapshot holds. */
  hasText(part: unknown): boolean;
}

/** Also keeps an id from leading out of the folder. */
export const snapshotId = /^snap_[A-Za-z0-9._-]{1,150}$/;

export function createSnapshotFiles(folder: string): SnapshotFiles {
  const fileOf = (id: string): string => join(folder, id, 'snapshot.json');
  const ids = (): string[] => {
    try {
      return readdirSync(folder).filter((name) => snapshotId.test(name));
    } catch (error) {
      if (systemCodeOf(error) === 'ENOENT') return [];
      throw error;
    }
  };
  const read = (id: string): Snapshot | undefined => {
    const snapshot = readJson<Snapshot>(fileOf(id));
    return snapshot?.manifest?.schema_version === 1 ? snapshot : undefined;
  };
  const write = (snapshot: Snapshot): void =>
    replaceFile(fileOf(snapshot.manifest.snapshot_id), `${JSON.stringify(snapshot)}\n`);

  return {
    claim(wanted) {
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
    get: (id) => (snapshotId.test(id) ? read(id) : undefined),
    list: () =>
      ids()
        .flatMap((id) => read(id) ?? [])
        .sort((a, b) => order(a) - order(b) || (a.manifest.snapshot_id < b.manifest.snapshot_id ? -1 : 1)),
    newestSince: (ms) =>
      ids()
        .filter((id) => madeAt(id) >= ms)
        .flatMap((id) => read(id) ?? []),
    removeOlder(ms) {
      for (const id of ids().filter((name) => madeAt(name) < ms))
        rmSync(join(folder, id), { recursive: true, force: true });
    },
    folder: (id) => join(folder, id),
    // A folder without a file was claimed by somebody who was interrupted.
    unreadable: () => ids().filter((id) => existsSync(fileOf(id)) && read(id) === undefined),
    scrub(doomed) {
      let changed = 0;
      for (const id of ids()) {
        const snapshot = read(id);
        if (snapshot === undefined) {
          // Half-made or damaged: nobody can say what is in it.
          rmSync(join(folder, id), { recursive: true, force: true });
          continue;
        }
        const clean = without(snapshot, doomed);
        if (JSON.stringify(clean) === JSON.stringify(snapshot)) continue;
        write(clean);
        changed++;
      }
      return changed;
    },
  };
}

const madeAt = (id: string): number => Number(/^snap_(\d+)/.exec(id)?.[1] ?? 0) * 1000;

const order = ({ manifest }: Snapshot): number => manifest.created_at;

function without(snapshot: Snapshot, { ids, hasText }: Doomed): Snapshot {
  const stays = (part: object): boolean => {
    const id = 'source' in part ? part.source : 'id' in part ? part.id : '';
    return !ids.has(String(id)) && !hasText(part);
  };
  // A search is known by the beginning of its event's id, a file by what was done with it.
  const marks = new Set([...ids].map((id) => id.slice(0, 8)));
  const isSearchDoomed = (search: string): boolean => marks.has(search.slice(search.lastIndexOf('-') + 1));
  const pathsOf = (isDoomed: boolean) =>
    new Set(snapshot.action_log.flatMap(({ id, path }) => (ids.has(id) === isDoomed ? [path] : [])));
  const [doomedPaths, keptPaths] = [pathsOf(true), pathsOf(false)];
  const isUsed = ({ path }: { path: string }): boolean => !doomedPaths.has(path) || keptPaths.has(path);
  const { manifest, working_set } = snapshot;
  const isGoalDoomed =
    hasText(manifest.goal) ||
    // An implicit goal is the beginning of a prompt.
    snapshot.action_log.some(
      ({ id, text }) => ids.has(id) && text !== undefined && saysSame(text, manifest.goal),
    );
  return {
    ...snapshot,
    manifest: {
      ...manifest,
      goal: isGoalDoomed ? '[forgotten]' : manifest.goal,
      repo_dirty_files: manifest.repo_dirty_files.filter((path) => !hasText(path)),
    },
    working_set: {
      ...working_set,
      files_read: working_set.files_read.filter((file) => isUsed(file) && stays(file)),
      searches_run: working_set.searches_run.filter((run) => !isSearchDoomed(run.search_id) && stays(run)),
      frecency_top_n: working_set.frecency_top_n.filter((file) => isUsed(file) && stays(file)),
    },
    action_log: snapshot.action_log.filter(stays),
    decisions: snapshot.decisions.filter(stays),
    pinned_snippets: snapshot.pinned_snippets.filter(stays),
  };
}

const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
const saysSame = (text: string, goal: string): boolean =>
  plain(goal) !== '' && plain(text).includes(plain(goal.replace(/…$/, '')).slice(0, 80));
