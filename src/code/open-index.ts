import { type Manifest, readManifest } from './index/manifest.ts';
import { bitmapBytes, bitsIn, hasBit, setBit } from './index/posting-list.ts';
import { Segment } from './index/segment.ts';
import type { ViewPart } from './view.ts';

/** The segments of one manifest, open for reading, with the files that this process knows to be dead. */
export class OpenIndex {
  readonly manifest: Manifest;
  readonly parts: ViewPart[];

  private constructor(manifest: Manifest, parts: ViewPart[]) {
    this.manifest = manifest;
    this.parts = parts;
  }

  /**
   * Returns undefined if there is no trustworthy index. A writer may remove segments after we read the
   * manifest, so a failed open is retried. Segments of `before` that are still in the manifest are reused;
   * the others are closed.
   */
  static open(folder: string, before?: OpenIndex): OpenIndex | undefined {
    for (let attempt = 0; attempt < 3; attempt++) {
      const manifest = readManifest(folder);
      if (manifest === undefined) break;
      const parts = openParts(folder, manifest, before);
      if (parts === undefined) continue;
      const kept = new Set(parts.map(({ segment }) => segment));
      for (const { segment } of before?.parts ?? []) if (!kept.has(segment)) segment.close();
      return new OpenIndex(manifest, parts);
    }
    before?.close();
    return undefined;
  }

  close(): void {
    for (const { segment } of this.parts) segment.close();
  }

  /** Finds a file by its path, unless it is dead. */
  find(path: string): { part: ViewPart; file: number } | undefined {
    for (const part of this.parts) {
      const file = part.segment.findFile(path);
      if (file !== -1 && !hasBit(part.dead, file)) return { part, file };
    }
    return undefined;
  }

  markDead(path: string): void {
    const found = this.find(path);
    if (found !== undefined) setBit(found.part.dead, found.file);
  }

  /** Yields the files below a folder that are not dead; all of them for ''. */
  *filesUnder(folder: string): Generator<{ part: ViewPart; file: number; path: string }> {
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const part of this.parts) {
      const { segment, dead } = part;
      const { byPath } = segment.tables;
      for (let at = segment.firstFrom(prefix); at < byPath.length; at++) {
        const file = byPath[at] as number;
        const path = segment.pathOf(file);
        if (!path.startsWith(prefix)) break;
        if (!hasBit(dead, file)) yield { part, file, path };
      }
    }
  }

  get fileCount(): number {
    return this.parts.reduce((sum, { segment, dead }) => sum + segment.entry.files - bitsIn(dead), 0);
  }

  get bytes(): number {
    return this.manifest.segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

function openParts(
  folder: string,
  manifest: Manifest,
  before: OpenIndex | undefined,
): ViewPart[] | undefined {
  const opened: Segment[] = [];
  try {
    return manifest.segments.map(({ dead, ...entry }) => {
      const known = before?.parts.find(({ segment }) => segment.entry.file === entry.file)?.segment;
      const segment = known ?? new Segment(folder, entry);
      if (known === undefined) opened.push(segment);
      const bits = new Uint8Array(bitmapBytes(entry.files));
      bits.set(Buffer.from(dead, 'base64').subarray(0, bits.length));
      return { segment, dead: bits };
    });
  } catch {
    for (const segment of opened) segment.close();
    return undefined;
  }
}

const maxSegments = 8;
/** Merge all segments if this share of the files is dead. */
const maxDeadShare = 0.25;

/** The largest segment is left out until many files are dead, because indexing it again is expensive. */
export function chooseMerge({ parts }: OpenIndex): string[] | undefined {
  const files = parts.reduce((sum, { segment }) => sum + segment.entry.files, 0);
  const dead = parts.reduce((sum, part) => sum + bitsIn(part.dead), 0);
  const chosen =
    dead > files * maxDeadShare && dead > 100
      ? parts
      : parts.length > maxSegments
        ? allButLargest(parts)
        : [];
  return chosen.length === 0 ? undefined : chosen.map(({ segment }) => segment.entry.file);
}

function allButLargest(parts: ViewPart[]): ViewPart[] {
  const largest = parts.reduce((a, b) => (b.segment.entry.bytes > a.segment.entry.bytes ? b : a));
  return parts.filter((part) => part !== largest);
}
