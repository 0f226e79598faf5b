import { AppError } from '../../base/errors.ts';
import type { CodeSymbol } from './symbol.ts';

/** A requested name, such as `Class.method`, `pkg.Func` or `mod::f`. */
export interface QualifiedName {
  word: string;
  /** The parts before the last one, outermost first: the names of its containers. */
  qualifiers: string[];
}

const separators = /::|->|[.#/\\]/;

export function parseName(given: string): QualifiedName {
  // Strip marks of a definition or call that are not part of the name.
  const parts = given
    .trim()
    .replace(/\(.*$/s, '')
    .split(separators)
    .map((part) => part.replace(/^[*&@$~]+|<.*$/g, ''))
    .filter((part) => part !== '');
  const word = parts.at(-1) ?? '';
  if (!/^[\p{L}\p{N}_$]+[?!=]?$/u.test(word)) {
    throw new AppError('INVALID_QUERY', `invalid symbol name: ${given}`, {
      hint: 'Use one name, such as parseArgs, Class.method, pkg.Func or mod::f',
    });
  }
  return { word, qualifiers: parts.slice(0, -1) };
}

/** Strips marks that are not part of a word. */
export const bareName = (name: string): string => name.replace(/^[#$~@]+|[?!=]$/g, '');

/** Matches the name as a whole word; `$` and letters of every alphabet are word characters. */
export const wordPattern = (name: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_$])${name.replace(/[$?]/g, '\\$&')}(?![\\p{L}\\p{N}_$])`, 'gu');

/** Whether a symbol has the requested name. Case does not matter. */
export function matchesName(path: string, symbol: CodeSymbol, { word, qualifiers }: QualifiedName): boolean {
  const wanted = [word, bareName(word)].map((name) => name.toLowerCase());
  const names = [symbol.name, bareName(symbol.name)].map((name) => name.toLowerCase());
  return belongsTo(path, symbol.container, qualifiers) && names.some((name) => wanted.includes(name));
}

/** The last qualifier is a container or, at the top of a file, its file or folder. Earlier ones may skip levels. */
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
