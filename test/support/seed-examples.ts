/** A tool's call and answer as the source design shows them. */
export interface Example {
  tool: string;
  input: Record<string, unknown>;
  output: unknown;
}

/** The chapters of work sessions: under each tool's heading the first JSON is a call, the second its answer. */
export function examplesOf(design: string): Example[] {
  const chapters = design.split(/^### /m).filter((chapter) => chapter.startsWith('`session_'));
  const found = chapters.map((chapter) => {
    const [input, output] = [...chapter.matchAll(/```json\n([\s\S]*?)```/g)].map(
      (block) => JSON.parse(block[1] as string) as Record<string, unknown>,
    );
    return { tool: /`(\w+)`/.exec(chapter)?.[1] ?? '', input: input ?? {}, output };
  });
  // The handoff answers as the snapshot does, and is shown with its call alone.
  const snapshot = found.find(({ tool }) => tool === 'session_snapshot')?.output;
  return found.map((example) => ({ ...example, output: example.output ?? snapshot }));
}

const statuses = ['open', 'resolved', 'abandoned'];

/** Where an answer has not the names and types of the example. A list is compared by its first item, if it has one. */
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
