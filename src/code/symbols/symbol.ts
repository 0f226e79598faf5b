/**
 * A symbol that a source file defines. Lines count from 1, both ends inclusive: from its first decorator,
 * attribute or modifier to its last line. A comment above is not included, so that rewording it is no change
 * of code.
 */
export interface CodeSymbol {
  name: string;
  kind: SymbolKind;
  /** Names of the enclosing classes, modules and functions, joined by dots; empty at the top of a file. */
  container: string;
  startLine: number;
  endLine: number;
  /** Position of the name. */
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
  /** Declared here, defined elsewhere: a prototype, an `extern`. */
  | 'declaration'
  | 'heading';

export function symbolAt(symbols: readonly CodeSymbol[], line: number): CodeSymbol | undefined {
  let best: CodeSymbol | undefined;
  for (const symbol of symbols) {
    if (line < symbol.startLine || line > symbol.endLine) continue;
    // If two symbols have the same span, the later one is inside the earlier one.
    if (best === undefined || spanOf(symbol) <= spanOf(best)) best = symbol;
  }
  return best;
}

const spanOf = ({ startLine, endLine }: CodeSymbol): number => endLine - startLine;
