import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Tells which paths of a checkout may have changed; what became of them is for others to look at. On Linux it
 * watches one folder at a time, so that ignored folders cost nothing; elsewhere the system watches a whole
 * tree at once.
 */
export class FolderWatch {
  private readonly root: string;
  private readonly onPath: (path: string, isReplaced: boolean) => void;
  private readonly onLoss: () => void;
  private readonly folders = new Map<string, { watcher: FSWatcher; inode: number }>();
  private readonly isRecursive = process.platform !== 'linux';
  private readonly burstLimit = queueLength() / 4;
  private burst = 0;

  /** `isReplaced`: a watched folder is no longer what it was. `onLoss` is called when changes may have gone unseen. */
  constructor(root: string, onPath: (path: string, isReplaced: boolean) => void, onLoss: () => void) {
    this.root = root;
    this.onPath = onPath;
    this.onLoss = onLoss;
  }

  get size(): number {
    return this.folders.size;
  }

  inodeOf(folder: string): number | undefined {
    return this.folders.get(folder)?.inode;
  }

  /** `folder` is relative; '' is the root. Returns false when the system allows no more watches. */
  add(folder: string, inode: number): boolean {
    // What is watched below it belonged to another folder of this name.
    this.drop(folder);
    if (this.isRecursive && folder !== '') {
      // The root's watcher sees it; only the inode is kept, to notice a folder that was replaced.
      this.folders.set(folder, { watcher: this.folders.get('')?.watcher as FSWatcher, inode });
      return true;
    }
    try {
      const watcher = watch(join(this.root, folder), { persistent: false, recursive: this.isRecursive });
      watcher.on('change', (kind, name) => this.notice(folder, kind, name));
      watcher.on('error', () => {
        this.drop(folder);
        this.onLoss();
      });
      this.folders.set(folder, { watcher, inode });
      return true;
    } catch {
      return false;
    }
  }

  private notice(folder: string, kind: string, name: string | Buffer | null): void {
    if (++this.burst === 1) setImmediate(() => (this.burst = 0));
    // The kernel's queue is finite and Node does not say when it overflowed; as much at once may mean more.
    if (this.burst >= this.burstLimit) this.onLoss();
    if (name === null) {
      this.onLoss();
      return;
    }
    const inside = String(name).replaceAll('\\', '/');
    const path = folder === '' ? inside : `${folder}/${inside}`;
    // A folder that is made, moved or deleted is another one now, even where it got the old one's inode.
    this.onPath(path, kind === 'rename' && this.folders.has(path));
  }

  /** The folder and all below it. */
  drop(folder: string): void {
    const below = folder === '' ? '' : `${folder}/`;
    for (const [known, { watcher }] of this.folders) {
      if (known !== folder && !known.startsWith(below)) continue;
      if (!this.isRecursive) watcher.close();
      this.folders.delete(known);
    }
  }

  close(): void {
    for (const { watcher } of this.folders.values()) watcher.close();
    this.folders.clear();
  }
}

function queueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 16_384;
  } catch {
    return 16_384;
  }
}
