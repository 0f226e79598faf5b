import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { createTimeCheck, monthOf } from '../../base/clock.ts';
import { appendDurably, readRange } from '../../base/files.ts';
import { readLines } from '../../base/lines.ts';
import type { EventEnvelope } from '../../domain/event.ts';
import { decodeLine, encodeEvent, type LogEntry, maxLineBytes } from './event-line.ts';
import { eventFilesIn } from './log-files.ts';

/** How far each event file has been read, by file name. Files only grow. */
export type LogPosition = Record<string, number>;

export interface LogRecord {
  file: string;
  offset: number;
  end: number;
  entry: LogEntry;
}

export function bytesAfter(position: LogPosition, end: LogPosition): number {
  return Object.entries(end).reduce(
    (sum, [file, size]) => sum + Math.max(0, size - (position[file] ?? 0)),
    0,
  );
}

/** False if a file is now shorter than what was read, or gone: then this is a different log. */
export const isWithin = (position: LogPosition, end: LogPosition): boolean =>
  Object.entries(position).every(([file, offset]) => offset <= (end[file] ?? 0));

export function eventAt(
  log: Pick<EventLog, 'read' | 'end'>,
  { file, offset }: Pick<LogRecord, 'file' | 'offset'>,
): EventEnvelope | undefined {
  const [found] = log.read({ ...log.end(), [file]: offset });
  return found?.entry.kind === 'event' ? found.entry.event : undefined;
}

/**
 * Returns the event with the time that its line in the log has. Reading replaces a time from the future by the
 * current time; code that writes the event again must write the original time.
 */
export function withOriginalTime(event: EventEnvelope): EventEnvelope {
  const { claimedAt, ...rest } = event;
  return claimedAt === undefined ? event : ({ ...rest, at: claimedAt } as EventEnvelope);
}

const newline = 0x0a;
const batchBytes = 4 * 1024 * 1024;

/**
 * The append-only log of one project: `events/YYYY-MM.jsonl`. An event can be in the log twice with the same id;
 * readers merge such events themselves.
 */
export function createEventLog(folder: string, clock: Clock) {
  const plausibleTime = createTimeCheck(clock);
  const withPlausibleTime = (event: EventEnvelope): EventEnvelope => {
    const at = plausibleTime(event.at);
    return at === event.at ? event : { ...event, at, claimedAt: event.at };
  };

  return {
    /** Returns when every line is on disk; throws otherwise. */
    append(events: EventEnvelope[]) {
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

    /** If `isWanted` is given, only lines for which it returns true are decoded and returned. */
    *read(from: LogPosition, isWanted?: (line: Buffer) => boolean) {
      for (const file of eventFilesIn(folder)) {
        for (const line of readLines(join(folder, file), from[file] ?? 0, { maxLineBytes })) {
          // Every append starts with a newline, so empty lines are normal.
          if (line.bytes?.length === 0) continue;
          if (isWanted !== undefined && (line.bytes === undefined || !isWanted(line.bytes))) continue;
          const entry: LogEntry = line.bytes === undefined ? { kind: 'damaged' } : decodeLine(line.bytes);
          if (entry.kind === 'event') entry.event = withPlausibleTime(entry.event);
          yield { file, offset: line.offset, end: line.end, entry };
        }
      }
    },

    /** False if a file was truncated and has grown again since the position was saved. */
    areLineStarts(position: LogPosition) {
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

export type EventLog = ReturnType<typeof createEventLog>;
