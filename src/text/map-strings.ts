/**
 * Copies a JSON value and changes every string in it, keys included. An object with a `toJSON` method, such as a Date, is
 * kept; a `toJSON` key that holds data is not special.
 */
export function mapStrings<T>(value: T, change: (text: string) => string): T {
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part);
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    if ('toJSON' in part && typeof part.toJSON === 'function') return part;
    return Object.fromEntries(Object.entries(part).map(([key, own]) => [change(key), visit(own)]));
  };
  return visit(value) as T;
}
