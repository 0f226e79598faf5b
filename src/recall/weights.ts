import { type Chunk, isSetAside } from '../domain/chunk.ts';

/**
 * The weight of each signal in recall's ranking, relative to the best word match, which counts 1. Tuned on the
 * development halves of the benchmarks `recall-locomo`, `recall-beam` and `recall-coding`. These, and `recall-real`,
 * on which nothing was tuned, print what each signal adds.
 */
export interface RankingWeights {
  /** Bonus if terms that are adjacent in the question are also close to each other in the text. */
  pairs: number;
  /** Bonus if the agent session as a whole matches the question. */
  session: number;
  /** Bonus for a memory from the month or time span that the question names; doubled on the exact day. */
  date: number;
  /** Bonus for a lasting rule or preference of the user. */
  rule: number;
  preference: number;
  /** How many of the best matching rules, and of the preferences, get the bonus `rule` or `preference`. */
  standing: number;
  /** Share of the bonus `rule` or `preference` that depends on how well the rule matches the question, from 0 to 1. */
  standingNear: number;
  /**
   * Share of a message's score that is added to the next and previous message, and to those two steps away
   * (`…ButOne`).
   */
  next: number;
  previous: number;
  nextButOne: number;
  previousButOne: number;
  /** Added to the weight `next` if the message asks a question, because the next message then probably answers it. */
  afterQuestion: number;
  /** Share of an answer's score that is added to its prompt, and of a prompt's to its answer. */
  answerToPrompt: number;
  promptToAnswer: number;
  /** Embedding similarity, relative to the lexical score. */
  meaning: number;
  /** Share of the best similarity that is subtracted from each, because unrelated texts have some similarity too. */
  contrast: number;
  /** Share of a turn's best score that is added to its other parts, by how well their kind answers the question. */
  turn: number;
  /** Bonus of a turn that worked on the same files at about the same time. */
  related: number;
  /**
   * Bonus of a turn with edits or commits: `worked` in general, `deed` if the question is about something that was
   * done.
   */
  worked: number;
  deed: number;
  /** Factor on the score of the second hit of one turn; it is squared for the third and all further hits. */
  again: number;
}

export const rankingWeights: RankingWeights = {
  pairs: 0.2,
  session: 0.2,
  date: 0.2,
  rule: 0.6,
  preference: 0.4,
  standing: 6,
  standingNear: 0.5,
  next: 0.3,
  previous: 0.3,
  nextButOne: 0.1,
  previousButOne: 0.25,
  afterQuestion: 0.3,
  answerToPrompt: 0.35,
  promptToAnswer: 0.2,
  meaning: 1.3,
  contrast: 0.3,
  turn: 1.25,
  related: 2,
  worked: 0.1,
  deed: 1,
  again: 0.8,
};

/**
 * Factors on the scores of a chunk, by its author and kind: `words` on the word score, `whole` on the final score.
 * Users state a point in one sentence. Agents write a page, which contains every word of a question somewhere.
 */
export function voiceWeights(chunk: Chunk): { words: number; whole: number } {
  if (chunk.kind === 'summary') return { words: 1, whole: 0.6 };
  if (chunk.source === 'note') return { words: 1, whole: 1.2 };
  if (chunk.kind === 'command') return { words: 0.6, whole: 0.7 };
  if (chunk.origin === 'assistant') return { words: 0.7, whole: 0.7 };
  if (chunk.origin === 'tool') return { words: 0.6, whole: 0.8 };
  return { words: 1, whole: 1 };
}

/** Ranks notes that are no longer valid below valid ones. */
export const holdingWeight = (chunk: Chunk): number => (isSetAside(chunk) ? 0.6 : 1);
