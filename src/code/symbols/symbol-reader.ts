import type { Tree } from 'web-tree-sitter';
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

/** What is read besides the symbols. */
interface Wanted {
  /** When to give up parsing. */
  deadline?: number;
  /** The word whose occurrences are wanted. */
  uses?: string | undefined;
  /** Whether the tokens of each line are wanted; they are empty if the text is not parsed. */
  withTokens?: boolean | undefined;
}

/** What source texts define and use: the entry point of this folder. It reads only its grammars. */
export function createSymbolReader(grammars: string, clock: Clock) {
  const parse = createGrammarParser(grammars, clock);
  return async (
    path: string,
    text: string,
    { deadline = clock.now() + defaultTimeoutMs, uses, withTokens }: Wanted = {},
  ) => {
    const language = grammarOf(path, text);
    const found = (symbols: CodeSymbol[], tree?: Tree) => ({
      symbols,
      ...(language && { language }),
      ...(uses !== undefined && { occurrences: findOccurrences(text, uses, symbols, tree) }),
      ...(withTokens && { tokens: tree === undefined ? [] : colourTokens(tree, text) }),
    });
    const byLines = (reason: 'no_parser' | 'too_large' | 'too_late') => ({
      ...found(lineSymbols(path, text)),
      how: 'lines' as const,
      reason,
    });
    if (language === undefined) return byLines('no_parser');
    if (text.length > maxParsedBytes) return byLines('too_large');
    const isC = language === 'c' || language === 'cpp';
    const source = isC ? blankMacros(text, language === 'cpp') : text;
    const parsed = await parse(language, source, deadline, (tree, table) => {
      const symbols = extractSymbols(tree, text, table);
      const isBroken = tree.rootNode.hasError && !isC;
      return found(isBroken ? withMissed(symbols, lineSymbols(path, text)) : symbols, tree);
    });
    return parsed === undefined ? byLines('too_late') : { ...parsed, how: 'parsed' as const };
  };
}
