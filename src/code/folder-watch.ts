import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';

interface WatchParts {
  root: string;
  /** `isReplaced`: a watched folder was created, moved or deleted. */
  onPath(path: string, isReplaced: boolean): void;
  /** Called if events may have been lost. */
  onLoss(): void;
}

/**
 * Reports which paths of a checkout may have changed; callers check what happened. On Linux it watches single
 * folders, so that ignored folders cost nothing. Elsewhere the system watches the whole tree.
 */
export class FolderWatch {
  private readonly parts: WatchParts;
  private readonly folders = new Map<string, { watcher: FSWatcher; inode: number }>();
  private readonly isRecursive = process.platform !== 'linux';
  private readonly burstLimit = queueLength() / 4;
  private burst = 0;

  constructor(parts: WatchParts) {
    this.parts = parts;
  }

  inodeOf(folder: string): number | undefined {
    return this.folders.get(folder)?.inode;
  }

  /** `folder` is relative; '' is the root. Returns false if the system allows no more watches. */
  add(folder: string, inode: number): boolean {
    // If a folder of this name existed before, its watches and those below it belong to the old folder.
    this.drop(folder);
    if (this.isRecursive && folder !== '') {
      // The root's watcher covers this folder. Keep only the inode, to detect a replaced folder.
      this.folders.set(folder, { watcher: this.folders.get('')?.watcher as FSWatcher, inode });
      return true;
    }
    try {
      const watcher = watch(join(this.parts.root, folder), {
        persistent: false,
        recursive: this.isRecursive,
      });
      watcher.on('change', (kind, name) => this.notice(folder, kind, name));
      watcher.on('error', () => {
        this.drop(folder);
        this.parts.onLoss();
      });
      this.folders.set(folder, { watcher, inode });
      return true;
    } catch {
      return false;
    }
  }

  private notice(folder: string, kind: string, name: string | Buffer | null): void {
    if (++this.burst === 1) setImmediate(() => (this.burst = 0));
    // The kernel's queue of events is finite, and Node does not report its overflow: after a large burst, assume a loss.
    if (this.burst >= this.burstLimit) this.parts.onLoss();
    if (name === null) {
      this.parts.onLoss();
      return;
    }
    const inside = String(name).replaceAll('\\', '/');
    const path = folder === '' ? inside : `${folder}/${inside}`;
    // A created, moved or deleted folder counts as a new one, even if it has the same inode.
    this.parts.onPath(path, kind === 'rename' && this.folders.has(path));
  }

  /** Stops watching the folder and everything below it. */
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
