import type { Clock } from '../../base/clock.ts';
import { blankMacros } from './c-macros.ts';
import { extractSymbols } from './extract.ts';
import { type GrammarName, grammarOf } from './grammars.ts';
import { lineSymbols } from './line-symbols.ts';
import { findOccurrences, type Occurrences } from './occurrences.ts';
import { GrammarParser, maxParsedBytes } from './parser.ts';
import { repairSymbols } from './repair-symbols.ts';
import { type CodeSymbol, symbolAt } from './symbol.ts';

/** What a text defines, and how that is known. */
export interface FileSymbols {
  symbols: CodeSymbol[];
  /** `lines` where there is no parser for the language, or the text is too long or took too long for it. */
  how: 'parsed' | 'lines';
  reason?: 'no_parser' | 'too_large' | 'too_late';
  language?: GrammarName;
}

export interface FileOccurrences extends FileSymbols {
  occurrences: Occurrences;
}

/** The door of this folder: what source texts define and use. It reads no file but its own grammars. */
export interface SymbolReader {
  symbolsOf(path: string, text: string, deadline?: number): Promise<FileSymbols>;
  /** The innermost symbol that a line belongs to. */
  symbolAt(path: string, text: string, line: number): Promise<CodeSymbol | undefined>;
  /** The same, and where a name stands in the text. */
  occurrencesOf(path: string, text: string, name: string, deadline?: number): Promise<FileOccurrences>;
}

const defaultTimeoutMs = 5_000;

/** `grammars` is the folder with the compressed grammars. */
export function createSymbolReader(grammars: string, clock: Clock): SymbolReader {
  const parser = new GrammarParser(grammars, clock);
  const latest = (): number => clock.now() + defaultTimeoutMs;
  const read = async <T>(
    path: string,
    text: string,
    deadline: number,
    also: (symbols: CodeSymbol[], tree: Parameters<typeof findOccurrences>[3]) => T,
  ): Promise<FileSymbols & { also: T }> => {
    const language = grammarOf(path, text);
    const byLines = (reason: FileSymbols['reason']): FileSymbols & { also: T } => {
      const symbols = lineSymbols(path, text);
      return {
        symbols,
        how: 'lines',
        ...(reason && { reason }),
        ...(language && { language }),
        also: also(symbols, undefined),
      };
    };
    if (language === undefined) return byLines('no_parser');
    if (text.length > maxParsedBytes) return byLines('too_large');
    const isC = language === 'c' || language === 'cpp';
    const source = isC ? blankMacros(text, language === 'cpp') : text;
    const found = await parser.parse(language, source, deadline, (tree, table) => {
      const symbols = extractSymbols(tree, text, table);
      const isBroken = tree.rootNode.hasError;
      return { symbols, isBroken, ...(isBroken ? {} : { also: also(symbols, tree) }) };
    });
    if (found === undefined) return byLines('too_late');
    if ('also' in found) return { symbols: found.symbols, how: 'parsed', language, also: found.also as T };
    const parse = (part: string): Promise<CodeSymbol[] | undefined> =>
      parser.parse(language, part, deadline, (tree, table) => extractSymbols(tree, text, table));
    const symbols = await repairSymbols(path, source, found.symbols, isC, parse);
    const again = await parser.parse(language, source, deadline, (tree) => ({ also: also(symbols, tree) }));
    return again === undefined ? byLines('too_late') : { symbols, how: 'parsed', language, ...again };
  };
  return {
    async symbolsOf(path, text, deadline = latest()) {
      const { also: _, ...found } = await read(path, text, deadline, () => undefined);
      return found;
    },
    async symbolAt(path, text, line) {
      const { also: _, symbols } = await read(path, text, latest(), () => undefined);
      return symbolAt(symbols, line);
    },
    async occurrencesOf(path, text, name, deadline = latest()) {
      const { also, ...found } = await read(path, text, deadline, (symbols, tree) =>
        findOccurrences(text, name, symbols, tree),
      );
      return { ...found, occurrences: also };
    },
  };
}
