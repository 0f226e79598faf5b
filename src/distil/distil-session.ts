import { typedSentences } from '../text/sentences.ts';
import { dialogStatements } from './dialog-statements.ts';
import { type Distiller, isUncertain } from './distiller.ts';
import { createClassifier } from './statement-classifier.ts';
import weights from './statement-weights.json' with { type: 'json' };
import { summaryOf } from './summary.ts';
import { userStatements } from './user-statements.ts';

/** Needs no model and no network. */
export const distilSession: Distiller = {
  id: 'statements-3',
  async distil(session) {
    const found = [...dialogStatements(session), ...userStatements(session, classify)];
    const isCertain = found.some((one) => !isUncertain(one));
    return [...found, ...summaryOf(session, isCertain)];
  },
};

const classify = createClassifier(weights);

/** The probability that the best sentence of a text is worth telling to later sessions, without what came before and after. */
export function likelihoodOf(text: string): number {
  const sentences = typedSentences(text);
  const given = { promptLength: text.length, of: sentences.length, before: '', edits: 0, commands: 0 };
  return Math.max(0, ...sentences.map((sentence, at) => classify({ ...given, sentence, at }).tell));
}
