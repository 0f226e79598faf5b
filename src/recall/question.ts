import { type DateFit, datesIn } from '../text/dates-in-text.ts';
import { queryTerms } from '../text/words.ts';

/** A parsed question. The later steps of recall use only this and never the text of the question. */
export interface Question {
  /** Search terms, in the order of the question. */
  terms: string[];
  /** A single word or name. Texts that contain it come first; those that are near it in meaning follow. */
  isLookup: boolean;
  dates?: DateFit;
  /** Whether it asks for a reason. */
  asksWhy?: boolean;
}

const maxLength = 10_000;

/**
 * Normalises a question. Invisible characters and combining marks without a base letter are replaced, so that they
 * separate words.
 */
export const asWords = (text: string): string =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[\p{M}\p{Cf}\p{Cc}\ufffd]/gu, ' ');

export function parseQuestion(text: string, now: number): Question {
  const normalised = asWords(text);
  const dates = datesIn(normalised, now);
  const { terms } = queryTerms(normalised);
  // Punctuation does not matter for the kind of a question.
  const asksWhy = why.test(normalised.replace(/[^\p{L}\p{N}_]+/gu, ' '));
  return {
    terms,
    isLookup: !/\s/.test(normalised.trim()),
    ...(dates === undefined ? {} : { dates }),
    ...(asksWhy ? { asksWhy } : {}),
  };
}

const why =
  /\b(?:why|what for|reasons?|how come|rationale|warum|weshalb|wieso|pourquoi)\b|por qu[eé]|почему|зачем|чому|为什么|なぜ/iu;
