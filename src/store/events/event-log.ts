import { closeSync, fsyncSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { monthOf } from '../../base/clock.ts';
import { systemCodeOf } from '../../base/errors.ts';
import { appendDurably, readRange } from '../../base/files.ts';
import { readLines } from '../../base/lines.ts';
import type { EventEnvelope } from '../../domain/event.ts';
import { decodeLine, encodeEvent, encodeForgotten, type LogEntry, maxLineBytes } from './event-line.ts';

/** How far each event file has been read, by file name. Files only ever grow. */
export type LogPosition = Record<string, number>;

export interface LogRecord {
  file: string;
  offset: number;
  end: number;
  entry: LogEntry;
}

/** The append-only truth of one project: `events/YYYY-MM.jsonl`. Readers fold repeated ids themselves. */
export interface EventLog {
  /** Returns only when every line is on disk; throws when one is not. */
  append(events: EventEnvelope[]): void;
  read(from: LogPosition): Generator<LogRecord>;
  /** The end of every file as it is now. */
  end(): LogPosition;
  /** Replaces one event in place by a forgotten line of the same length. False when it is not there. */
  forget(file: string, offset: number, id: string): boolean;
}

/** Bytes of the log beyond a position. */
export function bytesBehind(position: LogPosition, end: LogPosition): number {
  return Object.entries(end).reduce(
    (sum, [file, size]) => sum + Math.max(0, size - (position[file] ?? 0)),
    0,
  );
}

/** False when a file that was read is now shorter or gone: then this is another log than the one that was read. */
export const isWithin = (position: LogPosition, end: LogPosition): boolean =>
  Object.entries(position).every(([file, offset]) => offset <= (end[file] ?? 0));

const batchBytes = 4 * 1024 * 1024;
const eventFile = /^\d{4}-\d{2}\.jsonl$/;

export function createEventLog(folder: string, clock: Clock): EventLog {
  const files = (): string[] => {
    try {
      return readdirSync(folder)
        .filter((name) => eventFile.test(name))
        .sort();
    } catch (error) {
      if (systemCodeOf(error) === 'ENOENT') return [];
      throw error;
    }
  };

  return {
    append(events) {
      const path = join(folder, `${monthOf(clock.now())}.jsonl`);
      let batch = '';
      for (const event of events) {
        const line = encodeEvent(event);
        if (batch !== '' && batch.length + line.length > batchBytes) {
          appendDurably(path, batch);
          batch = '';
        }
        batch += line;
      }
      if (batch !== '') appendDurably(path, batch);
    },

    *read(from) {
      for (const file of files()) {
        for (const line of readLines(join(folder, file), from[file] ?? 0, { maxLineBytes })) {
          // Every append begins with a newline.
          if (line.bytes?.length === 0) continue;
          const entry: LogEntry = line.bytes === undefined ? { kind: 'damaged' } : decodeLine(line.bytes);
          yield { file, offset: line.offset, end: line.end, entry };
        }
      }
    },

    end() {
      return Object.fromEntries(files().map((file) => [file, statSync(join(folder, file)).size]));
    },

    forget(file, offset, id) {
      const path = join(folder, file);
      const line = readLineAt(path, offset);
      const length = line.indexOf(0x0a) + 1;
      const entry = decodeLine(line.subarray(0, Math.max(0, length - 1)));
      if (entry.kind !== 'event' || entry.event.id !== id) return false;
      overwrite(path, offset, encodeForgotten(id, length));
      return true;
    },
  };
}

/** From the offset to at least the end of the line; most are short, so not all that a line may have is read. */
function readLineAt(path: string, offset: number): Buffer {
  for (let bytes = 16 * 1024; bytes < maxLineBytes; bytes *= 8) {
    const piece = readRange(path, offset, bytes);
    if (piece.includes(0x0a)) return piece;
  }
  return readRange(path, offset, maxLineBytes);
}

/** Not opened for append: there the kernel would put the bytes at the end whatever the position. */
function overwrite(path: string, offset: number, text: string): void {
  const file = openSync(path, 'r+');
  try {
    const bytes = Buffer.from(text);
    let done = 0;
    while (done < bytes.length) done += writeSync(file, bytes, done, bytes.length - done, offset + done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
