import { join } from 'node:path';
import { createFolderGuard } from '../../base/checkout-file.ts';
import type { Clock } from '../../base/clock.ts';
import { type FileStamp, stampAt } from '../../base/plain-file.ts';
import { skippedFlag, tierOf } from '../path-kind.ts';
import { readSourceFile } from '../source-file.ts';
import { GramLists } from './gram-lists.ts';
import { type SegmentEntry, SegmentWriter } from './segment-writer.ts';

/** Memory for the lists of one segment: enough for the Linux kernel. Unused pages cost nothing. */
const maxArenaBytes = 288 * 1024 * 1024;

/** A file so recently changed may change again within the same clock tick, without a change of its times. */
const minStampAgeMs = 50;

export interface BuildRequest {
  root: string;
  /** Relative paths with forward slashes. Their order is the order of blocks, so sort them. */
  paths: string[];
  folder: string;
  name: string;
  clock: Clock;
  /** Memory for the lists of one segment; only tests need less. */
  arenaBytes?: number;
  onProgress?(done: number, total: number): void;
}

/** Writes segments, usually one. Missing files are skipped; unreadable ones are listed but not searched. */
export function buildSegments(request: BuildRequest): SegmentEntry[] {
  const { root, paths, folder, name, clock, arenaBytes = maxArenaBytes, onProgress } = request;
  const entries: SegmentEntry[] = [];
  let writer = new SegmentWriter(arenaBytes);
  const finish = (): void => {
    if (writer.fileCount > 0) entries.push(writer.write(folder, `${name}-${entries.length}.seg`));
  };
  const isInside = createFolderGuard(root);
  paths.forEach((path, done) => {
    if (!isInside(path)) return;
    const file = readSourceFile(join(root, path));
    const stamp = file.kind === 'absent' ? stampAt(join(root, path)) : file.stamp;
    if (stamp === undefined) return;
    const text = file.kind === 'text' ? file.bytes : undefined;
    if (text !== undefined && !writer.hasRoomFor(text.length)) {
      finish();
      writer = new SegmentWriter(Math.max(arenaBytes, GramLists.roomFor(text.length)));
    }
    const flags = tierOf(path) | (text === undefined ? skippedFlag : 0);
    writer.addFile({ path, stamp: reliableStamp(stamp, clock.now()), flags }, text);
    if (done % 256 === 0) onProgress?.(done, paths.length);
  });
  finish();
  return entries;
}

/** A stamp that never matches, for a recently changed file. */
const reliableStamp = (stamp: FileStamp, now: number): FileStamp =>
  Math.max(stamp.mtimeMs, stamp.ctimeMs) < now - minStampAgeMs ? stamp : { ...stamp, mtimeMs: -1 };
