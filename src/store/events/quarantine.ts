import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, readRange, removeIfThere, replaceFile } from '../../base/files.ts';
import type { LogDamage } from '../../wire/answers/project.ts';
import { logFiles } from './log-files.ts';
import { blankOut } from './rewrite-events.ts';

/** Name of the file that keeps the bytes of a damaged line: `damaged/2026-11.jsonl.10240`. */
const nameOf = (file: string, offset: number): string => `${file}.${offset}`;
const quarantinedName = /^(\d{4}-\d{2}\.jsonl)\.(\d+)$/;

/** Copies the bytes of damaged lines, so that no later change to the log can lose them. */
export function quarantine(folder: string, damage: LogDamage[]): void {
  for (const { kind, file, offset, length } of damage) {
    if (kind !== 'line' || offset === undefined || length === undefined) continue;
    const path = join(logFiles(folder).damaged, nameOf(file, offset));
    if (!existsSync(path)) replaceFile(path, readRange(join(folder, file), offset, length));
  }
}

/** Moves lines to quarantine and leaves empty lines in the log. */
export function quarantineLines(folder: string, lines: LogDamage[]): void {
  quarantine(folder, lines);
  for (const { file, offset = 0, length = 0 } of lines)
    blankOut(folder, file, offset, readRange(join(folder, file), offset, length));
}

/** Removes damaged lines that match, from quarantine and from the log. */
export function eraseDamaged(folder: string, matches: (text: string) => boolean): void {
  const { damaged } = logFiles(folder);
  for (const name of namesIn(damaged)) {
    const [, file, offset] = quarantinedName.exec(name) ?? [];
    const bytes = readFileSync(join(damaged, name));
    if (file === undefined || !matches(bytes.toString('utf8'))) continue;
    blankOut(folder, file, Number(offset), bytes);
    removeIfThere(join(damaged, name));
  }
}
