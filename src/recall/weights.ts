import { type Chunk, isSetAside } from '../domain/chunk.ts';

/**
 * The weight of each signal, relative to the best word match, which counts 1. Tuned on the development halves of
 * `recall-locomo`, `recall-beam` and `recall-coding`. These and `recall-real`, on which nothing was tuned, print what
 * each signal adds.
 */
export interface RankingWeights {
  /** Words that stand together in the question also stand together here. */
  pairs: number;
  /** The agent session as a whole is about the question. */
  session: number;
  /** Of the month or span the question names; the very day counts twice. */
  date: number;
  /** A standing rule or preference of the user; only so many of the nearest. */
  rule: number;
  preference: number;
  standing: number;
  /** How much of that hangs on how near it is to the question, from 0 to 1. */
  standingNear: number;
  /** What the one said next, or said before, lends to its neighbour; and over two steps. */
  next: number;
  previous: number;
  nextButOne: number;
  previousButOne: number;
  /** Added to `next` when the neighbour asked a question. */
  afterQuestion: number;
  /** What an agent's answer lends to its prompt, and the prompt to its answer. */
  answerToPrompt: number;
  promptToAnswer: number;
  /** What means the same, beside what says the same. */
  meaning: number;
  /** The share of the nearest's nearness that anything has: only what is above it tells. */
  contrast: number;
  /** What the best part of a turn gives to the others, by how well their kind answers. */
  turn: number;
  /** What work on the same files at about the same time gives to a turn. */
  related: number;
  /** A turn in which something was changed and not only said; and the same where a deed is asked about. */
  worked: number;
  deed: number;
  /** What a second and third hit of one turn keep of their score. */
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
 * By whom and as what it was put down: what the words in it weigh, and what the whole weighs in the end. People
 * say what matters in a sentence; agents say it in a page, which has every word of the question somewhere.
 */
export function voiceWeights(chunk: Chunk): { words: number; whole: number } {
  if (chunk.source === 'note') return { words: 1, whole: 1.2 };
  if (chunk.kind === 'command') return { words: 0.6, whole: 0.7 };
  if (chunk.origin === 'assistant') return { words: 0.7, whole: 0.7 };
  if (chunk.origin === 'tool') return { words: 0.6, whole: 0.8 };
  return { words: 1, whole: 1 };
}

/** What held once is found as well, but after what holds. */
export const holdingWeight = (chunk: Chunk): number => (isSetAside(chunk) ? 0.6 : 1);
