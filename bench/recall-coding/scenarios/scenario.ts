import type { Story } from '../../retrieval/story.ts';

/** Paths and commands of the project that a story is set in. */
export interface Setting {
  /** Source files, all different. */
  source: string;
  other: string;
  test: string;
  /** Name of the part of the project around `source`. */
  area: string;
  /** The project's test command. */
  testCommand: string;
}

/**
 * A kind of episode in software projects, such as a reversed decision, in hand-written variants. A project contains
 * several variants of the same scenario, so that each is a near miss of the others: the same sentences about another
 * subject.
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
