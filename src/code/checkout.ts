import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { ensureDirectory } from '../base/files.ts';
import type { WorktreeFiles } from '../git/worktree-files.ts';
import type { CheckoutState } from '../wire/answers/code.ts';
import { Freshness } from './freshness.ts';
import type { BuildRequest } from './index/build-segments.ts';
import {
  type Manifest,
  manifestStamp,
  readManifest,
  removeUnnamedSegments,
  writeManifest,
} from './index/manifest.ts';
import type { SegmentEntry } from './index/segment-writer.ts';
import { chooseMerge, OpenIndex } from './open-index.ts';
import type { CodeView } from './view.ts';
import { hasWordFile } from './words/word-file.ts';

/** Work on segments that runs in a separate process, so that its memory is released when it ends. */
export type SegmentJob =
  | { kind: 'build'; request: Omit<BuildRequest, 'clock' | 'onProgress'> }
  | { kind: 'words'; root: string; folder: string; file: string };

/** Receives the progress of a job that runs in another process. */
export interface JobWatch {
  onProgress(done: number, total: number): void;
  signal?: AbortSignal;
}

/** A caller that waits for the index: it receives progress and can abort. */
export type Waiter = Partial<JobWatch>;

export interface CheckoutParts {
  root: string;
  folder: string;
  files: WorktreeFiles;
  clock: Clock;
  /** If false, no index is stored, and every search reads all files. */
  mayWrite: boolean;
  tryLock(path: string): { release(): void } | undefined;
  /** Runs a job in another process, or in this one if `isSmall`. */
  runJob(job: SegmentJob, isSmall: boolean, watch?: JobWatch): Promise<SegmentEntry[]>;
  /** Whether to watch for changes. One-shot commands do not, because they end before anything changes. */
  watches: boolean;
}

const lockRetryMs = 5_000;
const idleWriteDelayMs = 2_000;
const busyWriteDelayMs = 150;
/** From this many changed files on, indexing starts soon; fewer wait for a pause. */
const manyDirtyFiles = 64;
const maxSmallBuildFiles = 400;

/**
 * A working tree and its index. One process at a time holds the lock, watches files and writes the index. The other
 * processes read the index and check every file themselves before they answer. Either way an answer is exact, because
 * files that are not indexed yet are read.
 */
export class Checkout {
  private readonly parts: CheckoutParts;
  private readonly freshness: Freshness;
  private index: OpenIndex | undefined;
  private stamp = '';
  private lock: { release(): void } | undefined;
  private triedLockAt = Number.NEGATIVE_INFINITY;
  private queue: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private readonly waiters = new Set<Waiter>();
  /** Aborts the current write; undefined if no waiter requested it. */
  private stopWriting: AbortController | undefined;
  private isClosed = false;
  private written = 0;

  constructor(parts: CheckoutParts) {
    this.parts = parts;
    this.freshness = new Freshness(parts, () => this.index);
  }

  get root(): string {
    return this.parts.root;
  }

  /** Brings the view up to date and runs `work` on it; the view does not change meanwhile. */
  use<T>(work: (view: CodeView, state: CheckoutState) => Promise<T>): Promise<T> {
    return this.exclusively(async () => {
      await this.catchUp();
      const view = {
        root: this.parts.root,
        parts: this.index?.parts ?? [],
        live: this.freshness.livePaths(),
      };
      const result = await work(view, this.state());
      this.scheduleWrite();
      return result;
    });
  }

  /** Updates the index on disk before it returns; rebuilds it if `isFull`. */
  reindex(isFull: boolean, waiter: Waiter = {}): Promise<CheckoutState> {
    return this.withWaiter(waiter, async () => {
      await this.exclusively(() => this.catchUp());
      await this.writing;
      waiter.signal?.throwIfAborted();
      if (isFull) await this.exclusively(() => this.clearIndex());
      await this.write();
      return this.exclusively(async () => {
        await this.catchUp();
        return this.state();
      });
    });
  }

  /** Creates the index and the word files of its segments; without these, word queries read the sources. */
  async prepareWords(waiter: Waiter = {}): Promise<void> {
    if (!this.parts.mayWrite || this.isClosed) return;
    await this.withWaiter(waiter, async () => {
      await this.exclusively(() => this.catchUp());
      if (this.lock !== undefined && this.freshness.dirtyCount > maxSmallBuildFiles) await this.write();
      await this.writeMissingWords();
    });
  }

  /** If all waiters abort, the write is aborted too. The manifest never names an unfinished segment. */
  private async withWaiter<T>(waiter: Waiter, work: () => Promise<T>): Promise<T> {
    const { signal } = waiter;
    signal?.throwIfAborted();
    const leave = () => {
      this.waiters.delete(waiter);
      if (this.waiters.size === 0) this.stopWriting?.abort();
    };
    this.waiters.add(waiter);
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await work();
    } finally {
      signal?.removeEventListener('abort', leave);
      this.waiters.delete(waiter);
    }
  }

  private runJob(job: SegmentJob, isSmall: boolean): Promise<SegmentEntry[]> {
    const onProgress = (done: number, total: number) => {
      for (const waiter of this.waiters) waiter.onProgress?.(done, total);
    };
    const signal = this.stopWriting?.signal;
    return this.parts.runJob(job, isSmall, { onProgress, ...(signal === undefined ? {} : { signal }) });
  }

  private async writeMissingWords(): Promise<void> {
    const { root, folder } = this.parts;
    const missing = (this.index?.parts ?? []).filter(({ segment }) => !hasWordFile(folder, segment));
    for (const { segment } of missing) {
      const { file, files } = segment.entry;
      await this.runJob({ kind: 'words', root, folder, file }, files <= maxSmallBuildFiles);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.writing;
    await this.queue;
    this.freshness.close();
    this.index?.close();
    this.lock?.release();
  }

  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => {});
    return turn;
  }

  private state(): CheckoutState {
    const { index } = this;
    return {
      isIndexed: index !== undefined,
      indexedFiles: index?.fileCount ?? 0,
      indexBytes: index?.bytes ?? 0,
      updated: index?.manifest.updated,
      generation: (index?.manifest.generation ?? 0) + this.freshness.changes - this.written,
      dirtyFiles: this.freshness.dirtyCount,
      dirtySinceMs: this.freshness.dirtySinceMs(),
      isWatched: this.freshness.isWatching,
      isWriter: this.lock !== undefined,
      isBuilding: this.writing !== undefined,
    };
  }

  private async catchUp(): Promise<void> {
    this.becomeWriter();
    this.readIndex();
    await this.freshness.catchUp(this.lock !== undefined && this.parts.watches);
  }

  private becomeWriter(): void {
    const { mayWrite, folder, clock, tryLock } = this.parts;
    if (!mayWrite || this.lock !== undefined || clock.now() - this.triedLockAt < lockRetryMs) return;
    this.triedLockAt = clock.now();
    ensureDirectory(folder);
    this.lock = tryLock(join(folder, 'writer.lock'));
  }

  private readIndex(): void {
    const stamp = manifestStamp(this.parts.folder);
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    this.index = OpenIndex.open(this.parts.folder, this.index);
    this.freshness.isStale = true;
  }

  private scheduleWrite(): void {
    if (
      this.lock === undefined ||
      this.isClosed ||
      this.writing !== undefined ||
      this.freshness.dirtyCount === 0
    )
      return;
    clearTimeout(this.timer);
    const delay =
      this.index === undefined
        ? 0
        : this.freshness.dirtyCount >= manyDirtyFiles
          ? busyWriteDelayMs
          : idleWriteDelayMs;
    this.timer = setTimeout(() => void this.write().catch(() => {}), delay);
    // Let the process exit even if an update of the index is still scheduled.
    this.timer.unref();
  }

  private write(): Promise<void> {
    if (this.writing !== undefined) return this.writing;
    this.stopWriting = this.waiters.size === 0 ? undefined : new AbortController();
    this.writing = this.writeOnce().finally(() => {
      this.writing = undefined;
      this.stopWriting = undefined;
    });
    return this.writing;
  }

  private async writeOnce(): Promise<void> {
    if (this.lock === undefined || this.isClosed) return;
    const { root, folder } = this.parts;
    const dirty = this.freshness.dirtyEntries();
    if (dirty.length > 0 || this.index === undefined) {
      const name = this.nextName();
      const request = { root, folder, name, paths: dirty.map(([path]) => path) };
      const added = await this.runJob({ kind: 'build', request }, dirty.length <= maxSmallBuildFiles);
      await this.exclusively(async () => {
        this.swap((segments) => [...segments, ...added.map((entry) => ({ ...entry, dead: '' }))]);
        this.freshness.indexed(dirty);
      });
    }
    const merge = this.index === undefined ? undefined : chooseMerge(this.index);
    if (merge !== undefined && !this.isClosed) await this.merge(merge);
    // If any segment has a word file, somebody asks for words: the next query should not have to wait.
    if (this.index?.parts.some(({ segment }) => hasWordFile(folder, segment)) === true && !this.isClosed)
      await this.writeMissingWords();
  }

  /** Indexes the files of these segments again, without those that were deleted or changed since. */
  private async merge(files: string[]): Promise<void> {
    const { root, folder } = this.parts;
    const before = this.deadOf(files);
    const paths = [...(this.index?.filesUnder('') ?? [])]
      .filter(({ part }) => files.includes(part.segment.entry.file))
      .map(({ path }) => path)
      .sort();
    const request = { root, folder, name: this.nextName(), paths };
    const added = await this.runJob({ kind: 'build', request }, paths.length <= maxSmallBuildFiles);
    await this.exclusively(async () => {
      const newlyDead = this.deadSince(before);
      this.swap((segments) => [
        ...segments.filter(({ file }) => !files.includes(file)),
        ...added.map((entry) => ({ ...entry, dead: '' })),
      ]);
      for (const path of newlyDead) this.index?.markDead(path);
    });
  }

  private deadOf(files: string[]): Map<string, Uint8Array> {
    const parts = this.index?.parts.filter(({ segment }) => files.includes(segment.entry.file)) ?? [];
    return new Map(parts.map(({ segment, dead }) => [segment.entry.file, dead.slice()]));
  }

  private deadSince(before: Map<string, Uint8Array>): string[] {
    return (this.index?.parts ?? []).flatMap(({ segment, dead }) => {
      const then = before.get(segment.entry.file);
      if (then === undefined) return [];
      const fresh = dead.map((byte, at) => byte & ~(then[at] as number));
      return Array.from({ length: segment.entry.files }, (_, file) => file)
        .filter((file) => ((fresh[file >>> 3] as number) & (1 << (file & 7))) !== 0)
        .map((file) => segment.pathOf(file));
    });
  }

  private nextName(): string {
    return `${(this.index?.manifest.generation ?? 0) + 1}-${process.pid}`;
  }

  /** Replaces the manifest. This is the only step that changes the index. */
  private swap(change: (segments: Manifest['segments']) => Manifest['segments']): void {
    const { folder, clock } = this.parts;
    const old =
      this.index?.parts.map(({ segment, dead }) => ({ ...segment.entry, dead: encode(dead) })) ?? [];
    const before = this.index?.manifest.generation ?? readManifest(folder)?.generation ?? 0;
    const generation = before + 1 + this.freshness.changes - this.written;
    this.written = this.freshness.changes;
    const manifest: Manifest = { format: 1, generation, updated: clock.now(), segments: change(old) };
    writeManifest(folder, manifest);
    this.index = OpenIndex.open(folder, this.index);
    this.stamp = manifestStamp(folder);
    removeUnnamedSegments(folder, manifest);
  }

  private async clearIndex(): Promise<void> {
    if (this.lock === undefined) return;
    this.swap(() => []);
    this.freshness.isStale = true;
    await this.catchUp();
  }
}

const encode = (bits: Uint8Array): string => Buffer.from(bits).toString('base64');
