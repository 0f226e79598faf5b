import type { Clock } from '../base/clock.ts';
import type { CodeLines } from '../wire/answers/code.ts';
import type { Checkout } from './checkout.ts';
import { resolvePath, unreadable } from './outline.ts';
import type { ParseThread } from './parse-thread.ts';
import { insideRoot } from './path-filter.ts';
import { createSourceReader } from './source-file.ts';
import type { FileSymbols } from './symbols/symbol-reader.ts';
import type { LineTokens } from './symbols/tokens.ts';

export interface SourceText {
  path: string;
  text: string;
}

/** Parses a text, current or past, into symbols and tokens. Without enough time it has neither. */
export async function parseSource(
  root: string,
  { path, text, deadlineMs }: SourceText & { deadlineMs: number },
  thread: ParseThread,
  clock: Clock,
): Promise<FileSymbols & { tokens: LineTokens[] }> {
  const deadline = clock.now() + deadlineMs;
  const parsed = await thread.parse({ root, path, text, deadline, withTokens: true });
  if (parsed.kind !== 'text') return { symbols: [], tokens: [], how: 'lines', reason: 'too_late' };
  const { kind: _, lineCount: __, occurrences: ___, tokens = [], ...found } = parsed;
  return { ...found, tokens };
}

/** Reads a whole file. As with `readLines`, only searchable files can be read, never ignored ones. */
export function readSource(checkout: Checkout, given: string): Promise<SourceText> {
  const requested = insideRoot(given);
  return checkout.use(async (view) => {
    const path = resolvePath(view, requested);
    const file = createSourceReader(checkout.root)(path);
    if (file.kind !== 'text') throw unreadable(path, file.kind);
    return { path, text: file.bytes.toString('utf8') };
  });
}

export interface LinesSearch {
  /** The path of a file, or the end of it if that is unique. */
  path: string;
  from: number;
  to: number;
}

/** Only searchable files can be read, never ignored ones. */
export async function readLines(
  checkout: Checkout,
  { path: given, from, to }: LinesSearch,
): Promise<CodeLines> {
  const { path, text } = await readSource(checkout, given);
  const all = text.split('\n');
  const lineCount = all.at(-1) === '' ? all.length - 1 : all.length;
  return { path, from, lines: all.slice(from - 1, Math.min(to, lineCount)), lineCount };
}
