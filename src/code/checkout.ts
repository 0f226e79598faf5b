import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { ensureDirectory } from '../base/files.ts';
import type { WorktreeFiles } from '../git/worktree-files.ts';
import { Freshness } from './freshness.ts';
import type { BuildRequest } from './index/build-segments.ts';
import { type Manifest, readManifest, removeUnnamedSegments, writeManifest } from './index/manifest.ts';
import type { SegmentEntry } from './index/segment-writer.ts';
import { chooseMerge } from './merge-policy.ts';
import { manifestStamp, OpenIndex } from './open-index.ts';
import type { CodeView } from './view.ts';
import { hasWordFile } from './words/word-file.ts';

/** Work on segments that is done in a process of its own, so that its memory goes when it ends. */
export type SegmentJob =
  | { kind: 'build'; request: Omit<BuildRequest, 'clock' | 'onProgress'> }
  | { kind: 'merge'; folder: string; files: string[]; into: string }
  | { kind: 'words'; root: string; folder: string; file: string };

/** Whoever looks on while a job runs elsewhere. */
export interface JobWatch {
  onProgress(done: number, total: number): void;
  signal?: AbortSignal;
}

/** Somebody who waits for the index: told how far it is, and free to give up. */
export type Waiter = Partial<JobWatch>;

export interface CheckoutParts {
  /** Real path of the working tree. */
  root: string;
  /** Where the index is kept. */
  folder: string;
  files: WorktreeFiles;
  clock: Clock;
  /** False where nothing may be stored; then everything is read anew for each search. */
  mayWrite: boolean;
  tryLock(path: string): { release(): void } | undefined;
  /** Runs a job elsewhere, or here when `isSmall`. */
  runJob(job: SegmentJob, isSmall: boolean, watch?: JobWatch): Promise<SegmentEntry[]>;
  /** One-shot commands do not watch: they end before anything changes. */
  watches: boolean;
}

const lockRetryMs = 5_000;
const quietMs = 2_000;
const soonMs = 150;
/** This many changed files are indexed at once; fewer may wait until nothing has changed for a while. */
const manyDirty = 64;
const smallBuildFiles = 400;

/**
 * A working tree and its index. One process at a time holds the lock, watches and writes; the others read what
 * it wrote and look at every file themselves before they answer. Either way an answer is exact: what the index
 * does not know yet is read.
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
  /** Ends what is being written; absent where nobody asked for it, because then nobody may give it up. */
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

  /** Runs `work` on the state of this moment; nothing changes under it. */
  use<T>(work: (view: CodeView, state: CheckoutState) => Promise<T>): Promise<T> {
    return this.alone(async () => {
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

  /** Brings the index on disk up to date before it returns; from nothing when `isFull`. */
  reindex(isFull: boolean, waiter: Waiter = {}): Promise<CheckoutState> {
    return this.waiting(waiter, async () => {
      await this.alone(() => this.catchUp());
      await this.writing;
      waiter.signal?.throwIfAborted();
      if (isFull) await this.alone(() => this.forgetIndex());
      await this.write();
      return this.alone(async () => {
        await this.catchUp();
        return this.state();
      });
    });
  }

  /**
   * Makes what is missing for questions about words: an index, if there is none and we may write one, and a word
   * file beside each segment. Nobody has to have called it; without, the files themselves are read.
   */
  async prepareWords(waiter: Waiter = {}): Promise<void> {
    if (!this.parts.mayWrite || this.isClosed) return;
    await this.waiting(waiter, async () => {
      await this.alone(() => this.catchUp());
      if (this.lock !== undefined && this.freshness.dirtyCount > smallBuildFiles) await this.write();
      await this.writeMissingWords();
    });
  }

  /** The last one who gives up takes the work with them: nothing half written is ever named by the index. */
  private async waiting<T>(waiter: Waiter, work: () => Promise<T>): Promise<T> {
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
      await this.runJob({ kind: 'words', root, folder, file }, files <= smallBuildFiles);
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

  private alone<T>(work: () => Promise<T>): Promise<T> {
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
    const delay = this.index === undefined ? 0 : this.freshness.dirtyCount >= manyDirty ? soonMs : quietMs;
    this.timer = setTimeout(() => void this.write().catch(() => {}), delay);
    // An index half a minute behind is no reason to keep a process alive.
    this.timer.unref();
  }

  /** Writes what is dirty as a new segment, and merges segments when they have become many. */
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
    const taken = this.freshness.dirtyEntries();
    if (taken.length > 0 || this.index === undefined) {
      const name = this.nextName();
      const request = { root, folder, name, paths: taken.map(([path]) => path) };
      const added = await this.runJob({ kind: 'build', request }, taken.length <= smallBuildFiles);
      await this.alone(async () => {
        this.swap((segments) => [...segments, ...added.map((entry) => ({ ...entry, dead: '' }))]);
        this.freshness.indexed(taken);
      });
    }
    const merge = this.index === undefined ? undefined : chooseMerge(this.index.parts);
    if (merge !== undefined && !this.isClosed) await this.merge(merge.files, merge.isSmall);
    // Where somebody asked once for words, the next question should not have to wait for them.
    if (this.index?.parts.some(({ segment }) => hasWordFile(folder, segment)) === true && !this.isClosed)
      await this.writeMissingWords();
  }

  private async merge(files: string[], isSmall: boolean): Promise<void> {
    const { folder } = this.parts;
    // Deaths must be on disk first: the job reads the manifest.
    await this.alone(async () => this.swap((segments) => segments));
    const before = this.deadOf(files);
    const [merged] = await this.runJob(
      { kind: 'merge', folder, files, into: `${this.nextName()}.seg` },
      isSmall,
    );
    if (merged === undefined) return;
    await this.alone(async () => {
      const died = this.diedSince(before);
      this.swap((segments) => [
        ...segments.filter(({ file }) => !files.includes(file)),
        { ...merged, dead: '' },
      ]);
      for (const path of died) this.index?.kill(path);
    });
  }

  private deadOf(files: string[]): Map<string, Uint8Array> {
    const parts = this.index?.parts.filter(({ segment }) => files.includes(segment.entry.file)) ?? [];
    return new Map(parts.map(({ segment, dead }) => [segment.entry.file, dead.slice()]));
  }

  private diedSince(before: Map<string, Uint8Array>): string[] {
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

  /** The one step that changes the index. */
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

  private async forgetIndex(): Promise<void> {
    if (this.lock === undefined) return;
    this.swap(() => []);
    this.freshness.isStale = true;
    await this.catchUp();
  }
}

export interface CheckoutState {
  isIndexed: boolean;
  indexedFiles: number;
  indexBytes: number;
  updated: number | undefined;
  /** Goes up with every change that was seen. */
  generation: number;
  /** Files that are read for each search until they are indexed. */
  dirtyFiles: number;
  dirtySinceMs: number;
  isWatched: boolean;
  isWriter: boolean;
  isBuilding: boolean;
}

const encode = (bits: Uint8Array): string => Buffer.from(bits).toString('base64');
