import { firstBranches } from './c-macros.ts';
import { lineSymbols } from './line-symbols.ts';
import type { CodeSymbol } from './symbol.ts';

/** Returns the symbols of a text, or undefined if there is no time left. */
type Parse = (text: string) => Promise<CodeSymbol[] | undefined>;

const maxRestarts = 4;
const maxLineShift = 3;

/**
 * Recovers symbols after a syntax error: a parser may miss what follows one, so parts of the text are parsed
 * separately.
 */
export async function repairSymbols(
  path: string,
  text: string,
  before: CodeSymbol[],
  isC: boolean,
  parse: Parse,
): Promise<CodeSymbol[]> {
  const symbols = isC
    ? await withFirstBranches(text, before, parse)
    : await withRestarts(path, text, before, parse);
  return symbols.sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine || a.column - b.column);
}

/**
 * If the branches of an `#if` do not parse together, parses the text with only the first branch of each. Symbols in
 * the other branches are kept from the earlier parse of the whole text.
 */
async function withFirstBranches(text: string, before: CodeSymbol[], parse: Parse): Promise<CodeSymbol[]> {
  const branches = firstBranches(text);
  const found = await parse(branches);
  if (found === undefined) return before;
  const lines = branches.split('\n');
  return [...found, ...before.filter(({ line }) => lines[line - 1]?.trim() === '')];
}

/** Restarts the parser at an unindented line that looks like a definition but was not found. */
async function withRestarts(
  path: string,
  text: string,
  before: CodeSymbol[],
  parse: Parse,
): Promise<CodeSymbol[]> {
  const lines = text.split('\n');
  const margin = lineSymbols(path, text).filter(
    ({ line, signature }) => lines[line - 1]?.startsWith(signature.slice(0, 20)) === true,
  );
  let symbols = [...before];
  let from = 0;
  for (let round = 0; round < maxRestarts; round++) {
    const missed = margin.find((each) => each.line > from && !symbols.some((symbol) => isSame(symbol, each)));
    if (missed === undefined) break;
    from = missed.line;
    // Spaces keep every position unchanged.
    const rest = lines.map((line, at) => (at + 1 < from ? ' '.repeat(line.length) : line)).join('\n');
    const found = await parse(rest);
    if (found === undefined) break;
    if (!found.some((symbol) => isSame(symbol, missed))) continue;
    symbols = [...symbols.filter(({ line }) => line < from), ...found];
  }
  return symbols;
}

const isSame = (a: CodeSymbol, b: CodeSymbol): boolean =>
  a.name === b.name && Math.abs(a.line - b.line) <= maxLineShift;
