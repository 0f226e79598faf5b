import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { grammarOfName } from '../../src/code/symbols/grammars.ts';
import type { createSymbolReader } from '../../src/code/symbols/symbol-reader.ts';
import type { Random } from '../../test/harness/random.ts';

/** A range of a file that a memory is anchored to. */
export interface Block {
  path: string;
  lines: string[];
  /** Starts at 0; the end is exclusive. */
  from: number;
  to: number;
  kind: 'symbol' | 'lines' | 'paragraph';
}

const suitable = /\.(?:[cm]?[jt]sx?|py|go|rs|c|h|cc|rb|java|php|md|rst|sh|jq|ya?ml|1)$/;
const isWorded = (line: string): boolean => /[\p{L}_]{4,}/u.test(line);

export function suitableFiles(work: string): string[] {
  const listing = execFileSync('git', ['-c', 'core.quotePath=false', 'ls-files'], {
    cwd: work,
    encoding: 'utf8',
  });
  return listing
    .split('\n')
    .filter((path) => suitable.test(path) && !/(?:vendor|testdata|node_modules)\//.test(path));
}

/**
 * Chooses a range of a file: a symbol, a few lines inside one, or a paragraph in languages without a parser. Returns
 * undefined if the file has none.
 */
export async function chooseBlock(
  work: string,
  path: string,
  reader: ReturnType<typeof createSymbolReader>,
  random: Random,
): Promise<Block | undefined> {
  const text = readFileSync(join(work, path), 'utf8');
  const lines = text.split('\n');
  if (!text.endsWith('\n') || text.includes('\r') || lines.length < 40 || lines.length > 3_000)
    return undefined;
  const spans = grammarOfName(path) === undefined ? paragraphs(lines) : await symbolSpans(path, text, reader);
  const fit = spans.filter(([from, to]) => {
    const own = lines.slice(from, to);
    return (
      to - from >= 3 &&
      to - from <= 40 &&
      own.filter(isWorded).length >= 2 &&
      to < lines.length - 2 &&
      from > 1
    );
  });
  if (fit.length === 0) return undefined;
  const [from, to] = random.pick(fit);
  const isParsed = grammarOfName(path) !== undefined;
  if (!isParsed || !random.chance(0.3))
    return { path, lines: lines.slice(from, to), from, to, kind: isParsed ? 'symbol' : 'paragraph' };
  // Most edits are smaller than a function: one or a few lines inside it.
  const inner = Array.from({ length: to - from - 2 }, (_, at) => from + 1 + at).filter((at) =>
    isWorded(lines[at] as string),
  );
  if (inner.length === 0) return undefined;
  const start = random.pick(inner);
  const end = Math.min(to - 1, start + random.whole(1, 3));
  return { path, lines: lines.slice(start, end), from: start, to: end, kind: 'lines' };
}

async function symbolSpans(
  path: string,
  text: string,
  reader: ReturnType<typeof createSymbolReader>,
): Promise<[number, number][]> {
  const { symbols, how } = await reader(path, text);
  if (how !== 'parsed') return [];
  return symbols
    .filter(({ kind }) =>
      ['function', 'method', 'constructor', 'class', 'struct', 'interface', 'enum'].includes(kind),
    )
    .map(({ startLine, endLine }) => [startLine - 1, endLine]);
}

function paragraphs(lines: string[]): [number, number][] {
  const found: [number, number][] = [];
  let from = 0;
  for (const [at, line] of lines.entries()) {
    if (line.trim() !== '') continue;
    if (at > from) found.push([from, at]);
    from = at + 1;
  }
  return found;
}
