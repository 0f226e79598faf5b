import type { NoteKind } from '../domain/note.ts';
import { askedMark, topicMark } from '../text/note-text.ts';
import { openEnd, type Proposal, type SessionTurns, type Turn } from './distiller.ts';
import { ownWords } from './own-words.ts';
import { fitSentences, typedSentences } from './sentences.ts';
import {
  isAdvice,
  isAgreement,
  isBareComparison,
  isChoice,
  isHedged,
  isOffer,
  isQuestion,
  isRepairOrder,
  isWeakWording,
  type Signal,
  signalOf,
  withoutCourtesy,
} from './wording.ts';

/**
 * What the user said that holds beyond the turn: decisions with their reasons, how things are done, what led
 * nowhere, what is left. People give the reason in the sentence after, so what has no signal of its own goes
 * with the sentence before it. A reply to a choice is a decision however short it is; the question goes along,
 * because "group commit, 5 ms" says nothing without it.
 */
const maxNote = 600;
const maxContext = 200;
/** Longer prompts are specifications or pasted text; of them only the sentences with a signal are taken. */
const shortPrompt = 700;

export function fromUser(session: SessionTurns): Proposal[] {
  const [first] = session.turns;
  return session.turns.flatMap((turn, at) => fromPrompt(turn, session.turns[at - 1], first));
}

interface Statement {
  signal: Signal;
  sentences: string[];
}

function fromPrompt(turn: Turn, before: Turn | undefined, first: Turn | undefined): Proposal[] {
  if (turn.prompt === undefined) return [];
  const { text, event } = turn.prompt;
  if (isAgreement(text)) return agreedWith(turn, before);
  const { words, isPerhapsPasted } = ownWords(text);
  const said = withoutCourtesy(words);
  const sentences = typedSentences(said);
  const isReply = before !== undefined && isChoiceReply(said, sentences, before);
  const statements = statementsOf(sentences, isReply, said.length <= shortPrompt);
  // "It shows the id instead of the name. Find out why": a report of what is broken, in the words of a choice.
  const isReport = !isReply && sentences.some(isRepairOrder);
  const meant = statements.filter(({ sentences: own }) => !(isReport && own.every(isBareComparison)));
  return meant.map(({ signal, sentences: own }) => {
    const around = surroundings(signal, isReply, turn, before, first);
    return {
      kind: kindOf[signal],
      text: [around.asked, fitSentences(own, maxNote), around.topic].filter((line) => line !== '').join('\n'),
      turn: turn.id,
      at: turn.at,
      evidence: [event, ...around.evidence],
      files: [],
      concepts: signal === 'open-end' ? [openEnd] : [],
      trust: 2,
      ...(isPerhapsPasted || (!isReply && own.every(isWeakWording)) ? { isWeak: true as const } : {}),
    };
  });
}

/** What the words were said to, and what the session was about, where they mean little without. */
function surroundings(
  signal: Signal,
  isReply: boolean,
  turn: Turn,
  before: Turn | undefined,
  first: Turn | undefined,
) {
  const needsQuestion = isReply || signal === 'failed-path';
  const asked = needsQuestion ? contextOf(before) : '';
  const isFirst = first === undefined || first === turn || (asked !== '' && first === before);
  const topic = isFirst || signal === 'convention' ? '' : topicOf(first);
  const evidence = [
    ...(asked === '' ? [] : [before?.prompt?.event ?? '']),
    ...(topic === '' ? [] : [first?.prompt?.event ?? '']),
  ];
  return { asked, topic, evidence: evidence.filter((id) => id !== '') };
}

function topicOf(first: Turn): string {
  const sentence = typedSentences(withoutCourtesy(first.prompt?.text ?? ''))[0] ?? '';
  return sentence === '' ? '' : `${topicMark}${fitSentences([sentence], maxContext)}`;
}

const kindOf: Record<Signal, NoteKind> = {
  decision: 'decision',
  convention: 'convention',
  'failed-path': 'failed-path',
  'open-end': 'change',
};

const minWords = 3;
/** A few words that lean on the sentence before: "no pkg/errors". */
const fragmentWords = 4;

function statementsOf(sentences: string[], isReply: boolean, mayJoin: boolean): Statement[] {
  const statements: Statement[] = [];
  const put = (signal: Signal, sentence: string, leading = '') => {
    const last = statements.at(-1);
    if (last?.signal === signal) last.sentences.push(sentence);
    else statements.push({ signal, sentences: leading === '' ? [sentence] : [leading, sentence] });
  };
  for (const [at, sentence] of sentences.entries()) {
    const signal = signalIn(sentence, isReply);
    const before = sentences[at - 1] ?? '';
    const last = statements.at(-1);
    if (signal !== undefined) {
      const isFragment = wordCount(sentence) <= fragmentWords && last === undefined && isAddition(before);
      put(signal, sentence, isFragment && mayJoin ? before : '');
    } else if (isReply && !isQuestion(sentence)) put('decision', sentence);
    else if (last !== undefined && mayJoin && isAddition(sentence)) last.sentences.push(sentence);
  }
  return statements.filter(
    ({ sentences: own, signal }) =>
      wordCount(own.join(' ')) >= (signal === 'decision' && isReply ? 1 : minWords),
  );
}

/** A reply to a choice is one decision, with the rules and reasons that come along. */
function signalIn(sentence: string, isReply: boolean): Signal | undefined {
  const signal = signalOf(sentence);
  return isReply && signal === 'convention' ? 'decision' : signal;
}

const isAddition = (sentence: string): boolean =>
  !isQuestion(sentence) && wordCount(withoutCourtesy(sentence)) >= 3;

/** Words, or letters where none are written apart. */
const wordCount = (text: string): number =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).length +
  Math.floor((text.match(/\p{Script=Han}/gu) ?? []).length / 2);

const order =
  /^(?:try|show|explain|run|look|check|tell|continue|again|list|find|open|print|do (?:it|both|them|\d+)|so |stop)(?![p{L}])/i;

function isChoiceReply(said: string, sentences: string[], before: Turn): boolean {
  const first = sentences[0] ?? '';
  const last = sentences.at(-1) ?? '';
  if (said === '' || said.length > shortPrompt || order.test(said)) return false;
  if (isQuestion(first) || isQuestion(last) || isHedged(first)) return false;
  const asked = before.prompt?.text ?? '';
  const answered = before.acts.findLast((act) => act.kind === 'answer');
  const wasOffered = answered?.kind === 'answer' && isOffer(answered.text);
  const isAsked = typedSentences(asked).some((sentence) => isQuestion(sentence)) && isChoice(asked);
  // Work that was done on the way is a result, and what the user says to it is about that.
  const hasEdits = before.acts.some(({ kind }) => kind === 'edit');
  return (isAsked || wasOffered) && !hasEdits;
}

/** What the reply replies to: the user's own question, or the start of what they asked for. */
function contextOf(before: Turn | undefined): string {
  const sentences = typedSentences(withoutCourtesy(before?.prompt?.text ?? ''));
  const question = sentences.find(isQuestion) ?? sentences[0] ?? '';
  return question === '' ? '' : `${askedMark}${fitSentences([question], maxContext)}`;
}

/** A bare yes: what it says yes to is the agent's advice, which is only as good as what the agent had read, and never told as theirs. */
function agreedWith(turn: Turn, before: Turn | undefined): Proposal[] {
  const answer = before?.acts.findLast((act) => act.kind === 'answer');
  if (before === undefined || answer?.kind !== 'answer' || turn.prompt === undefined) return [];
  const advised = typedSentences(answer.text).filter(isAdvice).slice(0, 2);
  if (advised.length === 0) return [];
  const context = contextOf(before);
  return [
    {
      kind: 'decision',
      text: `${context === '' ? '' : `${context}\n`}Agreed to: ${fitSentences(advised, maxNote)}`,
      turn: turn.id,
      at: turn.at,
      evidence: [turn.prompt.event, answer.event],
      files: [],
      concepts: [],
      trust: 1,
      isAgreed: true,
    },
  ];
}
