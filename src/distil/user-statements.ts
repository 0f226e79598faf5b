import { createRecentResults } from '../base/recent-results.ts';
import type { NoteKind } from '../domain/note.ts';
import { queryTerms, termsOf } from '../text/words.ts';
import { assentedPassages } from './assent.ts';
import { openEnd, type Proposal, type Revisit, type SessionTurns, type Turn } from './distiller.ts';
import { ownWords } from './own-words.ts';
import { typedSentences } from './sentences.ts';
import type { Judgement, StatementClassifier, StatementKind } from './statement-classifier.ts';

/**
 * Finds what a user said that holds beyond the turn, and where they came back to something. A statement is a whole
 * sentence as typed, with the exceptions and conditions that follow it: a part of it could say the opposite.
 */
export interface UserStatements {
  proposals: Proposal[];
  revisits: Revisit[];
}

/**
 * Probability from which a statement is told to new sessions, and from which it is proposed. Of 18 lines of eight real
 * projects that an independent judge labelled, 7 of the 8 with at least 0.6 were right, and 4 of the 10 below.
 */
const toldFrom = 0.6;
const proposedFrom = 0.4;
/** Probability from which a sentence counts as a change of something that was settled. */
const changeFrom = 0.25;
/** A statement has a certain length: shorter ones refer to something else, and longer ones ramble. */
const minWords = 6;
const maxLength = 240;
/** A sentence that begins so continues another one, and is not understood alone. */
const leaning =
  /^\W*(?:also|and|but|then|so|now|not yet|ok(?:ay)?|fine|yeah|yes|no|well|oh|hm+|ah|btw|first|next|etc|again|still|or|because|which|otherwise|instead|plus|this|that|these|those|its?|they|them|he|she|there|here|one|both|same)(?![\p{L}'])/iu;

export function userStatements(session: SessionTurns, classify: StatementClassifier): UserStatements {
  const judged = session.turns.map((turn, at) => judgeTurn(turn, session.turns[at - 1], classify));
  const revisits = judged.flatMap(({ revisit }) => revisit ?? []);
  const proposals = judged.flatMap(({ proposals: own }, at) => {
    const later = judged.slice(at + 1).flatMap(({ revisit }) => revisit ?? []);
    return own.filter(({ text, turn }) => !later.some((revisit) => overturns(revisit, text, [turn])));
  });
  return { proposals, revisits };
}

interface JudgedTurn {
  proposals: Proposal[];
  revisit?: Revisit;
}

function judgeTurn(turn: Turn, before: Turn | undefined, classify: StatementClassifier): JudgedTurn {
  const { prompt } = turn;
  if (prompt === undefined) return { proposals: [] };
  const { words, isPerhapsPasted } = ownWords(prompt.text);
  const sentences = typedSentences(words);
  const given = {
    promptLength: prompt.text.length,
    of: sentences.length,
    before: lastAnswerOf(before).slice(-300),
    edits: turn.acts.filter(({ kind }) => kind === 'edit').length,
    commands: turn.acts.filter(({ kind }) => kind === 'command').length,
  };
  const judgements = sentences.map((sentence, at) => classify({ ...given, sentence, at }));
  const proposals = sentences.flatMap((sentence, at) => {
    const judgement = judgements[at] as Judgement;
    const text = withExceptions(sentences, at);
    if (text.length > maxLength) return [];
    if (isSettling(sentence, prompt.text)) {
      const kind = deciding.test(sentence) ? 'decision' : 'rule';
      return [proposalOf(turn, prompt.event, text, kind, isPerhapsPasted)];
    }
    if (judgement.tell < proposedFrom || wordCount(sentence) < minWords || leaning.test(sentence)) return [];
    const isWeak = isPerhapsPasted || judgement.tell < toldFrom;
    return [proposalOf(turn, prompt.event, text, judgement.kind, isWeak)];
  });
  const asked = lastAnswerOf(before);
  const around = [asked, words, lastAnswerOf(turn)].map((text) => text.slice(0, maxAround));
  const isAgreed = assentedPassages(words, asked).length > 0;
  return {
    proposals,
    revisit: {
      at: turn.at,
      follows: before?.id ?? '',
      words: around.slice(isAgreed ? 0 : 1, 2).join('\n'),
      text: around.join('\n'),
      isChange: judgements.some(({ change }) => change >= changeFrom) || isCorrecting(sentences, prompt.text),
      isSettling: sentences.some((sentence) => isSettling(sentence, prompt.text)),
    },
  };
}

const maxAround = 800;

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
/** Whether a sentence settles something by these words alone. */
export const isExplicit = (sentence: string): boolean => deciding.test(sentence) || ruling.test(sentence);

/** Longer prompts are specifications or contain pasted text. */
const maxSettlingPrompt = 600;

const isSettling = (sentence: string, prompt: string): boolean =>
  prompt.length <= maxSettlingPrompt &&
  (deciding.test(sentence) || ruling.test(sentence)) &&
  !/[?？]\s*$/.test(sentence);

/** Words with which people correct, limit or take back what was said before. */
const correcting = new RegExp(
  [
    /^\W*(?:no+|nope|nah|sorry|oops|wait|actually|hold on|nein|non|nee|нет|não)(?![\p{L}'-])(?!\s+(?:need|problem|worries|idea))/u,
    /(?<!\p{L})(?:i meant?|changed my mind|on second thoughts?|scratch that|never ?mind|forget (?:that|it|about)|not any ?more|no longer)(?!\p{L})/u,
    /(?<!\p{L})(?:(?:go|went|move|switch|change|roll)\p{L}*\s(?:\S+\s)?back|revert\p{L}*|undo|instead|rather than)(?!\p{L})/u,
    /(?<!\p{L})(?:doch (?:lieber|nicht)|stattdessen|finalement|plutôt|mejor no|en vez de|em vez de|вместо|передумал)(?!\p{L})|改成|改为|算了|不对/u,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'iu',
);

const isCorrecting = (sentences: string[], prompt: string): boolean =>
  prompt.length <= maxSettlingPrompt &&
  (limiting.test(sentences[0] ?? '') || sentences.some((sentence) => correcting.test(sentence)));

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

/** A sentence that limits the one before. */
const limiting =
  /^(?:and |but )?(?:except|but|unless|only|however|otherwise|although|not for|außer|aber|nur|sauf|mais|pero|salvo|но|кроме|除非|但)(?![\p{L}])/iu;

function withExceptions(sentences: string[], at: number): string {
  let end = at + 1;
  while (limiting.test(sentences[end] ?? '')) end += 1;
  return sentences.slice(at, end).join(' ');
}

/** Words, or pairs of letters where none are written apart. */
const wordCount = (text: string): number =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).length +
  Math.floor((text.match(/\p{Script=Han}/gu) ?? []).length / 2);

/** Share of a statement's terms that a later turn must name to change it, and to be about the very same thing. */
const minSharedByChange = 0.4;
const minSharedByMention = 0.75;
/** Words that statements about anything have. */
const settlingWords = new Set(
  queryTerms(
    'always never whenever please going forward future decided decision agreed settled chose go keep switch move instead rather',
  ).terms,
);

/**
 * Whether what was said later may have changed a statement that was made in `turns`. When unsure, it has: nothing is told
 * rather than a lie. A correction in the very next turn may name nothing of what it corrects. What an agent says counts
 * only if the user changed or settled something, because an agent that follows a rule names it too.
 */
export function overturns(revisit: Revisit, statement: string, turns: string[]): boolean {
  const { words, text, follows, isChange, isSettling } = revisit;
  if (isChange && turns.includes(follows)) return true;
  const terms = queryTerms(statement).terms.filter((term) => !/^\d+$/.test(term) && !settlingWords.has(term));
  const isNew = isChange || isSettling || hasOtherNumber(text, statement);
  const shared = sharedTerms(terms, text);
  if (isNew && shared > 0 && shared >= minSharedByChange * terms.length) return true;
  const mentioned = sharedTerms(terms, words);
  return mentioned > 1 && mentioned >= minSharedByMention * terms.length;
}

function sharedTerms(terms: string[], text: string): number {
  const present = presentTerms(text);
  return terms.filter((term) => present.has(term)).length;
}

/** Every statement of a project is compared with every later turn, so the terms of texts are cached. */
const presentCache = createRecentResults<Set<string>>(1_000);

const presentTerms = (text: string): Set<string> =>
  presentCache.get(text) ??
  presentCache.compute(text, () => {
    const { words, idents } = termsOf(text);
    return new Set([...words, ...idents]);
  });

const quantity = /(\d[\d.,]*)\s?(%|\p{L}{1,8})/gu;

/** Whether the text has a number with the same unit as one of the statement, and another value. */
function hasOtherNumber(text: string, statement: string): boolean {
  const values = (from: string): [unit: string, value: string][] =>
    [...from.toLowerCase().matchAll(quantity)].map(([, value = '', unit = '']) => [unit, value]);
  const said = values(statement);
  return values(text).some(
    ([unit, value]) =>
      said.some(([own]) => own === unit) && !said.some(([own, known]) => own === unit && known === value),
  );
}
