import { readFileSync } from 'node:fs';
import { systemCodeOf } from '../../base/errors.ts';
import { replaceFile } from '../../base/files.ts';
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

export interface RecordedDamage {
  kind: 'line' | 'manifest';
  file: string;
  offset?: number;
  length?: number;
  /** 1 for the first line of the file. */
  line?: number;
  detail: string;
  at: string;
}

export const blockBytes = 256 * 1024;

/** 128 bits are enough to notice damage; the hash is no protection against somebody who can write the manifest. */
export const blockHash = (bytes: Uint8Array): string => sha256(bytes).slice(0, 32);

export interface ManifestReading {
  /** Undefined when there is none, or none that can be believed. */
  manifest: Manifest | undefined;
  /** What is wrong with the manifest itself. */
  problem?: string;
}

type Copy = { state: 'ok'; manifest: Manifest } | { state: 'missing' } | { state: 'damaged' };

export function readManifest(folder: string): ManifestReading {
  const { manifest, manifestCopy } = logFiles(folder);
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
    return first.state === 'missing' && second.state === 'missing'
      ? { manifest: undefined }
      : { manifest: undefined, problem: 'both copies are damaged or missing' };
  }
  const lost = first.state === 'ok' ? { path: manifestCopy, ...second } : { path: manifest, ...first };
  // The first manifest ever written may have been interrupted before its second copy.
  if (lost.state === 'missing' && intact.manifest.generation === 1) return { manifest: intact.manifest };
  return { manifest: intact.manifest, problem: `${lost.path} is ${lost.state}` };
}

/** The copy first: if the manifest is there, so is its copy. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const { manifest: path, manifestCopy } = logFiles(folder);
  const text = JSON.stringify(manifest);
  const content = `${JSON.stringify({ sum: sha256(text), manifest })}\n`;
  replaceFile(manifestCopy, content);
  replaceFile(path, content);
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
