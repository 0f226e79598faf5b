import type { CodeSymbol } from '../code/symbols/symbol.ts';
import type { OldVersion } from './compare-lines.ts';
import type { CurrentCode } from './current-code.ts';
import type { SourceText } from './source-text.ts';

/** Whether what the lines were, or were a part of, is defined in the file as it is now; undefined where no parser can tell. */
export async function isStillDefined(
  { text, block }: OldVersion,
  path: string,
  file: SourceText,
  now: CurrentCode,
): Promise<boolean | undefined> {
  const read = now.code.symbols;
  if (text === undefined || read === undefined || now.left <= 0) return undefined;
  const origin = await read(path, text.lines.join('\n'), now.left);
  const symbol = origin && symbolOf(origin, (block[0] as number) + 1, (block.at(-1) as number) + 1);
  if (symbol === undefined) return undefined;
  const present = await read(path, file.lines.join('\n'), now.left);
  return present?.some(({ name, container }) => name === symbol.name && container === symbol.container);
}

/** The largest symbol within the lines, else the innermost around them. */
export function symbolOf(symbols: CodeSymbol[], from: number, to: number): CodeSymbol | undefined {
  const size = ({ startLine, endLine }: CodeSymbol) => endLine - startLine;
  const within = symbols.filter(({ startLine, endLine }) => startLine >= from && endLine <= to);
  if (within.length > 0) return within.reduce((a, b) => (size(b) > size(a) ? b : a));
  const around = symbols.filter(({ startLine, endLine }) => startLine <= from && endLine >= to);
  return around.length === 0 ? undefined : around.reduce((a, b) => (size(b) <= size(a) ? b : a));
}
