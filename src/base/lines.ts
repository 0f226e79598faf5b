import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

export interface Line {
  offset: number;
  /** Without its newline; undefined if it is too long. The next line overwrites the buffer: copy what you keep. */
  bytes: Buffer | undefined;
  end: number;
}

const newline = 0x0a;

/**
 * Yields the complete lines of a file from an offset, in bounded memory. A last line without a newline is not
 * yielded: it may still be written, and the caller can continue later from the same offset.
 */
export function* readLines(
  path: string,
  from: number,
  limits: { maxLineBytes: number; chunkBytes?: number },
): Generator<Line> {
  const file = openSync(path, 'r');
  try {
    // A reader that follows a file mostly finds a few lines, and clearing a large buffer would take longer than reading.
    const rest = fstatSync(file).size - from;
    const chunk = Buffer.allocUnsafe(Math.min(limits.chunkBytes ?? 256 * 1024, Math.max(rest, 4096)));
    let start = from;
    let position = from;
    let pieces: Buffer[] = [];
    let lineBytes = 0;
    for (;;) {
      const count = readSync(file, chunk, 0, chunk.length, position);
      if (count === 0) return;
      let at = 0;
      for (;;) {
        const stop = chunk.subarray(0, count).indexOf(newline, at);
        const piece = chunk.subarray(at, stop === -1 ? count : stop);
        lineBytes += piece.length;
        // Beyond the limit only the length is counted, so that a huge line cannot exhaust memory.
        if (lineBytes <= limits.maxLineBytes) pieces.push(stop === -1 ? Buffer.from(piece) : piece);
        if (stop === -1) break;
        const end = position + stop + 1;
        yield { offset: start, bytes: lineBytes <= limits.maxLineBytes ? join(pieces) : undefined, end };
        pieces = [];
        lineBytes = 0;
        start = end;
        at = stop + 1;
      }
      position += count;
    }
  } finally {
    closeSync(file);
  }
}

/** Most lines are within one chunk and need no copy. */
const join = (pieces: Buffer[]): Buffer =>
  pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);

/**
 * Yields the lines of a stream, split at newlines only, or its parts between other separators. `node:readline` is not
 * used, because since Node 24 it also splits at U+2028 and U+2029, which JSON may contain unescaped.
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer | string>,
  separator = '\n',
): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split(separator);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}
