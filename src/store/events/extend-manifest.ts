import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, isoTime } from '../../base/clock.ts';
import { readRange } from '../../base/files.ts';
import { readLines } from '../../base/lines.ts';
import type { LogDamage } from '../../wire/answers/project.ts';
import { checkLog } from './check-log.ts';
import { lineState, maxLineBytes } from './event-line.ts';
import { eventFilesIn } from './log-files.ts';
import { withLogLock } from './log-lock.ts';
import {
  blockBytes,
  blockHash,
  type CoveredFile,
  emptyManifest,
  hashBlocks,
  type Manifest,
  type RecordedDamage,
  readManifest,
  writeManifest,
} from './manifest.ts';
import { quarantine } from './quarantine.ts';
import { finishRewrite } from './rewrite-events.ts';

/**
 * Extends the manifest, which covers the log with hashes, to the lines appended since the last call. Damaged lines
 * among them are copied to quarantine and recorded. A file whose covered part was shortened or changed is skipped,
 * because extending it would hide the damage.
 */
export function extendManifest(folder: string, clock: Clock): void {
  const files = eventFilesIn(folder);
  if (files.length === 0) return;
  withLogLock(folder, () => {
    finishRewrite(folder);
    const at = isoTime(clock.now());
    const { manifest = emptyManifest(), problem } = readManifest(folder);
    const next: Manifest = { ...manifest, files: { ...manifest.files }, damage: [...manifest.damage] };
    if (problem !== undefined)
      next.damage.push({ kind: 'manifest', file: 'manifest.json', detail: `manifest: ${problem}`, at });
    let isChanged = problem !== undefined;
    for (const file of files) {
      const extended = extend(folder, file, manifest.files[file] ?? { length: 0, blocks: [] });
      if (extended === undefined) continue;
      next.files[file] = extended.covered;
      quarantine(folder, extended.damage);
      next.damage.push(...extended.damage.map((damage) => ({ ...damage, at })));
      isChanged = true;
    }
    if (isChanged) writeManifest(folder, { ...next, generation: manifest.generation + 1 });
  });
}

/**
 * Makes the manifest match the current log, with only `remaining` as recorded damage. Damaged lines stay in
 * their file, where readers skip them, and in quarantine.
 */
export function rebuildManifest(folder: string, remaining: RecordedDamage[] = []): void {
  withLogLock(folder, () => {
    finishRewrite(folder);
    quarantine(folder, checkLog(folder).damage);
    const files = eventFilesIn(folder).map((file): [string, CoveredFile] => {
      const path = join(folder, file);
      let length = 0;
      for (const { end } of readLines(path, 0, { maxLineBytes })) length = end;
      return [file, { length, blocks: hashBlocks(path, length) }];
    });
    const generation = (readManifest(folder).manifest?.generation ?? 0) + 1;
    writeManifest(folder, {
      v: 1,
      generation,
      files: Object.fromEntries(files.filter(([, { length }]) => length > 0)),
      damage: remaining,
    });
  });
}

/**
 * Extends the covered part of an event file to its last complete line. Returns undefined if no line was added, or if
 * the covered part was changed.
 */
function extend(
  folder: string,
  file: string,
  covered: CoveredFile,
): { covered: CoveredFile; damage: LogDamage[] } | undefined {
  const path = join(folder, file);
  if (statSync(path).size <= covered.length) return undefined;
  const whole = Math.floor(covered.length / blockBytes);
  const start = whole * blockBytes;
  const last = covered.blocks[whole];
  if (last !== undefined && blockHash(readRange(path, start, covered.length - start)) !== last)
    return undefined;
  const { length, damaged } = readAppended(path, file, covered.length);
  if (length === covered.length) return undefined;
  const blocks = [...covered.blocks.slice(0, whole), ...hashBlocks(path, length, whole)];
  // Line numbers are only for display, and counting them reads the file from its start. So count only if there is
  // damage.
  const damage =
    damaged.length === 0 ? [] : checkLog(folder).damage.filter((one) => damaged.includes(keyOf(one)));
  return { covered: { length, blocks }, damage };
}

const keyOf = ({ file, offset }: LogDamage): string => `${file} ${offset}`;

function readAppended(path: string, file: string, from: number): { length: number; damaged: string[] } {
  let length = from;
  const damaged: string[] = [];
  for (const { offset, end, bytes } of readLines(path, from, { maxLineBytes })) {
    length = end;
    if (bytes?.length === 0) continue;
    if (bytes === undefined || lineState(bytes) === 'damaged')
      damaged.push(keyOf({ kind: 'line', file, offset, detail: '' }));
  }
  return { length, damaged };
}
