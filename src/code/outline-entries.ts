import type { CodeSymbol } from './symbols/symbol.ts';

/** A symbol in its place of the tree. */
export interface OutlineEntry extends CodeSymbol {
  depth: number;
  /** How many symbols stand in it, at any depth. */
  inner: number;
}

/** `all`, or without fields, enum members and what functions define for themselves. */
export type OutlineDetail = 'all' | 'main';

const details = new Set<CodeSymbol['kind']>(['field', 'member', 'variable', 'constant']);
const functions = new Set<CodeSymbol['kind']>(['function', 'method', 'constructor']);

/** Symbols as a tree, by their lines: each stands below those that surround it. */
export function outlineEntries(symbols: readonly CodeSymbol[], detail: OutlineDetail): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const around: OutlineEntry[] = [];
  const hidden = new Set<OutlineEntry>();
  for (const symbol of symbols) {
    while (around.length > 0 && !surrounds(around.at(-1) as OutlineEntry, symbol)) around.pop();
    const entry = { ...symbol, depth: around.length, inner: 0 };
    for (const outer of around) outer.inner++;
    const isInFunction = around.some(({ kind }) => functions.has(kind));
    if (isInFunction || (around.length > 0 && details.has(symbol.kind))) hidden.add(entry);
    around.push(entry);
    entries.push(entry);
  }
  return detail === 'all' ? entries : entries.filter((entry) => !hidden.has(entry));
}

const surrounds = (outer: CodeSymbol, inner: CodeSymbol): boolean =>
  outer.startLine <= inner.startLine && inner.endLine <= outer.endLine && !isSameLine(outer);

const isSameLine = ({ startLine, endLine }: CodeSymbol): boolean => startLine === endLine;

export const linesOf = ({ startLine, endLine }: CodeSymbol): string =>
  startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
