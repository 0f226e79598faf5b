import { surelyTyped, typedBlocks } from '../text/prompt-blocks.ts';
import { typedSentences } from '../text/sentences.ts';
import { settledKind } from '../text/settling-words.ts';
import { answerBefore, type Proposal, type SessionTurns, type Turn } from './distiller.ts';
import { flat } from './find-quote.ts';
import type { Judgement, StatementClassifier, StatementKind } from './statement-classifier.ts';

/**
 * Probability from which a statement is told to new sessions, and from which it is proposed. Of 18 lines of eight real
 * projects that an independent judge labelled, 7 of the 8 with at least 0.6 were right, and 4 of the 10 below.
 */
const toldFrom = 0.6;
const proposedFrom = 0.4;
/** A statement has a certain length: shorter ones refer to something else, and longer ones ramble. */
const minWords = 6;
const maxLength = 400;
/** A sentence that begins so continues another one, and is not understood alone. */
const leaning =
  /^\W*(?:also|and|but|then|so|now|not yet|ok(?:ay)?|fine|yeah|yes|no|well|oh|hm+|ah|btw|first|next|etc|again|still|or|because|which|otherwise|instead|plus|this|that|these|those|its?|they|them|he|she|there|here|one|both|same)(?![\p{L}'])/iu;

/**
 * A statement is a whole block of a prompt, as typed: a line or a sentence of it could say the opposite. The likeliest
 * sentence decides about its block. Short blocks of short prompts below the threshold are found too, with their
 * probabilities. On six real projects, 8 of the 20 likeliest were worth keeping.
 */
export const userStatements = (session: SessionTurns, classify: StatementClassifier): Proposal[] =>
  session.turns.flatMap((turn, at) =>
    statementsIn(turn, turn.prompt?.asked?.question ?? answerBefore(session.turns, at)?.text ?? '', classify),
  );

function statementsIn(turn: Turn, before: string, classify: StatementClassifier): Proposal[] {
  const { prompt } = turn;
  // The agent worded the options that the user chose, and the plans that they accepted.
  if (prompt === undefined || prompt.isPlan === true || (prompt.asked?.option ?? '') !== '') return [];
  const given = {
    promptLength: prompt.text.length,
    before: before.slice(-300),
    edits: turn.acts.filter(({ kind }) => kind === 'edit').length,
    commands: turn.acts.filter(({ kind }) => kind === 'command').length,
  };
  const isShort = prompt.text.length <= maxSettlingPrompt;
  const sure = surelyTyped(prompt);
  return typedBlocks(prompt).flatMap((block) => {
    const text = flat(block);
    const sentences = typedSentences(block);
    const judged = sentences.map((sentence, at): Judged => {
      const settled = isShort ? settledKind(sentence) : undefined;
      const { tell, kind } = classify({ ...given, of: sentences.length, sentence, at });
      return settled === undefined ? { at, tell, kind } : { at, tell: 1, kind: settled, isSettled: true };
    });
    const [best] = judged.toSorted((a, b) => b.tell - a.tell);
    if (best === undefined || text.length > maxLength) return [];
    // After "Fix this issue: …" the next sentences may be the issue's.
    const isQuoting = sentences.slice(0, best.at).some((sentence) => /[:：](?:\s|$)/u.test(sentence));
    const isSure = sure.includes(block) && !block.includes('\n') && !isQuoting && best.tell >= toldFrom;
    const proposal = proposalOf(turn, prompt.event, text, best.kind, !isSure);
    if (best.isSettled === true) return [proposal];
    if (wordCount(text) < minWords || leaning.test(text)) return [];
    if (best.tell >= proposedFrom) return [proposal];
    const isUncertain = isShort && text.length <= maxUncertainLength && !/[?？:：]\s*$/u.test(text);
    return isUncertain ? [{ ...proposal, probability: best.tell }] : [];
  });
}

interface Judged extends Judgement {
  at: number;
  isSettled?: true;
}

/** Longer prompts are specifications or contain pasted text. */
const maxSettlingPrompt = 600;
const maxUncertainLength = 250;

const proposalOf = (
  turn: Turn,
  event: string,
  text: string,
  kind: StatementKind,
  isWeak: boolean,
): Proposal => ({
  kind,
  text,
  turn: turn.id,
  at: turn.at,
  evidence: [event],
  files: [],
  trust: 2,
  ...(isWeak ? { isWeak: true as const } : {}),
});

/** Words, or pairs of letters where none are written apart. */
const wordCount = (text: string): number =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).length +
  Math.floor((text.match(/\p{Script=Han}/gu) ?? []).length / 2);
