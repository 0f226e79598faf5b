/** A copy of a value of JSON with every string in it changed, keys included. */
export function mapStrings<T>(value: T, change: (text: string) => string): T {
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part);
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null || 'toJSON' in part) return part;
    return Object.fromEntries(Object.entries(part).map(([key, own]) => [change(key), visit(own)]));
  };
  return visit(value) as T;
}
