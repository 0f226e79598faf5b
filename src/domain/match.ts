export const matcherKinds = ['command', 'path', 'package', 'text'] as const;
export type MatcherKind = (typeof matcherKinds)[number];

/** What a tool call does that goes against a note: runs, writes, installs or adds one of these. */
export type Match = Partial<Record<MatcherKind, string[]>>;

/** One line for each matcher: `command: git push --force`. */
export const matchLines = (match: Match): string[] =>
  matcherKinds.flatMap((kind) => (match[kind] ?? []).map((value) => `${kind}: ${value}`));

export const joinMatches = (...all: (Match | undefined)[]): Match =>
  Object.fromEntries(
    matcherKinds.flatMap((kind) => {
      const values = [...new Set(all.flatMap((match) => match?.[kind] ?? []))];
      return values.length === 0 ? [] : [[kind, values]];
    }),
  );
