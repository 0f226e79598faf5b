import { existsSync, readFileSync } from 'node:fs';
import { systemCodeOf } from '../../base/errors.ts';
import { readRange, replaceFile } from '../../base/files.ts';
import { sha256 } from '../../base/ids.ts';
import { logFiles } from './log-files.ts';

/**
 * The manifest says what the event files of a project held when they were last verified: for each file the length and
 * a hash per block. Hooks append without touching it; each drain extends it over the lines that were appended. Lines
 * beyond it are covered by their own checksums only.
 *
 * A hash per block, and not one over the whole file: extending it rereads at most one block, rewriting a line
 * recomputes one or two, and a mismatch says where to look.
 */
export interface Manifest {
  v: 1;
  /** Raised with every change, so that a reader can tell whether the manifest changed while it compared. */
  generation: number;
  files: Record<string, CoveredFile>;
  /** Damage that is part of the covered bytes or cannot be seen in them any more. It stays until it is accepted. */
  damage: RecordedDamage[];
}

export interface CoveredFile {
  /** Always the end of a line. */
  length: number;
  blocks: string[];
}

export type DamageKind =
  /** One line does not fit its checksum. */
  | 'line'
  /** Lines were changed, deleted, added or moved, and every line there fits its checksum. */
  | 'changed'
  | 'shortened'
  | 'missing'
  /** The manifest itself. */
  | 'manifest';

export interface LogDamage {
  kind: DamageKind;
  file: string;
  detail: string;
  offset?: number;
  length?: number;
  /** 1 for the first line of the file. */
  line?: number;
}

export type RecordedDamage = LogDamage & { at: string };

export const blockBytes = 256 * 1024;

/** 128 bits are enough to notice damage; the hash is no protection against somebody who can write the manifest. */
export const blockHash = (bytes: Uint8Array): string => sha256(bytes).slice(0, 32);

export const emptyManifest = (): Manifest => ({ v: 1, generation: 0, files: {}, damage: [] });

export interface ManifestReading {
  /** Undefined when there is none, or none that can be believed. */
  manifest: Manifest | undefined;
  /** What is wrong with the manifest itself. */
  problem?: string;
}

type Copy = { state: 'ok'; manifest: Manifest } | { state: 'missing' } | { state: 'damaged' };

export function readManifest(folder: string): ManifestReading {
  const { manifest, manifestCopy, manifestMark } = logFiles(folder);
  const [first, second] = [readCopy(manifest), readCopy(manifestCopy)];
  if (first.state === 'ok' && second.state === 'ok') {
    const newest = first.manifest.generation >= second.manifest.generation ? first : second;
    // A crash between the two writes leaves them one apart.
    const apart = Math.abs(first.manifest.generation - second.manifest.generation);
    return apart <= 1
      ? { manifest: newest.manifest }
      : { manifest: newest.manifest, problem: 'its two copies differ: one was replaced by an older one' };
  }
  const intact = first.state === 'ok' ? first : second.state === 'ok' ? second : undefined;
  if (intact === undefined) {
    const isNew = [first, second].every(({ state }) => state === 'missing') && !existsSync(manifestMark);
    return isNew
      ? { manifest: undefined }
      : { manifest: undefined, problem: 'both copies are lost or damaged' };
  }
  const lost = first.state === 'ok' ? { path: manifestCopy, ...second } : { path: manifest, ...first };
  // The first manifest ever may have been interrupted between its two copies; the mark is written after both.
  if (lost.state === 'missing' && !existsSync(manifestMark)) return { manifest: intact.manifest };
  return { manifest: intact.manifest, problem: `${lost.path} is ${lost.state}` };
}

/** The copy first: if the manifest is there, so is its copy. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const { manifest: path, manifestCopy, manifestMark } = logFiles(folder);
  const text = JSON.stringify(manifest);
  const content = `${JSON.stringify({ sum: sha256(text), manifest })}\n`;
  replaceFile(manifestCopy, content);
  replaceFile(path, content);
  if (!existsSync(manifestMark)) replaceFile(manifestMark, '');
}

function readCopy(path: string): Copy {
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

/** Where a block lies in a file of which `length` bytes are covered. */
export const blockRange = (at: number, length: number): { start: number; end: number } => ({
  start: at * blockBytes,
  end: Math.min((at + 1) * blockBytes, length),
});

/** The hashes of the blocks from `first` on, over the first `length` bytes of a file. */
export function hashBlocks(path: string, length: number, first = 0): string[] {
  const hashes: string[] = [];
  for (let at = first; at * blockBytes < length; at++) {
    const { start, end } = blockRange(at, length);
    hashes.push(blockHash(readRange(path, start, end - start)));
  }
  return hashes;
}
