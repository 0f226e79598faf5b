import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { createTimeCheck, monthOf } from '../../base/clock.ts';
import { appendDurably, readRange } from '../../base/files.ts';
import { readLines } from '../../base/lines.ts';
import type { EventEnvelope } from '../../domain/event.ts';
import { decodeLine, encodeEvent, type LogEntry, maxLineBytes } from './event-line.ts';
import { eventFilesIn } from './log-files.ts';

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
  /** Whether each offset is where a line begins; it is not if a file was cut and has grown again since. */
  areLineStarts(position: LogPosition): boolean;
  /** The end of every file as it is now. */
  end(): LogPosition;
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

/** The event as its line has it, also where reading it gave it another time. For whoever writes it again. */
export function asWritten(event: EventEnvelope): EventEnvelope {
  const { claimedAt, ...rest } = event;
  return claimedAt === undefined ? event : ({ ...rest, at: claimedAt } as EventEnvelope);
}

const newline = 0x0a;
const batchBytes = 4 * 1024 * 1024;

export function createEventLog(folder: string, clock: Clock): EventLog {
  const believedTime = createTimeCheck(clock);
  const withBelievedTime = (event: EventEnvelope): EventEnvelope => {
    const at = believedTime(event.at);
    return at === event.at ? event : { ...event, at, claimedAt: event.at };
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
      for (const file of eventFilesIn(folder)) {
        for (const line of readLines(join(folder, file), from[file] ?? 0, { maxLineBytes })) {
          // Every append begins with a newline.
          if (line.bytes?.length === 0) continue;
          const entry: LogEntry = line.bytes === undefined ? { kind: 'damaged' } : decodeLine(line.bytes);
          if (entry.kind === 'event') entry.event = withBelievedTime(entry.event);
          yield { file, offset: line.offset, end: line.end, entry };
        }
      }
    },

    areLineStarts(position) {
      return Object.entries(position).every(
        ([file, offset]) => offset === 0 || readRange(join(folder, file), offset - 1, 1)[0] === newline,
      );
    },

    end() {
      return Object.fromEntries(
        eventFilesIn(folder).map((file) => [file, statSync(join(folder, file)).size]),
      );
    },
  };
}
