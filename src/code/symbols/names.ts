import { AppError } from '../../base/errors.ts';
import type { CodeSymbol } from './symbol.ts';

/** A name somebody asks for, such as `Class.method`, `pkg.Func` or `mod::f`. */
export interface AskedName {
  /** The last part: what stands in the text. */
  word: string;
  /** What it should belong to, outermost first. */
  qualifiers: string[];
}

const separators = /::|->|[.#/\\]/;

export function parseName(given: string): AskedName {
  // Marks that the definition or a call may have and the name does not.
  const parts = given
    .trim()
    .replace(/\(.*$/s, '')
    .split(separators)
    .map((part) => part.replace(/^[*&@$~]+|<.*$/g, ''))
    .filter((part) => part !== '');
  const word = parts.at(-1) ?? '';
  if (!/^[\p{L}\p{N}_$]+[?!=]?$/u.test(word)) {
    throw new AppError('INVALID_QUERY', `${given} is not a name`, {
      hint: 'Give one name, such as parseArgs, Class.method, pkg.Func or mod::f',
    });
  }
  return { word, qualifiers: parts.slice(0, -1) };
}

/** The part of a name that is a word of the text. */
export const bareName = (name: string): string => name.replace(/^[#$~@]+|[?!=]$/g, '');

/** The name as a whole word; `$` and letters of every alphabet are parts of words. */
export const wordPattern = (name: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_$])${name.replace(/[$?]/g, '\\$&')}(?![\\p{L}\\p{N}_$])`, 'gu');

/** Whether a symbol is what was asked for; `folded` when only upper and lower case differ. */
export function matchName(
  path: string,
  symbol: CodeSymbol,
  { word, qualifiers }: AskedName,
): 'exact' | 'folded' | undefined {
  if (!belongsTo(path, symbol.container, qualifiers)) return undefined;
  const names = [symbol.name, bareName(symbol.name)];
  if (names.includes(word) || names.includes(bareName(word))) return 'exact';
  const folded = word.toLowerCase();
  return names.some((name) => name.toLowerCase() === folded) ? 'folded' : undefined;
}

/**
 * The nearest qualifier must be what the symbol stands in, or where nothing is around it its file or folder,
 * which is what a module or package is. Those before it may leave something out.
 */
function belongsTo(path: string, container: string, qualifiers: string[]): boolean {
  if (qualifiers.length === 0) return true;
  const folders = path.toLowerCase().split('/');
  const stem = (folders.pop() ?? '').replace(/\.[^.]*$/, '');
  const inner = container === '' ? [] : container.toLowerCase().split('.');
  const places = [...folders, stem, ...inner];
  const nearest = (qualifiers.at(-1) as string).toLowerCase();
  const near = inner.length > 0 ? inner.slice(-1) : [stem, folders.at(-1)];
  if (!near.includes(nearest) && !inner.includes(nearest)) return false;
  let at = 0;
  for (const place of places) if (place === qualifiers[at]?.toLowerCase()) at++;
  return at === qualifiers.length;
}
