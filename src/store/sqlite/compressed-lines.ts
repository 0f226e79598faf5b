import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../base/sqlite.ts';
import type { LogPosition } from '../events/event-log.ts';
import type { HeldLine } from '../store.ts';

const zlib = () => process.getBuiltinModule('node:zlib');

/** Shorter lines gain nothing. */
const worthPacking = 512;
/** The first byte of a zlib stream; a line begins with a brace. */
const packedMark = 0x78;

/** A line as the index keeps it, compressed. That takes a hundredth of the time that indexing it does. */
export function packLine(line: string): Buffer {
  const bytes = Buffer.from(line);
  return bytes.length < worthPacking ? bytes : zlib().deflateSync(bytes);
}

const unpackLine = (bytes: Buffer): Buffer => (bytes[0] === packedMark ? zlib().inflateSync(bytes) : bytes);

/**
 * The lines of the log that index files hold. Each line carries its own checksum, so files that are damaged or were
 * written by another version are read as far as they can be.
 */
export function* heldLines(paths: string[]): Generator<HeldLine> {
  const rows = `select l.line, e.file, e.offset from event_line l join event e on e.id = l.id`;
  for (const database of opened(paths)) {
    try {
      for (const row of database.prepare(rows).iterate()) {
        const { file, offset, line } = row as { file: string; offset: number; line: Uint8Array };
        yield { file, offset, line: unpackLine(Buffer.from(line)) };
      }
    } catch {
      // Not readable from here on; the other files may be.
    }
  }
}

export function heldProgress(paths: string[]): LogPosition {
  const furthest: LogPosition = {};
  for (const database of opened(paths)) {
    try {
      for (const row of database.prepare('select file, offset from progress').all()) {
        const { file, offset } = row as { file: string; offset: number };
        furthest[file] = Math.max(furthest[file] ?? 0, offset);
      }
    } catch {
      // As above.
    }
  }
  return furthest;
}

function* opened(paths: string[]): Generator<DatabaseSync> {
  for (const path of paths) {
    let database: DatabaseSync;
    try {
      database = openDatabase(path, { readOnly: true });
    } catch {
      continue;
    }
    try {
      yield database;
    } finally {
      database.close();
    }
  }
}
