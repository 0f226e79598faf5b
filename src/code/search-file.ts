import { join } from 'node:path';
import { type FileStamp, isSameStamp, readFully, withPlainFile } from '../base/plain-file.ts';
import type { CodeLineMatches } from '../wire/answers/code.ts';
import { type Finder, lineEndAt } from './pattern/finder.ts';
import { newline } from './pattern/syntax.ts';
import { readSourceFile } from './source-file.ts';

export interface SearchTask {
  path: string;
  /** Rank of the file's kind, 0 first; see `tierOf`. */
  tier: number;
  /** The ranges to search if the file is unchanged since it was indexed. Otherwise the whole file is read. */
  indexed?: { stamp: FileStamp; ranges: ReadRange[] };
}

export interface ReadRange {
  offset: number;
  end: number;
  line: number;
}

export type LineHit = Omit<CodeLineMatches['items'][number]['hits'][number], 'isDefinition' | 'score'>;

let scanned = Buffer.alloc(0);

/** A buffer for the file that is searched now; one for each file would cost more than searching it. */
function scanBuffer(length: number): Buffer {
  if (scanned.length < length) scanned = Buffer.allocUnsafe(2 * length);
  return scanned.subarray(0, length);
}

export function searchFile(root: string, task: SearchTask, finder: Finder): LineHit[] {
  const path = join(root, task.path);
  const found = task.indexed === undefined ? undefined : searchRanges(path, task.indexed, finder);
  if (found !== undefined) return found;
  const file = readSourceFile(path, scanBuffer);
  return file.kind === 'text' ? linesIn(file.bytes, 1, finder) : [];
}

/** Returns undefined if the file has changed since it was indexed; its blocks are then invalid. */
function searchRanges(
  path: string,
  { stamp: indexed, ranges }: { stamp: FileStamp; ranges: ReadRange[] },
  finder: Finder,
): LineHit[] | undefined {
  return withPlainFile(path, (fd, stamp) => {
    if (!isSameStamp(stamp, indexed)) return undefined;
    return ranges.flatMap(({ offset, end, line }) =>
      linesIn(readFully(fd, scanBuffer(end - offset), offset), line, finder),
    );
  });
}

function linesIn(bytes: Buffer, firstLine: number, finder: Finder): LineHit[] {
  const hits: LineHit[] = [];
  let line = firstLine;
  let counted = 0;
  for (let at = finder.next(bytes, 0); at !== -1; ) {
    const end = lineEndAt(bytes, at);
    const start = at === 0 ? 0 : bytes.lastIndexOf(newline, at - 1) + 1;
    for (; counted < start; counted = bytes.indexOf(newline, counted) + 1) line++;
    const column = finder.startIn(bytes, start, end) - start + 1;
    hits.push({ line, column, ...lineText(bytes, start, end, column) });
    if (end + 1 >= bytes.length) break;
    at = finder.next(bytes, end + 1);
  }
  return hits;
}

const maxTextLength = 1_000;

function lineText(
  bytes: Buffer,
  start: number,
  end: number,
  column: number,
): Pick<LineHit, 'text' | 'matchAt'> {
  const match = start + column - 1;
  const from = end - start <= maxTextLength ? start : Math.max(start, match - maxTextLength / 4);
  return {
    text: bytes.toString('utf8', from, Math.min(end, from + maxTextLength)),
    matchAt: bytes.toString('utf8', from, match).length,
  };
}
