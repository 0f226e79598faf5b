import { closeSync, existsSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { readJson, readRange, removeIfThere, replaceFile } from '../../base/files.ts';
import { decodeLine, encodeForgotten, maxLineBytes } from './event-line.ts';
import { logFiles } from './log-files.ts';
import { withLogLock } from './log-lock.ts';
import { blockBytes, blockHash, blockRange, readManifest, writeManifest } from './manifest.ts';

/**
 * The only way to change or remove what an event file already holds. Whoever rewrites a line in place goes through
 * `rewriteEventFile`, which keeps the manifest in step, so that `verify` tells a rewrite of ours from damage.
 *
 * A rewrite is a redo journal, then the new bytes, then the manifest. If the process dies in between, the next rewrite
 * or drain repeats the journal; until then a check takes its bytes for granted.
 */
export interface LineRewrite {
  offset: number;
  /** The event that must be found at the offset; otherwise nothing is written there. */
  id: string;
  /** The new line, newline included, exactly as long in bytes as the one it replaces. */
  line: string;
}

export interface Rewrite {
  file: string;
  edits: { offset: number; text: string }[];
  /** The hashes of the blocks that the edits lie in, once they are written. */
  blocks: Record<string, string>;
}

const journalBytes = 8 * 1024 * 1024;

/** Replaces whole lines in place and returns how many were replaced. No other line moves. */
export function rewriteEventFile(folder: string, file: string, lines: LineRewrite[]): number {
  const path = join(folder, file);
  return withLogLock(folder, () => {
    finishRewrite(folder);
    let replaced = 0;
    let batch: Rewrite['edits'] = [];
    let held = 0;
    const flush = () => {
      if (batch.length > 0) applyEdits(folder, file, batch);
      replaced += batch.length;
      batch = [];
      held = 0;
    };
    for (const { offset, id, line } of [...lines].sort((a, b) => a.offset - b.offset)) {
      const length = lengthOfEvent(path, offset, id);
      if (length === undefined) continue;
      if (length !== Buffer.byteLength(line)) {
        throw new AppError('INVALID_ARGUMENT', `the new line for ${id} is not as long as the old one`, {
          hint: 'backstory doctor',
        });
      }
      batch.push({ offset, text: line });
      held += length;
      if (held >= journalBytes) flush();
    }
    flush();
    return replaced;
  });
}

/** Puts a forgotten line of the same length in the place of each event, and returns how many were there. */
export function forgetEvents(folder: string, events: { file: string; offset: number; id: string }[]): number {
  let forgotten = 0;
  for (const file of new Set(events.map((event) => event.file))) {
    const lines = events
      .filter((event) => event.file === file)
      .flatMap(({ offset, id }): LineRewrite[] => {
        const length = lengthOfEvent(join(folder, file), offset, id);
        return length === undefined ? [] : [{ offset, id, line: encodeForgotten(id, length) }];
      });
    forgotten += rewriteEventFile(folder, file, lines);
  }
  return forgotten;
}

/** Replaces bytes that are no event by empty lines, if they are still there. */
export function blankOut(folder: string, file: string, offset: number, bytes: Buffer): void {
  withLogLock(folder, () => {
    finishRewrite(folder);
    const path = join(folder, file);
    if (!existsSync(path) || !readRange(path, offset, bytes.length).equals(bytes)) return;
    applyEdits(folder, file, [{ offset, text: '\n'.repeat(bytes.length) }]);
  });
}

/** Deletes whole event files. They leave the manifest first, so that a crash does not look like a lost file. */
export function removeEventFiles(folder: string, files: string[]): void {
  if (files.length === 0) return;
  withLogLock(folder, () => {
    finishRewrite(folder);
    const { manifest } = readManifest(folder);
    if (manifest !== undefined) {
      const kept = Object.entries(manifest.files).filter(([file]) => !files.includes(file));
      writeManifest(folder, {
        ...manifest,
        generation: manifest.generation + 1,
        files: Object.fromEntries(kept),
        damage: manifest.damage.filter(({ file }) => !files.includes(file)),
      });
    }
    for (const file of files) removeIfThere(join(folder, file));
  });
}

/** Repeats a rewrite that was interrupted. For the holder of the log lock. */
export function finishRewrite(folder: string): void {
  const rewrite = readRewrite(folder);
  if (rewrite !== undefined) complete(folder, rewrite);
  else removeIfThere(logFiles(folder).rewrite);
}

/** The rewrite that is under way or was interrupted. */
export const readRewrite = (folder: string): Rewrite | undefined =>
  readJson<Rewrite>(logFiles(folder).rewrite);

/** The bytes of a block as they are once the rewrite is complete. */
export function withEdits(bytes: Buffer, start: number, edits: Rewrite['edits']): Buffer {
  const changed = Buffer.from(bytes);
  for (const { offset, text } of edits) {
    const from = Math.max(offset, start);
    const piece = Buffer.from(text).subarray(from - offset);
    if (from < start + changed.length && piece.length > 0) piece.copy(changed, from - start);
  }
  return changed;
}

function applyEdits(folder: string, file: string, edits: Rewrite['edits']): void {
  const path = join(folder, file);
  const covered = readManifest(folder).manifest?.files[file];
  const blocks: Rewrite['blocks'] = {};
  for (const at of blocksOf(edits)) {
    const { start, end } = blockRange(at, covered?.length ?? 0);
    if (covered === undefined || start >= end) continue;
    const bytes = readRange(path, start, end - start);
    // A damaged block keeps its hash, so that the damage is still noticed afterwards.
    if (blockHash(bytes) === covered.blocks[at]) blocks[at] = blockHash(withEdits(bytes, start, edits));
  }
  const rewrite: Rewrite = { file, edits, blocks };
  replaceFile(logFiles(folder).rewrite, JSON.stringify(rewrite));
  complete(folder, rewrite);
}

function complete(folder: string, { file, edits, blocks }: Rewrite): void {
  overwrite(join(folder, file), edits);
  const { manifest } = readManifest(folder);
  const covered = manifest?.files[file];
  if (manifest !== undefined && covered !== undefined) {
    const hashes = covered.blocks.map((hash, at) => blocks[at] ?? hash);
    const files = { ...manifest.files, [file]: { ...covered, blocks: hashes } };
    writeManifest(folder, { ...manifest, generation: manifest.generation + 1, files });
  }
  removeIfThere(logFiles(folder).rewrite);
}

function blocksOf(edits: Rewrite['edits']): Set<number> {
  const blocks = new Set<number>();
  for (const { offset, text } of edits) {
    const last = Math.floor((offset + Buffer.byteLength(text) - 1) / blockBytes);
    for (let at = Math.floor(offset / blockBytes); at <= last; at++) blocks.add(at);
  }
  return blocks;
}

/** The length of the event's line, newline included; undefined if another line or none begins at the offset. */
function lengthOfEvent(path: string, offset: number, id: string): number | undefined {
  const line = readLineAt(path, offset);
  const length = line.indexOf(0x0a) + 1;
  const entry = decodeLine(line.subarray(0, Math.max(0, length - 1)));
  return entry.kind === 'event' && entry.event.id === id ? length : undefined;
}

/** From the offset to at least the end of the line. Most lines are short, so it begins with a small read. */
function readLineAt(path: string, offset: number): Buffer {
  for (let bytes = 16 * 1024; bytes < maxLineBytes; bytes *= 8) {
    const piece = readRange(path, offset, bytes);
    if (piece.includes(0x0a)) return piece;
  }
  return readRange(path, offset, maxLineBytes);
}

/** Not opened for append: there the kernel would put the bytes at the end whatever the position. */
function overwrite(path: string, edits: Rewrite['edits']): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  const file = openSync(path, 'r+');
  try {
    for (const { offset, text } of edits) {
      const bytes = Buffer.from(text);
      // A file that was shortened meanwhile must not grow again by a line in the middle of nothing.
      if (offset + bytes.length > size) continue;
      let done = 0;
      while (done < bytes.length) done += writeSync(file, bytes, done, bytes.length - done, offset + done);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
