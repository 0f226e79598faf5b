import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { classOf } from '../../src/code/index/alphabet.ts';
import { GramLists } from '../../src/code/index/gram-lists.ts';
import { Segment } from '../../src/code/index/segment.ts';
import { type SegmentEntry, SegmentWriter } from '../../src/code/index/segment-writer.ts';
import type { Plan } from '../../src/code/pattern/plan.ts';

export const stamp = (at: number) => ({
  size: at,
  mtimeMs: at + 0.5,
  ctimeMs: at + 0.25,
  inode: 2 ** 40 + at,
});

export function indexFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-segment-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Writes a segment of these texts, by path; undefined is a file that is not searched. */
export function writeSegment(
  folder: string,
  file: string,
  texts: Map<string, string | undefined>,
): SegmentEntry {
  const length = [...texts.values()].reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  const writer = new SegmentWriter(GramLists.roomFor(length));
  for (const [path, text] of texts) {
    const bytes = text === undefined ? undefined : Buffer.from(text);
    writer.addFile(
      { path, stamp: { ...stamp(path.length), size: bytes?.length ?? 7 }, flags: path.length % 5 },
      bytes,
    );
  }
  return writer.write(folder, file);
}

export function openSegment(folder: string, entry: SegmentEntry): Segment {
  const segment = new Segment(folder, entry);
  onTestFinished(() => segment.close());
  return segment;
}

/** Whether a text contains the grams that a plan requires. */
export function accepts(required: Plan, text: string): boolean {
  if (required.kind === 'any') return true;
  if (required.kind === 'and') return required.parts.every((part) => accepts(part, text));
  if (required.kind === 'or') return required.parts.some((part) => accepts(part, text));
  const bits = Array.from(Buffer.from(text), (byte) => 1n << BigInt(classOf[byte] as number));
  return bits.some((_, at) =>
    required.masks.every((mask, ahead) => (mask & (bits[at + ahead] ?? 0n)) !== 0n),
  );
}
