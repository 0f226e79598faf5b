import { join } from 'node:path';
import { createFolderGuard, listCheckoutFolder } from '../base/checkout-file.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { type FileStamp, isSameStamp, stampAt, statsAt } from '../base/plain-file.ts';
import { gitFoldersOf } from '../git/git-folders.ts';
import type { WorktreeFiles } from '../git/worktree-files.ts';
import { FolderWatch } from './folder-watch.ts';
import { setBit } from './index/posting-list.ts';
import type { OpenIndex } from './open-index.ts';
import { createSlice } from './time-slice.ts';

/** Maximum number of watched folders, because the system's limit on watches is shared with other programs. */
const maxFolders = 20_000;
const maxChecks = 100;
const maxReconciles = 4;

/**
 * Tracks which files differ from the index. With a watcher it receives events; without one it lists and checks all
 * files each time. After `catchUp`, the list `live` (files that a search must read) and the dead bits of the index
 * (indexed files that were deleted or changed) together describe the current checkout.
 */
export class Freshness {
  private readonly parts: { root: string; files: WorktreeFiles; clock: Clock };
  private readonly currentIndex: () => OpenIndex | undefined;
  private readonly dirty = new Map<string, { change: number; stamp: FileStamp }>();
  private readonly pending = new Set<string>();
  /** Watched folders that were removed, or replaced by another of the same name. */
  private readonly replaced = new Set<string>();
  private sorted: string[] | undefined;
  private nested: string[] = [];
  private watch: FolderWatch | undefined;
  private readonly watchGit: FolderWatch[] = [];
  private dirtySince: number | undefined;
  private events = 0;
  private isInside: (path: string) => boolean = () => false;
  /** If true, the next check must cover all files. */
  isStale = true;
  changes = 0;

  constructor(
    parts: { root: string; files: WorktreeFiles; clock: Clock },
    currentIndex: () => OpenIndex | undefined,
  ) {
    this.parts = parts;
    this.currentIndex = currentIndex;
  }

  get isWatching(): boolean {
    return this.watch !== undefined;
  }

  get dirtyCount(): number {
    return this.dirty.size;
  }

  dirtySinceMs(): number {
    return this.dirtySince === undefined ? 0 : Math.max(0, this.parts.clock.now() - this.dirtySince);
  }

  livePaths(): readonly string[] {
    this.sorted ??= [...this.dirty.keys()].sort();
    return this.sorted;
  }

  /** The files to index, each with the number of its last change. */
  dirtyEntries(): [string, number][] {
    return [...this.dirty]
      .map(([path, { change }]): [string, number] => [path, change])
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Records that these files were indexed. One that changed or was removed since it was read is marked dead. */
  indexed(entries: [string, number][]): void {
    for (const [path, change] of entries) {
      if (this.dirty.get(path)?.change === change) this.dirty.delete(path);
      else this.currentIndex()?.markDead(path);
    }
    this.sorted = undefined;
    this.dirtySince = this.dirty.size === 0 ? undefined : this.parts.clock.now();
  }

  async catchUp(shouldWatch: boolean): Promise<void> {
    this.isInside = createFolderGuard(this.parts.root);
    if (shouldWatch && this.watch === undefined) this.startWatching();
    if (this.watch === undefined) return this.reconcile();
    // Two turns of the event loop deliver the events of changes that were made before this call.
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
    // Do not check forever a tree that changes faster than it can be checked.
    for (let checks = 0; checks < maxChecks && (this.isStale || this.pending.size > 0); ) {
      const eventsBefore = this.events;
      if (this.isStale) await this.reconcile();
      else await this.checkPending();
      checks += this.isStale ? maxChecks / maxReconciles : 1;
      // After the last check, an unchecked file would make the answer a guess. Report the problem instead.
      if (checks >= maxChecks && this.events !== eventsBefore) throw changesTooFast();
    }
  }

  close(): void {
    this.watch?.close();
    for (const watcher of this.watchGit.splice(0)) watcher.close();
    this.watch = undefined;
  }

  private startWatching(): void {
    this.watch = new FolderWatch({
      root: this.parts.root,
      onPath: (path, isReplaced) => this.onEvent(path, isReplaced),
      onLoss: this.onLoss,
    });
    this.isStale = true;
  }

  private readonly onLoss = (): void => {
    this.isStale = true;
  };

  private onEvent(path: string, isReplaced: boolean): void {
    this.events++;
    if (isReplaced) this.replaced.add(path);
    if (path === '.git' || path.startsWith('.git/')) {
      // These files decide what is tracked and what is excluded, so check all files again.
      if (/^\.git(?:\/(?:index|info\/exclude))?$/.test(path)) this.isStale = true;
    } else if (path === '.gitignore' || path.endsWith('/.gitignore')) {
      this.isStale = true;
      this.pending.add(path);
    } else this.pending.add(path);
  }

  private async reconcile(): Promise<void> {
    this.isStale = false;
    this.pending.clear();
    for (const folder of this.replaced) this.watch?.drop(folder);
    this.replaced.clear();
    const { paths, nested } = await this.parts.files.list();
    this.nested = nested;
    const listed = new Set(paths);
    if (this.watch !== undefined) await this.watchFolders(listed);
    const slice = createSlice(this.parts.clock);
    const index = this.currentIndex();
    for (const { part, file, path } of index?.filesUnder('') ?? []) {
      await slice();
      const stamp = listed.has(path) ? this.stampOf(path) : undefined;
      if (stamp !== undefined && isSameStamp(stamp, part.segment.stampOf(file))) {
        listed.delete(path);
        continue;
      }
      setBit(part.dead, file);
      this.changes++;
    }
    for (const path of this.dirty.keys()) if (!listed.has(path)) this.remove(path);
    for (const path of listed) {
      await slice();
      this.refresh(path, false);
    }
  }

  /** After an event a file counts as changed even with the same times: two writes can fall into one clock tick. */
  private refresh(path: string, isEvent: boolean): void {
    const stamp = this.stampOf(path);
    if (stamp === undefined) {
      this.remove(path);
      return;
    }
    const index = this.currentIndex();
    const found = index?.find(path);
    if (found !== undefined && isSameStamp(stamp, found.part.segment.stampOf(found.file))) return;
    const known = this.dirty.get(path);
    if (known !== undefined && !isEvent && isSameStamp(stamp, known.stamp)) return;
    index?.markDead(path);
    this.dirty.set(path, { change: ++this.changes, stamp });
    this.sorted = undefined;
    this.dirtySince ??= this.parts.clock.now();
  }

  /** Returns the current stamp of a file; undefined if it is missing or its path contains a link. */
  private stampOf(path: string): FileStamp | undefined {
    return this.isInside(path) ? stampAt(join(this.parts.root, path)) : undefined;
  }

  private remove(path: string): void {
    const index = this.currentIndex();
    if (index?.find(path) === undefined && !this.dirty.has(path)) return;
    index?.markDead(path);
    this.dirty.delete(path);
    this.sorted = undefined;
    this.changes++;
  }

  private removeBelow(folder: string): void {
    for (const { path } of [...(this.currentIndex()?.filesUnder(folder) ?? [])]) this.remove(path);
    for (const path of [...this.dirty.keys()]) if (path.startsWith(`${folder}/`)) this.remove(path);
    this.watch?.drop(folder);
  }

  /** Checks the paths named by events. The content of new folders is checked in the next round. */
  private async checkPending(): Promise<void> {
    const paths = [...this.pending];
    this.pending.clear();
    const unknown: string[] = [];
    for (const path of paths) {
      const stats = statsAt(join(this.parts.root, path));
      if (
        this.replaced.delete(path) ||
        (stats?.isDirectory() !== true && this.watch?.inodeOf(path) !== undefined)
      )
        this.removeBelow(path);
      if (stats?.isFile() !== true) this.remove(path);
      if (stats === undefined) continue;
      if (stats.isDirectory()) {
        const known = this.watch?.inodeOf(path);
        // A different folder of the same name has different files, and the existing watch is on the old one.
        if (known !== undefined && known !== stats.ino) this.removeBelow(path);
        if (known !== stats.ino) unknown.push(path);
      } else if (stats.isFile()) {
        if (this.dirty.has(path) || this.currentIndex()?.find(path) !== undefined) this.refresh(path, true);
        else unknown.push(path);
      }
    }
    if (unknown.length > 0) await this.addUnknown(unknown);
  }

  private async addUnknown(unknown: string[]): Promise<void> {
    const own = await this.parts.files.listed(unknown, this.nested);
    this.isStale ||= own === undefined;
    for (const path of own ?? []) {
      const stats = statsAt(join(this.parts.root, path));
      if (stats?.isDirectory() === true) this.watchFolder(path, stats.ino, () => false);
      else this.refresh(path, true);
    }
  }

  /** Watches every folder that contains a listed file. Its other entries are treated as new files. */
  private async watchFolders(listed: Set<string>): Promise<void> {
    const folders = foldersOf(listed);
    if (folders.size > maxFolders) {
      this.watch?.close();
      this.watch = undefined;
      return;
    }
    const slice = createSlice(this.parts.clock);
    // Parents first, because watching a folder again drops the watches below it.
    for (const folder of [...folders].sort()) {
      await slice();
      const stats = statsAt(join(this.parts.root, folder));
      if (stats?.isDirectory() !== true) continue;
      const known = this.watch?.inodeOf(folder);
      if (known !== undefined && known !== stats.ino) this.watch?.drop(folder);
      this.watchFolder(folder, stats.ino, (path) => listed.has(path) || folders.has(path));
    }
    this.watchGitFolders();
  }

  /** Adds the watch first and then lists the folder: a change in between is seen twice instead of never. */
  private watchFolder(folder: string, inode: number, isKnown: (path: string) => boolean): void {
    if (this.watch?.inodeOf(folder) === undefined && this.watch?.add(folder, inode) === false) {
      this.watch.close();
      this.watch = undefined;
      return;
    }
    for (const path of childrenOf(this.parts.root, folder)) {
      if (path === '.git') continue;
      // A nested repository has its own ignore rules; a full listing finds it.
      if (path.endsWith('/.git')) this.isStale ||= !this.nested.includes(`${folder}/`);
      else if (!isKnown(path) && this.watch?.inodeOf(path) === undefined) this.pending.add(path);
    }
  }

  /** Tracked and excluded files are recorded in two folders, which differ in a linked worktree. */
  private watchGitFolders(): void {
    if (this.watchGit.length > 0) return;
    const { own, common } = gitFoldersOf(this.parts.root) ?? {};
    const watch = (folder: string | undefined, inside: string): void => {
      const stats = folder === undefined ? undefined : statsAt(folder);
      if (folder === undefined || stats?.isDirectory() !== true) return;
      const watcher = new FolderWatch({
        root: folder,
        onPath: (path) => this.onEvent(`.git/${inside}${path}`, false),
        onLoss: this.onLoss,
      });
      watcher.add('', stats.ino);
      this.watchGit.push(watcher);
    };
    watch(own, '');
    watch(common && join(common, 'info'), 'info/');
  }
}

const changesTooFast = (): AppError =>
  new AppError('INDEX_STALE', 'files of this checkout change faster than they can be checked', {
    hint: 'Try again when the program that writes them has finished',
    retryable: true,
  });

function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set(['']);
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at !== -1; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

/** Maximum number of entries read of one folder. No source folder has so many; a full listing would find the rest. */
const maxChildren = 1_000_000;

const childrenOf = (root: string, folder: string): string[] =>
  listCheckoutFolder(root, folder, maxChildren).map(({ name }) =>
    folder === '' ? name : `${folder}/${name}`,
  );
