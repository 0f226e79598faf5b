/** A tool call and the shape of its result, as published by the tool that these names come from. */
export interface Example {
  tool: string;
  input: Record<string, unknown>;
  output: unknown;
}

const statuses = ['open', 'resolved', 'abandoned'];

/** Paths at which a result lacks the names or types of the example. Lists are compared by their first item. */
export function differencesOf(example: unknown, answer: unknown, at = ''): string[] {
  if (typeOf(example) !== typeOf(answer)) return [`${at} is ${typeOf(answer)}, not ${typeOf(example)}`];
  if (at.endsWith('.status') && !statuses.includes(answer as string)) return [`${at} is ${answer}`];
  if (Array.isArray(example)) {
    const [first] = example;
    const items = answer as unknown[];
    if (first === undefined) return [];
    return items.length === 0 ? [] : items.flatMap((item) => differencesOf(first, item, `${at}[]`));
  }
  if (typeOf(example) !== 'object') return [];
  return Object.entries(example as object).flatMap(([name, value]) =>
    differencesOf(value, (answer as Record<string, unknown>)[name], `${at}.${name}`),
  );
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
