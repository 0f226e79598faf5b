import type { CodeSymbol, SymbolKind } from './symbol.ts';

const definition =
  /^(\s*)(?:(?:export|default|public|private|protected|internal|static|abstract|final|sealed|open|override|suspend|async|local|inline|data|pub(?:\([^)]*\))?)\s+)*(function|def|defp|defmodule|defmacro|class|struct|enum|interface|trait|type|fn|func|fun|module|mod|namespace|object|protocol|extension|record|sub|proc|macro)\s+(?:[\w.]+[.:])?([\p{L}_$][\p{L}\p{N}_$]*[?!]?)/u;
const shellFunction = /^(\s*)([\w-]+)\s*\(\)\s*\{?\s*$/;
const heading = /^(#{1,6})\s+(.+?)\s*#*$/;

export const kindOfKeyword: Record<string, SymbolKind> = {
  class: 'class',
  struct: 'struct',
  enum: 'enum',
  interface: 'interface',
  protocol: 'interface',
  trait: 'trait',
  type: 'type',
  record: 'class',
  object: 'class',
  extension: 'class',
  module: 'module',
  mod: 'module',
  namespace: 'module',
  defmodule: 'module',
  macro: 'macro',
  defmacro: 'macro',
};

const maxSymbols = 5_000;
const maxLineLength = 300;

/**
 * Lines that look like a definition, or Markdown headings. A line does not show where a definition ends, so each symbol
 * has one line; a heading extends to the next of its level.
 */
export function lineSymbols(path: string, text: string): CodeSymbol[] {
  const isMarkdown = /\.mdx?$/i.test(path);
  const isShell = /\.(?:ba|z)?sh$/i.test(path);
  const symbols: CodeSymbol[] = [];
  let isFenced = false;
  const lines = text.split('\n', 400_000);
  for (const [at, line] of lines.entries()) {
    if (symbols.length >= maxSymbols) break;
    if (isMarkdown && /^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (line.length > maxLineLength || isFenced) continue;
    const found = isMarkdown ? headingOf(line) : definitionOf(line, isShell);
    if (found === undefined) continue;
    const number = at + 1;
    symbols.push({
      ...found,
      container: '',
      startLine: number,
      endLine: number,
      line: number,
      signature: line.trim(),
    });
  }
  return isMarkdown ? withEnds(symbols, lines.at(-1) === '' ? lines.length - 1 : lines.length) : symbols;
}

type FoundOnLine = Pick<CodeSymbol, 'name' | 'kind' | 'column'>;

function definitionOf(line: string, isShell: boolean): FoundOnLine | undefined {
  const [, , keyword, name] = definition.exec(line) ?? [];
  if (keyword !== undefined && name !== undefined)
    return { name, kind: kindOfKeyword[keyword] ?? 'function', column: line.lastIndexOf(name) + 1 };
  const [, indent, shell] = (isShell ? shellFunction.exec(line) : null) ?? [];
  return shell === undefined
    ? undefined
    : { name: shell, kind: 'function', column: (indent?.length ?? 0) + 1 };
}

function headingOf(line: string): FoundOnLine | undefined {
  const [, marks, name] = heading.exec(line) ?? [];
  return marks === undefined || name === undefined
    ? undefined
    : { name, kind: 'heading', column: marks.length + 2 };
}

function withEnds(headings: CodeSymbol[], lineCount: number): CodeSymbol[] {
  return headings.map((own, at) => {
    const next = headings.slice(at + 1).find(({ column }) => column <= own.column);
    return { ...own, endLine: next === undefined ? lineCount : next.startLine - 1 };
  });
}
