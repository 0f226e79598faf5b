import type { BlockEnd } from '../domain/block.ts';
import { type Asked, askedText } from '../domain/event.ts';
import { inventedLiteral } from '../text/literals.ts';
import { type StoredPrompt, surelyTyped, typedBlocks } from '../text/prompt-blocks.ts';
import { typedSentences, withoutCodeBlocks } from '../text/sentences.ts';
import { findQuote, flat, hasWords, isQuestion, searchedQuote } from './find-quote.ts';

/**
 * Proves what a model says that the user said. A model may have been told what to write by a file or a tool, so its
 * wording is never the user's. What is told to later sessions is what was typed, letter for letter: whole sentences of
 * the user, or an exchange, the agent's question with the user's answer. Whether a wording says the same is for a person
 * to judge, or for a model that sees only the two.
 */
export interface Claim {
  topic: string;
  quote: string;
  reading: string;
  /** The sentence or option of the agent that the user accepted; empty if the user proposed it. */
  proposal: string;
}

/** A message of the user with the answer of the agent directly before it. */
export interface Exchange {
  prompt: string;
  /** Which parts of the prompt were typed, as it is stored. */
  blocks?: BlockEnd[];
  /** Empty if there is none. */
  before: string;
  /** Set if the user answered a dialog, or typed while the agent worked. */
  asked?: Asked;
  /** The plan of the agent that the user accepted instead of typing a message. */
  plan?: string;
}

export interface Proof {
  /**
   * `quote`: the text is the user's sentences. `exchange`: the text is a sentence of the agent, and the quote is the
   * user's answer to it. `reading`: the text is the writer's wording, which waits for confirmation.
   */
  form: 'quote' | 'exchange' | 'reading';
  text: string;
  /** The user's words: whole sentences, or in an exchange the whole message. Empty if they were not found. */
  quote: string;
  proposal: string;
  /** Index of the exchange that has the quote, or -1. */
  exchange: number;
  /** Why it waits, as a sentence for the writer; empty if it is told. */
  why: string;
  isTopicTyped: boolean;
}

/** Longer quotes would have to be cut to be told, and a cut may lose a condition. */
export const maxToldLength = 400;
const maxAnswerLength = 300;
export const maxReadingLength = 200;
/** `cited` are the exchanges that the writer names as evidence: words that were said twice are searched there first. */
export function proveStatement(claim: Claim, exchanges: Exchange[], cited: readonly number[] = []): Proof {
  const reading = claim.reading || claim.quote;
  const unproved: Proof = {
    form: 'reading',
    text: reading,
    quote: '',
    proposal: '',
    exchange: -1,
    why: '',
    isTopicTyped: isTyped(claim.topic, exchanges),
  };
  const wanted = searchedQuote(claim.quote);
  const lastOf = (is: (one: Exchange) => boolean): number => {
    const named = exchanges.findLastIndex((one, at) => cited.includes(at) && is(one));
    return named === -1 ? exchanges.findLastIndex(is) : named;
  };
  const planned = provePlan(claim, exchanges, { unproved, lastOf });
  if (planned !== undefined) return planned;
  if (wanted === '') return { ...unproved, why: 'Give the words of the user that settle it as `quote`.' };
  const isSaid = (one: Exchange): boolean => findQuote(wanted, blocksIn(one)) !== undefined;
  const isAnswered = ({ asked }: Exchange): boolean => isPartOf(claim.proposal, asked && askedText(asked));
  // The user may say the same twice; the last time counts. A "yes" belongs to the dialog that asked for it.
  const answered = lastOf((one) => isAnswered(one) && isSaid(one));
  const at = answered === -1 ? lastOf(isSaid) : answered;
  const found: Exchange = exchanges[at] ?? { prompt: '', before: '' };
  const said = findQuote(wanted, blocksIn(found));
  if (said === undefined)
    return { ...unproved, why: 'The quote is not in a message that the user typed in this session.' };
  const quoted = { ...unproved, quote: said.text, exchange: at };
  const { prompt, before, asked } = found;
  if (asked !== undefined && asked.question !== '') return proveAnswer(claim, quoted, prompt, asked);
  if (claim.proposal !== '') return proveExchange(claim, quoted, { prompt, before }, exchanges);
  const { text } = said;
  if (claim.reading !== '' && ![text, flat(claim.quote)].includes(flat(claim.reading)))
    return { ...quoted, why: waitsForConfirmation };
  if (text.length > maxToldLength)
    return { ...quoted, text, why: 'The paragraph is too long to be told whole. Give a `reading`.' };
  if (said.isQuestion) return { ...quoted, text, why: 'The user asks it.' };
  if (!surelyTyped(storedPrompt(found)).map(flat).includes(text))
    return { ...quoted, text, why: isPerhapsPasted };
  return { ...quoted, form: 'quote', text };
}

const storedPrompt = ({ prompt, blocks }: Exchange): StoredPrompt => ({
  text: prompt,
  ...(blocks === undefined ? {} : { blocks }),
});

const blocksIn = (exchange: Exchange): string[] => typedBlocks(storedPrompt(exchange));

const isPerhapsPasted = 'The message has several paragraphs, and the user may have pasted some of them.';
const isNoAnswer =
  'The proposal must be the only question of your last message and end it, or the option whose number the user chose.';
const waitsForConfirmation = 'It is your wording, so it waits until the user confirms it.';

function proveExchange(
  claim: Claim,
  found: Proof,
  { prompt, before }: Exchange,
  exchanges: Exchange[],
): Proof {
  const proposed = proposedBy(before, claim.proposal, prompt);
  if (proposed === undefined) return { ...found, why: isNoAnswer };
  const proposal = proposed.text;
  const accepted = { ...found, proposal };
  if (claim.reading !== '') return { ...accepted, why: waitsForConfirmation };
  if (!proposed.isAnswered) return { ...accepted, text: flat(claim.proposal), why: isNoAnswer };
  if (proposal.length > maxToldLength || prompt.trim().length > maxAnswerLength)
    return { ...accepted, text: proposal, why: 'The exchange is too long to be told whole.' };
  const invented = inventedLiteral(proposal, typedIn(exchanges));
  if (invented !== undefined && isActionable(invented))
    return { ...accepted, text: proposal, why: `The user did not type "${invented}".` };
  return { ...accepted, form: 'exchange', text: proposal, quote: flat(prompt) };
}

/** An answer in a dialog is told with its question, because the agent may have worded both. */
function proveAnswer(claim: Claim, found: Proof, prompt: string, asked: Asked): Proof {
  const whole = flat(askedText(asked));
  const isProposed = claim.proposal === '' || isPartOf(claim.proposal, whole);
  if (!isProposed)
    return { ...found, why: 'The proposal must be the question or the option that the user chose.' };
  if (claim.reading !== '') return { ...found, proposal: whole, why: waitsForConfirmation };
  const proposal = [whole, flat(asked.question)].find(
    (text) => text.length <= maxToldLength && (claim.proposal === '' || isPartOf(claim.proposal, text)),
  );
  if (proposal === undefined || prompt.trim().length > maxAnswerLength)
    return { ...found, proposal: whole, text: whole, why: 'The exchange is too long to be told whole.' };
  return { ...found, form: 'exchange', proposal, text: proposal, quote: flat(prompt) };
}

/** Nobody knows whether the user read each sentence of a plan, so it waits for confirmation. */
function provePlan(
  { quote, proposal, reading }: Claim,
  exchanges: Exchange[],
  { unproved, lastOf }: { unproved: Proof; lastOf(is: (one: Exchange) => boolean): number },
): Proof | undefined {
  const claimed = flat(proposal || quote);
  const isTypedToo = exchanges.some((one) => isPartOf(quote, blocksIn(one).join('\n')));
  const at = isTypedToo ? -1 : lastOf(({ plan }) => isPartOf(claimed, plan));
  if (at === -1 || claimed.length > maxToldLength) return undefined;
  const why = waitsForConfirmation;
  return { ...unproved, text: reading || claimed, proposal: claimed, exchange: at, why };
}

function isPartOf(claimed: string, text = ''): boolean {
  const wanted = searchedQuote(claimed);
  return wanted !== '' && findQuote(wanted, [text]) !== undefined;
}

/** A command, path, package or URL. A number that the user accepted is shown beside the answer and needs no typing. */
const isActionable = (literal: string): boolean => !/^[\d.,:]+\s?[%\p{L}]*$/u.test(literal);

interface Proposed {
  text: string;
  /** Whether the user's message surely answers it. Otherwise a reader must judge that from the end of the answer. */
  isAnswered: boolean;
}

/**
 * What the user answered: the only question of the agent's answer, at its end, or the option of its only numbered list
 * that the user's message names by its number. If the claimed proposal is neither, but stands in the last two sentences,
 * these are the evidence. Undefined if it stands further up: nobody agreed to a line in the middle of a report.
 */
function proposedBy(answer: string, claimed: string, reply: string): Proposed | undefined {
  const wanted = searchedQuote(claimed);
  const sentences = typedSentences(answer);
  // A statement of several sentences is asked for in one line.
  const asking = /(?:^|[.!?。！？]\s)\s*(Remember: .+)$/u.exec(
    answer.trimEnd().split('\n').at(-1) ?? '',
  )?.[1];
  const ends = asking === undefined ? sentences.slice(-2) : ['', asking];
  const [before = '', last = ''] = ends.length === 1 ? ['', ends[0]] : ends;
  const isIn = (text: string): boolean => wanted !== '' && findQuote(wanted, [text]) !== undefined;
  if (sentences.filter(isQuestion).length === 1 && isQuestion(last) && isIn(last))
    return { text: last, isAnswered: true };
  const number = /^\D*(\d{1,2})(?!\d)\D*$/u.exec(reply.trim())?.[1];
  const options = [
    ...withoutCodeBlocks(answer).matchAll(/^\s*(?:[-*]\s+)?\**(\d{1,2})\**\s*[.):]\**\s+(.+)$/gmu),
  ].filter(([, own]) => own === number);
  const chosen = flat(options[0]?.[2]?.replace(/\*\*/g, '') ?? '');
  if (options.length === 1 && isIn(chosen)) return { text: chosen, isAnswered: true };
  if (isIn(last)) return { text: last, isAnswered: false };
  return isIn(`${before}\n${last}`) ? { text: `${before} ${last}`, isAnswered: false } : undefined;
}

const maxTopicWords = 4;

/** A topic is a label. Undefined if it is longer than that. */
export function labelOf(topic: string): string | undefined {
  const label = flat(topic.replace(/[.:;!?]+(?=\s|$)/g, ''));
  return label === '' || label.split(' ').length > maxTopicWords || label.length > 60 ? undefined : label;
}

/** What the user typed in the session. A chosen option is the agent's wording. */
const typedIn = (exchanges: Exchange[]): string =>
  exchanges
    .filter(({ asked }) => asked === undefined || asked.option === '')
    .flatMap(blocksIn)
    .join('\n');

function isTyped(topic: string, exchanges: Exchange[]): boolean {
  const typed = typedIn(exchanges).toLowerCase();
  const words = topic.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.length > 0 && words.every((word) => hasWords(word, typed));
}
