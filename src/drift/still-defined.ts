import type { CodeSymbol } from '../code/symbols/symbol.ts';
import type { OldVersion } from './compare-lines.ts';
import type { CurrentCode } from './current-code.ts';
import type { SourceText } from './source-text.ts';

/** Whether the symbol of these lines is still defined in the file; undefined if no parser can tell. */
export async function isStillDefined(
  { text, block }: OldVersion,
  path: string,
  file: SourceText,
  now: CurrentCode,
): Promise<boolean | undefined> {
  const read = now.code.symbols;
  if (text === undefined || read === undefined || now.remainingMs <= 0) return undefined;
  const origin = await read(path, text.lines.join('\n'), now.remainingMs);
  const symbol = origin && symbolOf(origin, (block[0] as number) + 1, (block.at(-1) as number) + 1);
  if (symbol === undefined) return undefined;
  const present = await read(path, file.lines.join('\n'), now.remainingMs);
  return present?.some(({ name, container }) => name === symbol.name && container === symbol.container);
}

/** Returns the largest symbol within the lines, else the innermost symbol around them. */
export function symbolOf(symbols: CodeSymbol[], from: number, to: number): CodeSymbol | undefined {
  const size = ({ startLine, endLine }: CodeSymbol) => endLine - startLine;
  const within = symbols.filter(({ startLine, endLine }) => startLine >= from && endLine <= to);
  if (within.length > 0) return within.reduce((a, b) => (size(b) > size(a) ? b : a));
  const around = symbols.filter(({ startLine, endLine }) => startLine <= from && endLine >= to);
  return around.length === 0 ? undefined : around.reduce((a, b) => (size(b) <= size(a) ? b : a));
}
