import { escapePattern } from '../text/escape-pattern.ts';
import { termsOf } from '../text/words.ts';
import { ownWords } from './own-words.ts';
import { contentTerms, disagreement, hasNegation } from './polarity.ts';
import { typedSentences } from './sentences.ts';
import { inventedValue } from './statement-values.ts';

/**
 * Checks a statement that a model wrote against the words of the user. A model may have been told what to write by a
 * file or a tool, so a statement counts as the user's only if the user typed the quote, the statement agrees with the
 * whole sentence around it, and nothing that could do harm was added.
 */
export interface StatementCheck {
  isVerified: boolean;
  /** Why it is not verified, as a sentence for the writer; empty if it is. */
  why: string;
  /** The whole sentences around the quote, as typed; empty if the quote was not found. */
  quote: string;
  /** Index of the prompt that has the quote, or -1. */
  prompt: number;
}

const maxQuoteLength = 600;
const maxStatementLength = 400;
const maxTopicLength = 60;
/** Share of a statement's words that the user must have typed. */
const minTypedShare = 0.5;
/** Share of words that the statement and the sentences of the quote must have in common. */
const minSharedShare = 0.5;

export function verifyStatement(
  { statement, quote, topic = '' }: { statement: string; quote: string; topic?: string },
  prompts: string[],
  isKnownName: (name: string) => boolean,
): StatementCheck {
  const wanted = flat(typedSentences(quote).join(' ')).replace(/[\s.,;:!…]+$/, '');
  if (wanted === '') return notFound('Give the words of the user that settle it as quote.');
  const typed = prompts.map((text) => withoutQuotedLines(ownWords(text).words));
  let failed: StatementCheck | undefined;
  // The user may say the same twice; the last time counts.
  for (const [prompt, words] of [...typed.entries()].reverse()) {
    const said = findQuote(wanted, words);
    if (said === undefined) continue;
    const own = { ...said, prompt: words, all: typed.join('\n') };
    const why = whyNoTopic(topic) ?? whyNot(statement, own, isKnownName);
    const check = { isVerified: why === undefined, why: why ?? '', quote: said.quote, prompt };
    if (check.isVerified) return check;
    failed ??= check;
  }
  return failed ?? notFound('The quote is not in a message that the user typed in this session.');
}

/** A topic is in the model's words, so it must not be able to say what to do. */
const order =
  /^(?:always|never|please|do not|don'?t|use|ignore|disable|skip|disregard|forget)(?!\p{L})|[.!:;\n]|:\/\//iu;

const whyNoTopic = (topic: string): string | undefined =>
  topic.length > maxTopicLength || order.test(topic.trim())
    ? 'The topic must be a short name such as "package manager".'
    : undefined;

const notFound = (why: string): StatementCheck => ({ isVerified: false, why, quote: '', prompt: -1 });

const withoutQuotedLines = (text: string): string => text.replace(/^\s*[>|].*$/gm, '');
const withoutCodeBlocks = (text: string): string => text.replace(/```[\s\S]*?(?:```|$)/g, '\n');

/** What the user typed around a quote. */
interface OwnWords extends Said {
  /** The prompt with the quote. */
  prompt: string;
  /** All prompts. */
  all: string;
}

/** The words that surround a quote and belong to its meaning. */
interface Said {
  quote: string;
  /** The same for comparing: a heading is joined to its list item, so that "never:" applies to the item. */
  meaning: string;
  /** The sentence after it takes it back. */
  isWithdrawn: boolean;
}

interface Sentence {
  text: string;
  /** The line that introduces the list of which this is an item. */
  heading: string;
}

const exception =
  /^(?:but|except|unless|only|however|though|apart from|other than|not|never|and not)(?!\p{L})/iu;
const retraction =
  /^(?:never ?mind|scratch that|wait|actually|just kidding|kidding|jk|no|nope|on second thought)(?![\p{L}'])/iu;

function findQuote(wanted: string, words: string): Said | undefined {
  const sentences = sentencesIn(words);
  const all = sentences.map(({ text }) => flat(text)).join(' ');
  const from = indexOfWords(wanted, all);
  if (from === -1) return undefined;
  let end = -1;
  const reached = sentences.flatMap(({ text }, index) => {
    const start = end + 1;
    end = start + flat(text).length;
    return start < from + wanted.length && end > from ? [index] : [];
  });
  const first = reached[0] ?? 0;
  let last = reached.at(-1) ?? 0;
  const next = (): string => sentences[last + 1]?.text ?? '';
  while (exception.test(next()) && !retraction.test(next())) last += 1;
  const around = sentences.slice(first, last + 1);
  const heading = around[0]?.heading ?? '';
  const text = around.map((sentence) => sentence.text).join(' ');
  return {
    quote: `${heading} ${text}`.trim(),
    meaning: `${heading.replace(/:$/, '')} ${text}`.trim(),
    isWithdrawn: retraction.test(next()),
  };
}

function sentencesIn(words: string): Sentence[] {
  const sentences: Sentence[] = [];
  let heading = '';
  for (const line of withoutCodeBlocks(words).split('\n')) {
    if (line.trim() === '') continue;
    const isItem = /^\s*(?:[-*•]|\d+[.)])\s+/.test(line);
    if (!isItem) heading = '';
    const found = typedSentences(line);
    for (const text of found) sentences.push({ text, heading });
    if (line.trimEnd().endsWith(':')) heading = found.at(-1) ?? '';
  }
  return sentences;
}

const flat = (text: string): string =>
  text
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();

/** Finds whole words. The first letter may differ in case, because writers begin a quote with a capital. */
function indexOfWords(wanted: string, text: string): number {
  const [first = ''] = wanted;
  const begin = [...new Set([first.toLowerCase(), first.toUpperCase()])].map((letter) =>
    escapePattern(letter),
  );
  const rest = escapePattern(wanted.slice(first.length));
  const word = '[\\p{L}\\p{N}_]';
  return text.search(new RegExp(`(?<!${word})(?:${begin.join('|')})${rest}(?!${word})`, 'u'));
}

function whyNot(
  statement: string,
  own: OwnWords,
  isKnownName: (name: string) => boolean,
): string | undefined {
  const { quote, meaning, isWithdrawn } = own;
  if (statement.length > maxStatementLength) return 'Shorten the statement to one or two sentences.';
  if (isWithdrawn) return 'The user takes it back in the next sentence.';
  if (quote.length > maxQuoteLength) return 'The sentence of the quote is too long to be shown whole.';
  if (isUnsettled(meaning) && !undecided.test(statement)) return `The user is not settling it: "${quote}".`;
  const contradiction = disagreement(statement, meaning);
  if (contradiction !== undefined) return `Statement and quote disagree: ${contradiction} ("${quote}").`;
  const condition = missingCondition(statement, meaning);
  if (condition !== undefined) return `The statement leaves out "${condition}".`;
  const invented = inventedValue(statement, own.all, isKnownName);
  if (invented !== undefined) return `The user did not type "${invented}".`;
  return untypedWords(statement, own, isKnownName);
}

const politeRequest =
  /(?:^|[,:]\s*)(?:please |and |ok |so )*(?:can|could|would|will) (?:you|we)\b|\b(?:ok|okay|right|please)\?\s*$/iu;
const hedged =
  /(?<!\p{L})(?:maybe|perhaps|probably|not sure|idk|i don'?t know|i wonder|what if|haven'?t decided|vielleicht|peut-être|quizás?|talvez|может быть|наверное)(?!\p{L})/iu;
const undecided =
  /\?|(?<!\p{L})(?:open|undecided|whether|maybe|perhaps|probably|might|consider|unclear)(?!\p{L})/iu;

/** Whether the user asks, guesses or has not decided. */
export const isUnsettled = (text: string): boolean =>
  hedged.test(text) || (/[?？]\s*$/.test(text) && !politeRequest.test(text));

const momentary =
  /(?<!\p{L})(?:for now|for the moment|temporarily|this time|just this once|right now|for this (?:pr|commit|branch|session|task))(?!\p{L})/iu;
const conditions =
  /(?<!\p{L})(?:except|unless|only (?:if|when|for|in|on)|apart from|other than|excluding|as long as|provided|until|if|but (?:not|never|only)|außer|wenn|sauf|salvo|кроме|если)\s+([^,;.!?]*)/giu;

/** A condition or exception of the user of which the statement has no word. */
function missingCondition(statement: string, said: string): string | undefined {
  const moment = momentary.exec(said)?.[0];
  if (moment !== undefined && !momentary.test(statement)) return moment;
  const stated = new Set(contentTerms(statement));
  return [...said.matchAll(conditions)]
    .find(([, clause = '']) => {
      const terms = contentTerms(clause);
      return terms.length > 0 && !terms.some((term) => stated.has(term));
    })?.[0]
    .trim();
}

/** Words with which anybody sums up what a user said. */
const neutral = new Set(
  contentTerms(
    'user project repo repository code codebase decided decision rule preference currently current always never must instead rather new need want require allow ask only open undecided whether consider unclear make set go change let please ok yes no',
  ),
);
/** What follows is what the statement settles: "use axios", "the manager is yarn". */
const settledObject =
  /(?<!\p{L})(?:(?:us(?:e|es|ed|ing)|install|add|import|prefers?|choose|pick|adopt|keep|via|with|=|(?:switch|migrat|mov|chang|set|rais|lower)\p{L}*(?:\s+\S+){0,4}?\s+to)\s+(?:(?:the|a|an|only|always|now)\s+)*([\p{L}\p{N}_$@/.-]+)|(?:is|are)\s+(?:(?:the|a|an|only|always|now)\s+)*([\p{L}\p{N}_$@/-]+)(?=\s*(?:[.,;()]|$)))/giu;

function untypedWords(
  statement: string,
  { meaning, prompt, all }: OwnWords,
  isKnownName: (name: string) => boolean,
): string | undefined {
  const isTyped = isTermOf(all);
  const isNear = isTermOf(prompt);
  const own = statement.replace(codeName, (name) => (isKnownName(name) ? ' ' : name));
  const stated = [...new Set(contentTerms(own))];
  const counted = stated.filter((term) => !neutral.has(term));
  if (sharedWith(meaning, counted) < minSharedShare)
    return 'Statement and quote have too few words in common. Write the statement in the words of the quote.';

  const object = [...own.matchAll(settledObject)]
    .map(([, used = '', equal = '']) => (used || equal).replace(/[.,-]+$/, ''))
    .find((name) => !contentTerms(name).every(isTyped) && !hasNegation(name));
  if (object !== undefined) return `The user did not type "${object}".`;

  const added = own
    .split(/[.;,:()–—]\s|(?<!\p{L})and(?!\p{L})/iu)
    .find((piece) => contentTerms(piece).length > 1 && !contentTerms(piece).some(isNear));
  if (added !== undefined) return `The user did not say "${added.trim()}".`;

  return counted.filter(isTyped).length >= counted.length * minTypedShare
    ? undefined
    : "Write the statement in the user's words.";
}

/** Share of the words of the statement that the quote has, or of the quote that the statement has. */
function sharedWith(quote: string, stated: string[]): number {
  const quoted = [...new Set(contentTerms(quote))].filter((term) => !neutral.has(term));
  const shared = quoted.filter((term) => stated.includes(term)).length;
  return shared === 0 ? 0 : shared / Math.min(stated.length, quoted.length);
}

/** Numbers count, because they are compared with their units, see statement-values.ts. */
function isTermOf(text: string): (term: string) => boolean {
  const { words, idents } = termsOf(withoutCodeBlocks(text));
  const typed = new Set([...words, ...idents]);
  return (term) => typed.has(term) || neutral.has(term) || /^\d/.test(term);
}

/** A path or an identifier of several parts. */
const codeName = /[\p{L}\p{N}_$@/.\\-]*(?:[/_.\\]|\p{Ll}(?=\p{Lu}))[\p{L}\p{N}_$@/\\-]+/gu;
