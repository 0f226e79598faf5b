/**
 * What a signal is worth. Set by trying on the development half of `npm run eval -- context-pack`; the held-out
 * half was only measured.
 */
export const packWeights = {
  /** Saturation and length in BM25, of chunks, of whole files and of what was said about a file. */
  chunk: { k1: 2, b: 0.6 },
  file: { k1: 2, b: 0.4 },
  told: { k1: 1.2, b: 0.75 },
  /** How much less a word counts that past messages say all the time. */
  commonness: 0.6,
  signals: {
    chunk: 1,
    file: 0.25,
    definition: 0.25,
    name: 0.6,
    path: 0.2,
    /** Files of the past changes most like the goal. */
    similar: 0.6,
    /** What was said in all past changes of the file. */
    told: 0.5,
    often: 0.2,
    lately: 0.2,
    mentioned: 0.8,
    changed: 0.25,
    memory: 0.6,
    frecency: 0.2,
  },
  similar: { most: 60, power: 2, perFile: 0.5, ageCommits: 1_000 },
  latelyCommits: 100,
  /** By tier: documents and data, tests, generated and vendored files. */
  demotion: [1, 0.2, 0.25, 0.3],
};

export type PackWeights = typeof packWeights;
