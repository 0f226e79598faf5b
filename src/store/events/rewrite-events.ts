import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { readJson, readRange, removeIfThere, replaceFile, sizeOf, writeFully } from '../../base/files.ts';
import { type Line, readLines } from '../../base/lines.ts';
import { decodeLine, encodeForgotten, maxLineBytes } from './event-line.ts';
import { logFiles } from './log-files.ts';
import { withLogLock } from './log-lock.ts';
import { blockBytes, blockHash, blockRange, readManifest, writeManifest } from './manifest.ts';

/**
 * Changes or removes lines of an event file; no other code does. `rewriteEventFile` updates the manifest together
 * with the lines, so that `doctor --verify` can tell our own rewrites from damage. A rewrite first writes a redo
 * journal, then the new bytes, then the manifest. If the process dies in between, the next rewrite, or the next
 * background run that indexes events, applies the journal again. Until then, `doctor --verify` treats the bytes in the
 * journal as already written.
 */
export interface LineRewrite {
  offset: number;
  /** The event expected at the offset; if it is not there, nothing is written. */
  id: string;
  /** The new line with its newline, of exactly the same length in bytes. */
  line: string;
}

export interface Rewrite {
  file: string;
  edits: { offset: number; text: string }[];
  /** The hashes of the affected blocks after the edits. */
  blocks: Record<string, string>;
}

const maxJournalBytes = 8 * 1024 * 1024;

/** Replaces whole lines in place and returns how many were replaced. No other line moves. */
export function rewriteEventFile(folder: string, file: string, lines: LineRewrite[]): number {
  const path = join(folder, file);
  return withLogLock(folder, () => {
    finishRewrite(folder);
    let replaced = 0;
    let batch: Rewrite['edits'] = [];
    let batchBytes = 0;
    const flush = () => {
      if (batch.length > 0) applyEdits(folder, file, batch);
      replaced += batch.length;
      batch = [];
      batchBytes = 0;
    };
    for (const { offset, id, line } of lines) {
      const length = lengthOfEvent(path, offset, id);
      if (length === undefined) continue;
      if (length !== Buffer.byteLength(line)) {
        throw new AppError('INVALID_ARGUMENT', `the new line for event ${id} has a different length`, {
          hint: 'backstory doctor',
        });
      }
      batch.push({ offset, text: line });
      batchBytes += length;
      if (batchBytes >= maxJournalBytes) flush();
    }
    flush();
    return replaced;
  });
}

/** Replaces each event by a placeholder of the same length, and returns how many were found. */
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

/** Replaces bytes by empty lines, if they are still there. */
export function blankOut(folder: string, file: string, offset: number, bytes: Buffer): void {
  withLogLock(folder, () => {
    finishRewrite(folder);
    const path = join(folder, file);
    if (!existsSync(path) || !readRange(path, offset, bytes.length).equals(bytes)) return;
    applyEdits(folder, file, [{ offset, text: '\n'.repeat(bytes.length) }]);
  });
}

/** Deletes event files, from the manifest first, so that a crash does not look like a lost file. */
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

/** Completes an interrupted rewrite. The caller holds the log lock. */
export function finishRewrite(folder: string): void {
  const rewrite = readRewrite(folder);
  if (rewrite !== undefined) complete(folder, rewrite);
  else removeIfThere(logFiles(folder).rewrite);
}

export const readRewrite = (folder: string): Rewrite | undefined =>
  readJson<Rewrite>(logFiles(folder).rewrite);

export function withEdits(bytes: Buffer, start: number, edits: Rewrite['edits']): Buffer {
  const changed = Buffer.from(bytes);
  for (const { offset, text } of edits) {
    const from = Math.max(offset, start);
    Buffer.from(text)
      .subarray(from - offset)
      .copy(changed, from - start);
  }
  return changed;
}

function applyEdits(folder: string, file: string, edits: Rewrite['edits']): void {
  const path = join(folder, file);
  const covered = readManifest(folder).manifest?.files[file];
  const blocks: Rewrite['blocks'] = {};
  for (const at of blocksOf(edits)) {
    const hash = covered?.blocks[at];
    if (covered === undefined || hash === undefined) continue;
    const { start, end } = blockRange(at, covered.length);
    const bytes = readRange(path, start, end - start);
    // A damaged block keeps its old hash, so that the damage stays visible.
    if (blockHash(bytes) === hash) blocks[at] = blockHash(withEdits(bytes, start, edits));
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

/** The length of the event's line with its newline; undefined if it does not start at the offset. */
function lengthOfEvent(path: string, offset: number, id: string): number | undefined {
  const [line] = readLines(path, offset, { maxLineBytes, chunkBytes: 16 * 1024 });
  const entry = line?.bytes === undefined ? undefined : decodeLine(line.bytes);
  return entry?.kind === 'event' && entry.event.id === id ? (line as Line).end - offset : undefined;
}

/** Overwrites parts of a file in place. The file is opened without O_APPEND, which would ignore the position. */
function overwrite(path: string, edits: Rewrite['edits']): void {
  const size = sizeOf(path);
  if (size === 0) return;
  const file = openSync(path, 'r+');
  try {
    for (const { offset, text } of edits) {
      const bytes = Buffer.from(text);
      // If the file was truncated meanwhile, do not write beyond its end.
      if (offset + bytes.length > size) continue;
      writeFully(file, bytes, offset);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
