import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { finished, pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { AppError, messageOf } from '../../base/errors.ts';

/**
 * A backup is one compressed stream of frames: a letter, a length, that many bytes. The last frame holds the hash of
 * all before it, so a file that was cut short or changed anywhere is known as such before any of it is used.
 */
export interface BackupHeader {
  backstory: 'backup';
  format: 1;
  at: string;
  /** Which wrote it; the tables are named by their migrations. */
  version: string;
  migrations: { number: number; name: string; hash: string }[];
}

export interface BackupTable {
  name: string;
  columns: { name: string; type: string }[];
}

export type BackupFrame =
  | { kind: 'header'; value: BackupHeader }
  | { kind: 'table'; value: BackupTable }
  /** A piece of what COPY says in its binary form. */
  | { kind: 'rows'; value: Uint8Array }
  | { kind: 'tableEnd'; value: { name: string; rows: number } }
  | { kind: 'sequences'; value: { name: string; value: string | null }[] };

const letters = { header: 'H', table: 'T', rows: 'R', tableEnd: 'E', sequences: 'S' } as const;
const endLetter = 'Z';
const headLength = 5;
/** Behind the compressed stream, whose own last bytes may be missing without a decoder minding. */
const lastBytes = Buffer.from('\nbackstory backup, whole\n');
/** What comes from Postgres is cut far below this; more can only be damage. */
const maxFrameLength = 64 * 1024 * 1024;

/** Only its owner may read the file: it holds everything that the team knows. */
export async function writeBackup(path: string, frames: AsyncIterable<BackupFrame>): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(encode(frames), createZstdCompress(), file, { end: false });
  await finished(file.end(lastBytes));
}

async function* encode(frames: AsyncIterable<BackupFrame>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const { kind, value } of frames) {
    const body = value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value));
    const frame = Buffer.concat([headOf(letters[kind], body.length), body]);
    hash.update(frame);
    yield frame;
  }
  const digest = hash.digest();
  yield Buffer.concat([headOf(endLetter, digest.length), digest]);
}

function headOf(letter: string, length: number): Buffer {
  const head = Buffer.alloc(headLength);
  head.write(letter, 'latin1');
  head.writeUInt32BE(length, 1);
  return head;
}

/** Throws at the end, at the latest, when the file is not what was written. */
export async function* readBackup(path: string): AsyncGenerator<BackupFrame> {
  if (!readEnd(path).equals(lastBytes)) throw damaged(path, 'it was cut short');
  const hash = createHash('sha256');
  let isWhole = false;
  for await (const { letter, body } of framesIn(path)) {
    if (isWhole) throw damaged(path, 'something follows its end');
    if (letter === endLetter) {
      if (!hash.digest().equals(body)) throw damaged(path, 'its checksum is another');
      isWhole = true;
      continue;
    }
    hash.update(headOf(letter, body.length)).update(body);
    yield frameOf(path, letter, body);
  }
  if (!isWhole) throw damaged(path, 'it has no end');
}

const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter as string, kind]));

function frameOf(path: string, letter: string, body: Buffer): BackupFrame {
  const kind = kinds.get(letter);
  if (kind === undefined) throw damaged(path, 'it is no backup of Backstory');
  if (kind === 'rows') return { kind, value: body };
  try {
    return { kind, value: JSON.parse(body.toString('utf8')) } as BackupFrame;
  } catch {
    throw damaged(path, 'a part of it cannot be read');
  }
}

async function* framesIn(path: string): AsyncGenerator<{ letter: string; body: Buffer }> {
  let pieces: Buffer[] = [];
  let length = 0;
  let wanted = headLength;
  for await (const piece of plainBytes(path)) {
    pieces.push(piece);
    length += piece.length;
    if (length < wanted) continue;
    let bytes = pieces.length === 1 ? piece : Buffer.concat(pieces, length);
    for (;;) {
      wanted = headLength;
      if (bytes.length < wanted) break;
      wanted += bytes.readUInt32BE(1);
      if (wanted > maxFrameLength) throw damaged(path, 'it is no backup of Backstory');
      if (bytes.length < wanted) break;
      yield { letter: bytes.toString('latin1', 0, 1), body: bytes.subarray(headLength, wanted) };
      bytes = bytes.subarray(wanted);
    }
    pieces = [bytes];
    length = bytes.length;
  }
  if (length > 0) throw damaged(path, 'it was cut short');
}

async function* plainBytes(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { end: statSync(path).size - lastBytes.length - 1 });
  const plain = createZstdDecompress();
  // A stream that breaks says so to the one that is read.
  file.on('error', (error) => plain.destroy(error));
  try {
    for await (const piece of file.pipe(plain)) yield piece as Buffer;
  } catch (error) {
    throw file.errored === null ? damaged(path, messageOf(error)) : unreadable(path, error);
  } finally {
    file.destroy();
  }
}

function readEnd(path: string): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const end = Buffer.alloc(lastBytes.length);
    const at = fstatSync(file).size - end.length;
    // No more than these would be a file without a stream.
    return at <= 0 ? Buffer.alloc(0) : end.subarray(0, readSync(file, end, 0, end.length, at));
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const damaged = (path: string, why: string): AppError =>
  new AppError('INVALID_ARGUMENT', `${path} is not a whole backup: ${why}`, {
    hint: 'Use another backup; this file was cut short or changed after it was written',
  });

const unreadable = (path: string, cause: unknown): AppError =>
  new AppError('INVALID_ARGUMENT', `${path} cannot be read: ${messageOf(cause)}`, {
    hint: 'backstory team restore FILE',
    cause,
  });
