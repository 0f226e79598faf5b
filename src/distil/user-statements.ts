import type { NoteKind } from '../domain/note.ts';
import { openEnd, type Proposal, type SessionTurns, type Turn } from './distiller.ts';
import { ownWords } from './own-words.ts';
import { sentencesOf, wholeSentences } from './sentences.ts';
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
 * Finds what a user said that may hold beyond the turn. A statement is whole sentences as typed, with what may limit
 * them: a part of it could say the opposite.
 */
export const userStatements = (session: SessionTurns, classify: StatementClassifier): Proposal[] =>
  session.turns.flatMap((turn, at) => statementsIn(turn, session.turns[at - 1], classify));

function statementsIn(turn: Turn, before: Turn | undefined, classify: StatementClassifier): Proposal[] {
  const { prompt } = turn;
  if (prompt === undefined) return [];
  const { words, isPerhapsPasted } = ownWords(prompt.text);
  const sentences = sentencesOf(words);
  const given = {
    promptLength: prompt.text.length,
    of: sentences.length,
    before: lastAnswerOf(before).slice(-300),
    edits: turn.acts.filter(({ kind }) => kind === 'edit').length,
    commands: turn.acts.filter(({ kind }) => kind === 'command').length,
  };
  return sentences.flatMap(({ text: sentence }, at) => {
    const judgement: Judgement = classify({ ...given, sentence, at });
    const text = wholeSentences(sentences, at);
    // After "Fix this issue: …" the next sentences may be the issue's.
    const isQuoting = isPerhapsPasted || sentences.slice(0, at).some((one) => /[:：]\s/u.test(one.text));
    if (text.length > maxLength) return [];
    if (isSettling(sentence, prompt.text)) {
      const kind = deciding.test(sentence) ? 'decision' : 'rule';
      return [proposalOf(turn, prompt.event, text, kind, isQuoting)];
    }
    if (judgement.tell < proposedFrom || wordCount(sentence) < minWords || leaning.test(sentence)) return [];
    const isWeak = isQuoting || judgement.tell < toldFrom;
    return [proposalOf(turn, prompt.event, text, judgement.kind, isWeak)];
  });
}

/**
 * Words with which people settle something for good. They are rare, so the classifier has hardly seen them; where they
 * occur they are unmistakable.
 */
const deciding =
  /^\W*(?:so |ok |and )?(?:we|i)(?:'ve| have)? (?:decided|agreed|settled on|chose)(?!\p{L})|^\W*decision:/iu;
const ruling = new RegExp(
  [
    /^\W*(?:(?:please|remember|and|so|ok(?:ay)?),?:?\s+)*(?:always|never|whenever|going forward|in (?:the )?future)(?!\p{L})/u,
    /(?<!\p{L})(?:from now on|from here on|as a rule|house rule|we should (?:always|never))(?!\p{L})/u,
    /^\W*we (?:always|never) (?:use|write|keep|run|commit|deploy|merge|push|store|name|return|log|test)(?!\p{L})/u,
    /^\W*(?:please )?stop \p{L}+ing(?!\p{L})|(?<!\p{L})ask (?:me )?(?:first|before)(?!\p{L})/u,
    /^\W*(?:immer|niemals|ab (?:jetzt|sofort)|toujours|jamais|désormais|siempre|nunca|sempre|всегда|никогда|впредь|отныне)(?!\p{L})/u,
    /总是|始终|以后都|一律/u,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'iu',
);
/** Longer prompts are specifications or contain pasted text. */
const maxSettlingPrompt = 600;

const isSettling = (sentence: string, prompt: string): boolean =>
  prompt.length <= maxSettlingPrompt &&
  (deciding.test(sentence) || ruling.test(sentence)) &&
  !/[?？]\s*$/.test(sentence);

const lastAnswerOf = (turn: Turn | undefined): string => {
  const answer = turn?.acts.findLast((act) => act.kind === 'answer');
  return answer?.kind === 'answer' ? answer.text : '';
};

const kinds: Record<StatementKind, NoteKind> = {
  rule: 'convention',
  preference: 'preference',
  decision: 'decision',
  fact: 'fact',
  open: 'open',
};

const proposalOf = (
  turn: Turn,
  event: string,
  text: string,
  kind: StatementKind,
  isWeak: boolean,
): Proposal => ({
  kind: kinds[kind],
  text,
  turn: turn.id,
  at: turn.at,
  evidence: [event],
  files: [],
  concepts: kind === 'open' ? [openEnd] : [],
  trust: 2,
  ...(isWeak ? { isWeak: true as const } : {}),
});

/** Words, or pairs of letters where none are written apart. */
const wordCount = (text: string): number =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).length +
  Math.floor((text.match(/\p{Script=Han}/gu) ?? []).length / 2);
