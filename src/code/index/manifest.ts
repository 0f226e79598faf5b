import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readJson, removeIfThere, replaceFile } from '../../base/files.ts';
import type { SegmentEntry } from './segment-writer.ts';

/**
 * The manifest defines the index. Segments are written and synced first; then this file is replaced
 * atomically. A crash in between leaves the old index and an unreferenced segment.
 */
export interface Manifest {
  format: 1;
  generation: number;
  updated: number;
  segments: ManifestSegment[];
}

export interface ManifestSegment extends SegmentEntry {
  /** One bit per file, base64; set if the file is deleted, or newer in a later segment. */
  dead: string;
}

const fileName = 'MANIFEST.json';
const sumOf = (manifest: Manifest): number => crc32(JSON.stringify(manifest));

export function readManifest(folder: string): Manifest | undefined {
  const stored = readJson<{ manifest?: Manifest; sum?: number }>(join(folder, fileName));
  if (stored?.manifest?.format !== 1 || sumOf(stored.manifest) !== stored.sum) return undefined;
  return stored.manifest;
}

export function manifestStamp(folder: string): string {
  const stats = statSync(join(folder, fileName), { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
}

export function writeManifest(folder: string, manifest: Manifest): void {
  replaceFile(join(folder, fileName), JSON.stringify({ manifest, sum: sumOf(manifest) }));
}

const ownEnds = ['.seg', '.tmp', '.seg.words'];

/** Removes segments that the manifest does not name. Only the writer may, while it builds nothing. */
export function removeUnnamedSegments(folder: string, { segments }: Manifest): void {
  const named = new Set(segments.map(({ file }) => file));
  for (const name of readdirSync(folder)) {
    if (!ownEnds.some((end) => name.endsWith(end)) || named.has(name.replace(/\.words$/, ''))) continue;
    try {
      removeIfThere(join(folder, name));
    } catch {
      // Best effort: on Windows another process may have it open; the next call tries again.
    }
  }
}
