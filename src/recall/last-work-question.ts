import { largest } from '../base/largest.ts';
import type { EmbedderSource } from '../models/embed.ts';
import { termsOf } from '../text/words.ts';
import { cosine, meaningOf } from './meaning.ts';
import { asWords } from './question.ts';

/** What is asked without a question. */
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
