import { join } from 'node:path';
import { readRange, sizeOf, sleep } from '../../base/files.ts';
import { readLines } from '../../base/lines.ts';
import type { LogDamage } from '../../wire/answers/project.ts';
import { lineState, maxLineBytes } from './event-line.ts';
import { eventFilesIn } from './log-files.ts';
import { blockHash, blockRange, type CoveredFile, type ManifestReading, readManifest } from './manifest.ts';
import { type Rewrite, readRewrite, withEdits } from './rewrite-events.ts';

/**
 * Compares the event files with the manifest, which has a hash of each block that it covers, and every later line
 * with the line's own checksum. It reads the whole log and writes nothing. It takes no lock: if a comparison fails
 * while another process rewrites lines, it is repeated.
 */
export interface LogCheck {
  damage: LogDamage[];
  /** Writes cut off by a kill or a full disk. They were never acknowledged. */
  tornWrites: number;
  files: number;
  bytes: number;
  /** Bytes covered by the manifest; the rest has only the checksums of its lines. */
  coveredBytes: number;
}

const maxAttempts = 20;
const retryDelayMs = 50;

export function checkLog(folder: string): LogCheck {
  for (let attempt = 1; ; attempt++) {
    const [reading, rewrite] = [readManifest(folder), readRewrite(folder)];
    const check = compare(folder, reading, rewrite);
    if (check.damage.length === 0 || attempt === maxAttempts) return check;
    const [now, rewriteNow] = [readManifest(folder), readRewrite(folder)];
    const isSame =
      now.manifest?.generation === reading.manifest?.generation &&
      JSON.stringify(rewriteNow?.blocks) === JSON.stringify(rewrite?.blocks);
    if (isSame) return check;
    sleep(retryDelayMs);
  }
}

function compare(
  folder: string,
  { manifest, problem }: ManifestReading,
  rewrite: Rewrite | undefined,
): LogCheck {
  const present = eventFilesIn(folder);
  const covered = manifest?.files ?? {};
  const check: LogCheck = {
    damage: [...(manifest?.damage ?? [])],
    tornWrites: 0,
    files: present.length,
    bytes: 0,
    coveredBytes: 0,
  };
  if (problem !== undefined)
    check.damage.push({ kind: 'manifest', file: 'manifest.json', detail: `manifest: ${problem}` });
  for (const [file, { length }] of Object.entries(covered)) {
    if (present.includes(file)) continue;
    check.damage.push({
      kind: 'missing',
      file,
      length,
      detail: `the file is missing; it had ${length} bytes`,
    });
  }
  for (const file of present) {
    const own = covered[file] ?? { length: 0, blocks: [] };
    const found = compareFile(join(folder, file), file, own, rewrite?.file === file ? rewrite : undefined);
    check.damage.push(...found.damage);
    check.tornWrites += found.tornWrites;
    check.bytes += found.size;
    check.coveredBytes += Math.min(found.size, own.length);
  }
  return check;
}

function compareFile(path: string, file: string, covered: CoveredFile, rewrite: Rewrite | undefined) {
  const size = sizeOf(path);
  const bad = covered.blocks.flatMap((hash, at) => {
    const { start, end } = blockRange(at, covered.length);
    return isBlock(readRange(path, start, end - start), hash, start, rewrite?.blocks[at], rewrite)
      ? []
      : [{ start, end }];
  });
  const damage: LogDamage[] = [];
  if (size < covered.length) {
    const missing = covered.length - size;
    damage.push({
      kind: 'shortened',
      file,
      offset: size,
      length: missing,
      detail: `the file is ${missing} bytes shorter than it was`,
    });
  }
  const { lines, tornWrites, firstBadLine } = inspectLines(path, file, covered.length, bad);
  damage.push(...lines);
  const [first] = bad;
  if (first !== undefined && damage.length === 0) {
    const { end } = bad.at(-1) ?? first;
    damage.push({
      kind: 'changed',
      file,
      offset: first.start,
      length: end - first.start,
      ...(firstBadLine === undefined ? {} : { line: firstBadLine }),
      detail: `lines were changed, deleted, added or moved between byte ${first.start} and ${end}`,
    });
  }
  return { damage, tornWrites, size };
}

/**
 * Whether a block matches its hash. A block that an interrupted rewrite has not changed yet also counts, because the
 * next writer completes the rewrite.
 */
function isBlock(
  bytes: Buffer,
  hash: string,
  start: number,
  rewritten: string | undefined,
  rewrite: Rewrite | undefined,
): boolean {
  if (blockHash(bytes) === hash) return true;
  if (rewrite === undefined) return false;
  return blockHash(withEdits(bytes, start, rewrite.edits)) === rewritten;
}

/**
 * Checks lines against their checksums, where the manifest cannot vouch for them: in blocks that do not match their
 * hash, and after the part that the manifest covers. Returns those that do not match.
 */
function inspectLines(path: string, file: string, covered: number, bad: { start: number; end: number }[]) {
  const size = sizeOf(path);
  const isSuspect = (offset: number, end: number): boolean =>
    end > covered || bad.some((block) => offset < block.end && end > block.start);
  const lines: LogDamage[] = [];
  let tornWrites = 0;
  let number = 0;
  let firstBadLine: number | undefined;
  if (bad.length === 0 && size <= covered) return { lines, tornWrites, firstBadLine };
  const inspect = (offset: number, end: number, bytes: Buffer | undefined): void => {
    if (!isSuspect(offset, end) || bytes?.length === 0) return;
    if (offset < covered) firstBadLine ??= number;
    const state = bytes === undefined ? 'damaged' : lineState(bytes);
    if (state === 'torn' && offset >= covered) tornWrites += 1;
    if (state !== 'damaged') return;
    const length = end - offset;
    const detail = `line ${number} (${length} bytes at ${offset}) does not match its checksum`;
    lines.push({ kind: 'line', file, offset, length, line: number, detail });
  };
  let last = 0;
  for (const { offset, end, bytes } of readLines(path, 0, { maxLineBytes })) {
    number += 1;
    last = end;
    inspect(offset, end, bytes);
  }
  number += 1;
  // A last line without a newline: still being written, torn, or damaged at its end.
  if (size - last <= maxLineBytes) inspect(last, size, readRange(path, last, size - last));
  return { lines, tornWrites, firstBadLine };
}
