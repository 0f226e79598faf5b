import { firstBranches } from './c-macros.ts';
import { lineSymbols } from './line-symbols.ts';
import type { CodeSymbol } from './symbol.ts';

/** What a text defines, or undefined when there is no time left. */
type Parse = (text: string) => Promise<CodeSymbol[] | undefined>;

const maxRestarts = 4;
const sameLines = 3;

/** A parser that met something it does not know may miss what follows. Parts of the text are then tried alone. */
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

/** Where the branches of `#if` together are no code, the first ones alone may be; the others stay as they were read. */
async function withFirstBranches(text: string, before: CodeSymbol[], parse: Parse): Promise<CodeSymbol[]> {
  const branches = firstBranches(text);
  const found = await parse(branches);
  if (found === undefined) return before;
  const lines = branches.split('\n');
  return [...found, ...before.filter(({ line }) => lines[line - 1]?.trim() === '')];
}

/** A line at the margin that looks like a definition and was not found is where to start again. */
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
    const lost = margin.find((each) => each.line > from && !symbols.some((symbol) => isSame(symbol, each)));
    if (lost === undefined) break;
    from = lost.line;
    // Blanks instead of nothing keep every position.
    const rest = lines.map((line, at) => (at + 1 < from ? ' '.repeat(line.length) : line)).join('\n');
    const found = await parse(rest);
    if (found === undefined) break;
    if (!found.some((symbol) => isSame(symbol, lost))) continue;
    symbols = [...symbols.filter(({ line }) => line < from), ...found];
  }
  return symbols;
}

const isSame = (a: CodeSymbol, b: CodeSymbol): boolean =>
  a.name === b.name && Math.abs(a.line - b.line) <= sameLines;
