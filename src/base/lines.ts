import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

export interface Line {
  offset: number;
  /** Without the newline; undefined when it is longer than the limit. Good until the next line is asked for. */
  bytes: Buffer | undefined;
  /** Where the next line starts. */
  end: number;
}

const newline = 0x0a;

/**
 * The complete lines of a file from an offset, in bounded memory. A last line without its newline is not
 * given out: it may still be being written, and the caller will come back to the same offset.
 */
export function* readLines(
  path: string,
  from: number,
  limits: { maxLineBytes: number; chunkBytes?: number },
): Generator<Line> {
  const chunk = Buffer.alloc(limits.chunkBytes ?? 256 * 1024);
  const file = openSync(path, 'r');
  try {
    let start = from;
    let position = from;
    let pieces: Buffer[] = [];
    let held = 0;
    for (;;) {
      const count = readSync(file, chunk, 0, chunk.length, position);
      if (count === 0) return;
      let at = 0;
      for (;;) {
        const stop = chunk.subarray(0, count).indexOf(newline, at);
        const piece = chunk.subarray(at, stop === -1 ? count : stop);
        held += piece.length;
        // Past the limit only the length is kept, so one absurd line cannot fill the memory.
        if (held <= limits.maxLineBytes) pieces.push(stop === -1 ? Buffer.from(piece) : piece);
        if (stop === -1) break;
        const end = position + stop + 1;
        yield { offset: start, bytes: held <= limits.maxLineBytes ? join(pieces) : undefined, end };
        pieces = [];
        held = 0;
        start = end;
        at = stop + 1;
      }
      position += count;
    }
  } finally {
    closeSync(file);
  }
}

/** Most lines lie within one chunk and are given out as they lie there, without a copy. */
const join = (pieces: Buffer[]): Buffer =>
  pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);

/**
 * The lines of a stream, parted by newlines alone. Not by `node:readline`: since Node 24 it also parts at U+2028 and
 * U+2029, which JSON may hold as they are.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}
