import { typedSentences } from '../text/sentences.ts';
import { type Distiller, isUncertain, type Proposal } from './distiller.ts';
import { createClassifier } from './statement-classifier.ts';
import weights from './statement-weights.json' with { type: 'json' };
import { summaryOf } from './summary.ts';
import { userStatements } from './user-statements.ts';

/** If a session yields more, only the last ones are kept. */
const maxPerSession = 24;

/** Needs no model and no network. */
export const distilSession: Distiller = {
  id: 'statements-2',
  async distil(session) {
    const all = userStatements(session, classify);
    const found = newestOf(all.filter((one) => !isUncertain(one)));
    return [...found, ...summaryOf(session, found.length > 0), ...all.filter(isUncertain)];
  },
};

const classify = createClassifier(weights);

/** Requests score about 0.02. Below this, a prompt is only a request. */
const minStatement = 0.1;

export const hasStatement = (prompt: string): boolean => likelihoodOf(prompt) >= minStatement;

/** The probability that the best sentence of a text is worth telling to later sessions, without what came before and after. */
export function likelihoodOf(text: string): number {
  const sentences = typedSentences(text);
  const given = { promptLength: text.length, of: sentences.length, before: '', edits: 0, commands: 0 };
  return Math.max(0, ...sentences.map((sentence, at) => classify({ ...given, sentence, at }).tell));
}

/** Takes whole turns, because the id of a note depends on its place in its turn. */
function newestOf(all: Proposal[]): Proposal[] {
  const newest = all.slice(-maxPerSession);
  const cut = all.at(-maxPerSession - 1)?.turn;
  const whole = newest.filter(({ turn }) => turn !== cut);
  return whole.length > 0 ? whole : newest;
}
