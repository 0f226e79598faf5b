import type { Clock } from '../../base/clock.ts';
import { blankMacros } from './c-macros.ts';
import { extractSymbols } from './extract.ts';
import { type GrammarName, grammarOf } from './grammars.ts';
import { lineSymbols } from './line-symbols.ts';
import { findOccurrences } from './occurrences.ts';
import { createGrammarParser, maxParsedBytes } from './parser.ts';
import type { CodeSymbol } from './symbol.ts';
import { colourTokens } from './tokens.ts';

export interface FileSymbols {
  symbols: CodeSymbol[];
  /** `lines`: there is no parser for the language, or the text is too long or took too long to parse. */
  how: 'parsed' | 'lines';
  reason?: 'no_parser' | 'too_large' | 'too_late';
  language?: GrammarName;
}

const defaultTimeoutMs = 5_000;

/** A parser may miss what follows a syntax error, so unindented lines that look like a definition are added. */
const withMissed = (parsed: CodeSymbol[], byLine: CodeSymbol[]): CodeSymbol[] =>
  [
    ...parsed,
    ...byLine.filter(
      ({ name, line, column, signature }) =>
        signature.indexOf(name) === column - 1 &&
        !parsed.some((other) => other.name === name && other.startLine <= line && line <= other.endLine),
    ),
  ].sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine || a.column - b.column);

/** What source texts define and use: the entry point of this folder. It reads only its grammars. */
export function createSymbolReader(grammars: string, clock: Clock) {
  const parse = createGrammarParser(grammars, clock);
  const defaultDeadline = (): number => clock.now() + defaultTimeoutMs;
  const read = async <T>(
    path: string,
    text: string,
    deadline: number,
    extra: (symbols: CodeSymbol[], tree: Parameters<typeof findOccurrences>[3]) => T,
  ): Promise<FileSymbols & { extra: T }> => {
    const language = grammarOf(path, text);
    const byLines = (reason: FileSymbols['reason']): FileSymbols & { extra: T } => {
      const symbols = lineSymbols(path, text);
      return {
        symbols,
        how: 'lines',
        ...(reason && { reason }),
        ...(language && { language }),
        extra: extra(symbols, undefined),
      };
    };
    if (language === undefined) return byLines('no_parser');
    if (text.length > maxParsedBytes) return byLines('too_large');
    const isC = language === 'c' || language === 'cpp';
    const source = isC ? blankMacros(text, language === 'cpp') : text;
    const found = await parse(language, source, deadline, (tree, table) => {
      const parsed = extractSymbols(tree, text, table);
      const symbols = tree.rootNode.hasError && !isC ? withMissed(parsed, lineSymbols(path, text)) : parsed;
      return { symbols, extra: extra(symbols, tree) };
    });
    return found === undefined ? byLines('too_late') : { ...found, how: 'parsed', language };
  };
  return {
    async symbolsOf(path: string, text: string, deadline = defaultDeadline()) {
      const { extra: _, ...found } = await read(path, text, deadline, () => undefined);
      return found;
    },
    async occurrencesOf(path: string, text: string, name: string, deadline = defaultDeadline()) {
      const { extra, ...found } = await read(path, text, deadline, (symbols, tree) =>
        findOccurrences(text, name, symbols, tree),
      );
      return { ...found, occurrences: extra };
    },
    /** The tokens are by line; empty if the text was not parsed. */
    async tokensOf(path: string, text: string, deadline = defaultDeadline()) {
      const { extra, ...found } = await read(path, text, deadline, (_, tree) =>
        tree === undefined ? [] : colourTokens(tree, text),
      );
      return { ...found, tokens: extra };
    },
  };
}
