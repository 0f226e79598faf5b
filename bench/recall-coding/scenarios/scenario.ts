import type { Story } from '../../retrieval/story.ts';

/** Where a story plays: paths of the project it is told in. */
export interface Setting {
  /** Source files, no two alike. */
  source: string;
  other: string;
  test: string;
  /** What the part of the project around `source` is called. */
  area: string;
  /** How the tests are run here. */
  testCommand: string;
}

/**
 * One kind of thing that happens in projects, in hand-written variants. A project is told several variants of
 * the same scenario: each is the near miss of the others, the same sentences about another subject.
 */
export interface Scenario {
  name: string;
  variants: number;
  tell(variant: number, setting: Setting): Story;
}

export function scenario<V>(
  name: string,
  variants: readonly V[],
  tell: (variant: V, setting: Setting) => Story,
): Scenario {
  return { name, variants: variants.length, tell: (at, setting) => tell(variants[at] as V, setting) };
}
