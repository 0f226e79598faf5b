import type { z } from 'zod';
import type { symbolFields } from '../../wire/answers/code.ts';

/**
 * A symbol that a source file defines. Lines count from 1, both ends inclusive: from its first decorator,
 * attribute or modifier to its last line. A comment above is not included, so that rewording it is no change
 * of code.
 */
export type CodeSymbol = z.infer<z.ZodObject<typeof symbolFields>> & { kind: SymbolKind };

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
