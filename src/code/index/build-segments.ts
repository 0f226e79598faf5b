import { join } from 'node:path';
import { createFolderGuard } from '../../base/checkout-file.ts';
import type { Clock } from '../../base/clock.ts';
import { type FileStamp, stampAt } from '../../base/plain-file.ts';
import { kindOfPath, skippedFlag } from '../path-kind.ts';
import { readSourceFile } from '../source-file.ts';
import { GramLists } from './gram-lists.ts';
import { type SegmentEntry, SegmentWriter } from './segment-writer.ts';

/** Enough for a kernel in one segment; untouched pages of it cost nothing. */
const maxArenaBytes = 288 * 1024 * 1024;

/** A file changed this shortly before it was read may change again without its times changing. */
const settledMs = 50;

export interface BuildRequest {
  root: string;
  /** Relative, `/` between names. Their order is the order of blocks, so sort them. */
  paths: string[];
  folder: string;
  /** Begins the names of the segments. */
  name: string;
  clock: Clock;
  /** About how much text there is, to choose the size of the arena. */
  textBytes?: number;
  onProgress?(done: number, total: number): void;
}

/** Reads the files and writes them as segments, usually one. Files that are gone by now are left out; those
 * that may not be read are known and not searched. */
export function buildSegments(request: BuildRequest): SegmentEntry[] {
  const { root, paths, folder, name, clock, textBytes = Number.POSITIVE_INFINITY, onProgress } = request;
  const entries: SegmentEntry[] = [];
  const arena = Math.min(maxArenaBytes, GramLists.roomFor(Math.min(textBytes, maxArenaBytes)));
  let writer = new SegmentWriter(arena);
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
      writer = new SegmentWriter(Math.max(maxArenaBytes, GramLists.roomFor(text.length)));
    }
    const flags = kindOfPath(path) | (text === undefined ? skippedFlag : 0);
    writer.addFile({ path, stamp: settled(stamp, clock.now()), flags }, text);
    if (done % 256 === 0) onProgress?.(done, paths.length);
  });
  finish();
  return entries;
}

/** A stamp that may not tell the next change is made to match nothing, so that the file counts as changed. */
const settled = (stamp: FileStamp, now: number): FileStamp =>
  Math.max(stamp.mtimeMs, stamp.ctimeMs) < now - settledMs ? stamp : { ...stamp, mtimeMs: -1 };
