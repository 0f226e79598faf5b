import type { Clock } from '../base/clock.ts';
import { fileLines } from '../text/file-lines.ts';
import type { ParsedFile, ParseRequest } from './parse-thread.ts';
import { createSourceReader } from './source-file.ts';
import { matchesName } from './symbols/names.ts';
import { createSymbolReader } from './symbols/symbol-reader.ts';

/** Handles the requests of a `ParseThread`, so that only the thread loads a parser. */
export function createFileParser(
  grammars: string,
  clock: Clock,
): (request: ParseRequest) => Promise<ParsedFile> {
  const read = createSymbolReader(grammars, clock);
  return async ({ root, path, text: given, deadline, only, uses, withTokens }) => {
    if (clock.now() > deadline) return { kind: 'late' };
    const file =
      given === undefined ? createSourceReader(root)(path) : { kind: 'text' as const, bytes: given };
    if (file.kind !== 'text') return { kind: file.kind };
    const text = file.bytes.toString('utf8');
    const found = await read(path, text, { deadline, uses, withTokens });
    const symbols =
      only === undefined ? found.symbols : found.symbols.filter((symbol) => matchesName(path, symbol, only));
    return { ...found, symbols, kind: 'text', lineCount: fileLines(text).length };
  };
}
