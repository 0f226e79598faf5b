/**
 * Something a source file defines. Lines count from 1 and both ends belong to it: from its first decorator,
 * attribute or modifier to its last line. A comment above it does not, so that rewording it is no change of code.
 */
export interface CodeSymbol {
  name: string;
  kind: SymbolKind;
  /** What it stands in, outermost first and joined by dots; empty at the top of a file. */
  container: string;
  startLine: number;
  endLine: number;
  /** Where the name itself stands. */
  line: number;
  column: number;
  /** The definition without its body, on one line. */
  signature: string;
}

export type SymbolKind =
  | 'module'
  | 'class'
  | 'interface'
  | 'struct'
  | 'union'
  | 'trait'
  | 'enum'
  | 'type'
  | 'function'
  | 'method'
  | 'constructor'
  | 'field'
  | 'member'
  | 'constant'
  | 'variable'
  | 'macro'
  /** Said to exist, defined elsewhere: a prototype, an `extern`. */
  | 'declaration'
  | 'heading';

/** The innermost symbol that a line belongs to. */
export function symbolAt(symbols: readonly CodeSymbol[], line: number): CodeSymbol | undefined {
  let best: CodeSymbol | undefined;
  for (const symbol of symbols) {
    if (line < symbol.startLine || line > symbol.endLine) continue;
    // Of two of the same size the later one: a file lists the outer one first.
    if (best === undefined || spanOf(symbol) <= spanOf(best)) best = symbol;
  }
  return best;
}

const spanOf = ({ startLine, endLine }: CodeSymbol): number => endLine - startLine;
