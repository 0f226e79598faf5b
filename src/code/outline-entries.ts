import type { CodeSymbol } from './symbols/symbol.ts';

export interface OutlineEntry extends CodeSymbol {
  depth: number;
  /** Number of symbols inside this symbol, at any depth. */
  inner: number;
}

/** `main` omits fields, enum members and symbols inside functions. */
export type OutlineDetail = 'all' | 'main';

const details = new Set<CodeSymbol['kind']>(['field', 'member', 'variable', 'constant']);
const functions = new Set<CodeSymbol['kind']>(['function', 'method', 'constructor']);

/** Arranges symbols as a tree by their lines: each is below those that enclose it. */
export function outlineEntries(symbols: readonly CodeSymbol[], detail: OutlineDetail): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const enclosing: OutlineEntry[] = [];
  const hidden = new Set<OutlineEntry>();
  for (const symbol of symbols) {
    while (enclosing.length > 0 && !encloses(enclosing.at(-1) as OutlineEntry, symbol)) enclosing.pop();
    const entry = { ...symbol, depth: enclosing.length, inner: 0 };
    for (const outer of enclosing) outer.inner++;
    const isInFunction = enclosing.some(({ kind }) => functions.has(kind));
    if (isInFunction || (enclosing.length > 0 && details.has(symbol.kind))) hidden.add(entry);
    enclosing.push(entry);
    entries.push(entry);
  }
  return detail === 'all' ? entries : entries.filter((entry) => !hidden.has(entry));
}

const encloses = (outer: CodeSymbol, inner: CodeSymbol): boolean =>
  outer.startLine <= inner.startLine && inner.endLine <= outer.endLine && !isSameLine(outer);

const isSameLine = ({ startLine, endLine }: CodeSymbol): boolean => startLine === endLine;

export const linesOf = ({ startLine, endLine }: CodeSymbol): string =>
  startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
