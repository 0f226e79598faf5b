import { largest } from '../base/largest.ts';
import type { EmbedderSource } from '../models/embed.ts';
import { queryTerms, termsOf } from '../text/words.ts';
import { cosine, meaningOf } from './meaning.ts';

/** A parsed question. The later steps of recall use only this and never the text of the question. */
export interface Question {
  terms: string[];
  /** The question as it was asked, then the same in other words. */
  wordings: Wording[];
  /** A single word or name. Texts that contain it come first; those that are near it in meaning follow. */
  isLookup: boolean;
  asksWhy: boolean;
}

export interface Wording {
  text: string;
  terms: string[];
  /** How much it counts; the sum over the wordings is 1. */
  share: number;
}

/** Counted as two other wordings, so that a bad one cannot push out what the plain question finds. */
const askedWeight = 2;

const maxLength = 10_000;

/** Invisible characters and combining marks without a base letter are replaced, so that they separate words. */
export const asWords = (text: string): string =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[\p{M}\p{Cf}\p{Cc}\ufffd]/gu, ' ');

export function parseQuestion(text: string, others: string[] = []): Question {
  const normalised = asWords(text);
  const wordings = [normalised, ...others.map(asWords)].map((wording, at) => ({
    text: wording,
    terms: queryTerms(wording).terms,
    share: (at === 0 ? askedWeight : 1) / (askedWeight + others.length),
  }));
  return {
    terms: [...new Set(wordings.flatMap(({ terms }) => terms))],
    wordings,
    isLookup: others.length === 0 && !/\s/.test(normalised.trim()),
    // Punctuation does not matter for the kind of a question.
    asksWhy: why.test(normalised.replace(/[^\p{L}\p{N}_]+/gu, ' ')),
  };
}

const why =
  /\b(?:why|what for|reasons?|how come|rationale|warum|weshalb|wieso|pourquoi)\b|por qu[eé]|почему|зачем|чому|为什么|なぜ/iu;

export const lastWorkQuestion = 'where were we';

/** What people ask who want to go on. The model compares meanings, so other wordings and languages are near them. */
const questions = [
  lastWorkQuestion,
  'what did we do last time',
  'continue the last work',
  'continue where we left off',
];
/** Questions about the past with a subject of their own, such as "what decisions did we make", reach 0.5. */
const minNearness = 0.52;
const maxWords = 10;

/** Whether a text asks for the last work and for nothing else: it is short, and names no file, symbol or number. */
export async function asksForLastWork(embedder: EmbedderSource | undefined, text: string): Promise<boolean> {
  const asked = asWords(text).trim();
  if (asked === lastWorkQuestion) return true;
  const { words, idents } = termsOf(asked);
  if (words.length === 0 || words.length > maxWords || idents.length > 0 || /[\d@#`]/.test(asked))
    return false;
  const { meaning } = await meaningOf(embedder, [asked, ...questions]);
  const [own, ...others] = meaning?.vectors ?? [];
  return own !== undefined && largest(others.map((other) => cosine(own, other))) >= minNearness;
}
