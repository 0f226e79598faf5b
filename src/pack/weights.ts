/** Tuned on the development half of the archived evaluation `context-pack` and never on the other half. */
export const packWeights = {
  /** BM25 parameters for chunks, whole files, and the commit messages of a file. */
  chunk: { k1: 2, b: 0.6 },
  file: { k1: 2, b: 0.4 },
  messages: { k1: 1.2, b: 0.75 },
  /** Exponent of a word's rarity in past commit messages: the larger it is, the less a common word counts. */
  commonness: 0.6,
  signals: {
    chunk: 1,
    file: 0.25,
    definition: 0.25,
    name: 0.6,
    path: 0.2,
    similar: 0.6,
    messages: 0.5,
    changeCount: 0.2,
    recentChanges: 0.2,
    mentioned: 0.8,
    changed: 0.25,
    memory: 0.6,
    frecency: 0.2,
    /** Only for questions: a goal is long and describes a change, not the code. */
    meaning: 0,
    symbol: 0,
  },
  similar: { maxCommits: 60, power: 2, perFile: 0.5, ageCommits: 1_000 },
  recentCommits: 100,
  /** Score factors by tier: source; documents and data; tests; generated and vendored files. */
  demotion: [1, 0.2, 0.25, 0.3],
};

export type PackWeights = typeof packWeights;

/**
 * Weights for questions about the code, tuned on the development half of the archived evaluation code-questions. A question
 * is about what the code is now, so names count more and past changes less than for a goal.
 */
export const questionWeights: PackWeights = {
  ...packWeights,
  signals: {
    ...packWeights.signals,
    definition: 0,
    name: 0.8,
    similar: 0.2,
    messages: 0.3,
    changeCount: 0.1,
    recentChanges: 0,
    meaning: 1,
    symbol: 1,
  },
};
