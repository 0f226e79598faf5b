import { existsSync, readFileSync } from 'node:fs';
import { systemCodeOf } from '../../base/errors.ts';
import { readRange, replaceFile } from '../../base/files.ts';
import { sha256 } from '../../base/ids.ts';
import type { LogDamage } from '../../wire/answers/project.ts';
import { logFiles } from './log-files.ts';

/**
 * The manifest records the state of a project's event files when they were last verified: for each file its length and
 * a hash per block. Hooks append without touching it; each drain extends it to the appended lines. Lines after the
 * covered part have only their own checksums. There is a hash per block instead of one per file, because extending it
 * rereads at most one block, rewriting a line recomputes one or two, and a mismatch shows where to look.
 */
export interface Manifest {
  v: 1;
  /** Incremented with every change, so that a reader can detect a change during its comparison. */
  generation: number;
  files: Record<string, CoveredFile>;
  /**
   * Damage in the part of the log that the manifest covers, including damage that can no longer be seen there. It is
   * recorded until the user accepts it.
   */
  damage: RecordedDamage[];
}

export interface CoveredFile {
  /** Number of bytes that the manifest covers, always up to the end of a line. */
  length: number;
  blocks: string[];
}

export type RecordedDamage = LogDamage & { at: string };

export const blockBytes = 256 * 1024;

/** 128 bits detect damage. They do not protect against somebody who can write the manifest. */
export const blockHash = (bytes: Uint8Array): string => sha256(bytes).slice(0, 32);

export const emptyManifest = (): Manifest => ({ v: 1, generation: 0, files: {}, damage: [] });

export interface ManifestReading {
  /** Undefined if there is no manifest, or it cannot be trusted. */
  manifest: Manifest | undefined;
  problem?: string;
}

export function readManifest(folder: string): ManifestReading {
  const { manifest, manifestCopy, manifestMark } = logFiles(folder);
  const [first, second] = [readCopy(manifest), readCopy(manifestCopy)];
  if (first.state === 'ok' && second.state === 'ok') {
    const newest = first.manifest.generation >= second.manifest.generation ? first : second;
    // After a crash between the two writes, the copies differ by one generation.
    const apart = Math.abs(first.manifest.generation - second.manifest.generation);
    return apart <= 1
      ? { manifest: newest.manifest }
      : { manifest: newest.manifest, problem: 'its two copies differ; one was replaced by an older version' };
  }
  const intact = first.state === 'ok' ? first : second.state === 'ok' ? second : undefined;
  if (intact === undefined) {
    const isNew = [first, second].every(({ state }) => state === 'missing') && !existsSync(manifestMark);
    return isNew
      ? { manifest: undefined }
      : { manifest: undefined, problem: 'both copies are missing or damaged' };
  }
  const bad = first.state === 'ok' ? { path: manifestCopy, ...second } : { path: manifest, ...first };
  // If the mark is missing too, which is written after both copies, the very first write was interrupted between the
  // copies. That is no damage.
  if (bad.state === 'missing' && !existsSync(manifestMark)) return { manifest: intact.manifest };
  return { manifest: intact.manifest, problem: `${bad.path} is ${bad.state}` };
}

/** Writes the copy first: if the manifest exists, so does its copy. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const { manifest: path, manifestCopy, manifestMark } = logFiles(folder);
  const text = JSON.stringify(manifest);
  const content = `${JSON.stringify({ sum: sha256(text), manifest })}\n`;
  replaceFile(manifestCopy, content);
  replaceFile(path, content);
  if (!existsSync(manifestMark)) replaceFile(manifestMark, '');
}

function readCopy(path: string): { state: 'ok'; manifest: Manifest } | { state: 'missing' | 'damaged' } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { state: systemCodeOf(error) === 'ENOENT' ? 'missing' : 'damaged' };
  }
  try {
    const { sum, manifest } = JSON.parse(text) as { sum: string; manifest: Manifest };
    return sum === sha256(JSON.stringify(manifest)) ? { state: 'ok', manifest } : { state: 'damaged' };
  } catch {
    return { state: 'damaged' };
  }
}

export const blockRange = (at: number, length: number): { start: number; end: number } => ({
  start: at * blockBytes,
  end: Math.min((at + 1) * blockBytes, length),
});

/** Returns the block hashes from block `first` on, over the first `length` bytes of a file. */
export function hashBlocks(path: string, length: number, first = 0): string[] {
  const hashes: string[] = [];
  for (let at = first; at * blockBytes < length; at++) {
    const { start, end } = blockRange(at, length);
    hashes.push(blockHash(readRange(path, start, end - start)));
  }
  return hashes;
}
