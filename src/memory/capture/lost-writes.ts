import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { readIfThere, replaceFile } from '../../base/files.ts';

/**
 * Records that a hook could not store events, for example because the disk was full. The file is preallocated and its
 * slots are overwritten in place, which needs no free space. The next background run (drain) that can write turns the
 * slots into a `gap` event.
 */
export interface LostWrite {
  project: string;
  at: number;
  events: number;
  /** System error code, such as ENOSPC. */
  code: string;
}

const slotBytes = 96;
const slots = 256;
const emptySlot = `${' '.repeat(slotBytes - 1)}\n`;

export function ensureLostWrites(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size !== slotBytes * slots)
    replaceFile(path, emptySlot.repeat(slots));
}

/** Best effort, without a lock: if two hooks pick the same slot at the same time, only one is counted. */
export function recordLostWrite(path: string, { project, at, events, code }: LostWrite, pid: number): void {
  try {
    const file = openSync(path, 'r+');
    try {
      const bytes = Buffer.alloc(slotBytes * slots);
      readSync(file, bytes, 0, bytes.length, 0);
      const isFree = (slot: number): boolean => bytes[slot * slotBytes] === 0x20;
      // Start at a slot that depends on the process, so that concurrent hooks pick different ones.
      const first = pid % slots;
      let slot = first;
      for (let step = 0; step < slots && !isFree(slot); step++) slot = (first + step) % slots;
      const line = `${at} ${events} ${code} ${project}`.padEnd(slotBytes).slice(0, slotBytes - 1);
      writeSync(file, Buffer.from(`${line}\n`, 'latin1'), 0, slotBytes, slot * slotBytes);
    } finally {
      closeSync(file);
    }
  } catch {
    // The file does not exist yet, or it cannot be written either. Nothing more can be done.
  }
}

export function readLostWrites(path: string, project: string): LostWrite[] {
  return parse(readIfThere(path) ?? '')
    .filter((lost) => lost.project === project)
    .sort((a, b) => a.at - b.at);
}

export function clearLostWrites(path: string, project: string): void {
  const text = readIfThere(path) ?? '';
  const kept = text.split('\n').filter((line) => line.trim() !== '' && !line.includes(project));
  replaceFile(path, kept.map((line) => `${line}\n`).join('') + emptySlot.repeat(slots - kept.length));
}

const parse = (text: string): LostWrite[] =>
  text.split('\n').flatMap((line) => {
    const [at = '', events = '', code = '', project = ''] = line.trim().split(' ');
    return project === '' ? [] : [{ project, at: Number(at), events: Number(events), code }];
  });
