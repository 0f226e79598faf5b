import { type Evidence, evidenceOf, type QuoteEvidence, typedWords } from './evidence.ts';
import { findQuote, searchedQuote } from './find-quote.ts';
import { contentTerms, disagreement, hasNegation } from './polarity.ts';
import { shorterStatements, withoutName } from './shorter-statements.ts';
import { conflictingAmount, inventedValue } from './statement-values.ts';
import { unsupportedWords } from './supported-words.ts';

/**
 * Checks a statement that a model wrote against the exchange with the user. A model may have been told what to write by
 * a file or a tool, so a statement counts as the user's only if the user typed the quote, the statement agrees with the
 * whole sentence around it, and nothing was added that the user neither typed nor accepted.
 */
export interface StatementCheck {
  isVerified: boolean;
  /** Why it is not verified, as a sentence for the writer; empty if it is. */
  why: string;
  /** The statement, or the part of it that is verified: without a remark in parentheses or a reason. */
  statement: string;
  /** The whole sentences around the quote, as typed; empty if the quote was not found. */
  quote: string;
  /** Index of the exchange that has the quote, or -1. */
  exchange: number;
  /** Whether it rests on the agent's answer before the quote, which the user accepted. */
  isAssent: boolean;
}

/** What a model says that the user said. */
export interface Claim {
  topic: string;
  statement: string;
  quote: string;
}

const maxQuoteLength = 600;
const maxStatementLength = 400;
const maxTopicLength = 60;

export function verifyStatement(claim: Claim, evidence: Evidence): StatementCheck {
  const { statement, topic } = claim;
  const unverified = { isVerified: false, statement, quote: '', exchange: -1, isAssent: false };
  const wanted = searchedQuote(claim.quote);
  if (wanted === '') return { ...unverified, why: 'Give the words of the user that settle it as quote.' };
  let failed: StatementCheck | undefined;
  // The user may say the same twice; the last time counts.
  for (let exchange = evidence.exchanges.length - 1; exchange >= 0; exchange--) {
    const said = findQuote(wanted, typedWords(evidence.exchanges[exchange]?.prompt ?? ''));
    if (said === undefined) continue;
    const seen = evidenceOf(said, exchange, evidence, topic);
    const found = { ...unverified, quote: said.quote, exchange, isAssent: seen.accepted.length > 0 };
    const why = whyNoTopic(topic) ?? whyNot(statement, seen);
    if (why === undefined) return { ...found, isVerified: true, why: '' };
    const shorter = variantsOf(statement, seen).find((one) => whyNot(one, seen) === undefined);
    if (shorter !== undefined && whyNoTopic(topic) === undefined)
      return { ...found, isVerified: true, why: '', statement: shorter };
    failed ??= { ...found, why };
  }
  return (
    failed ?? { ...unverified, why: 'The quote is not in a message that the user typed in this session.' }
  );
}

/** The statement without what its writer may have added, the longest first. */
function variantsOf(statement: string, evidence: QuoteEvidence): string[] {
  const invented = inventedValue(statement, evidence);
  const plain = invented === undefined ? undefined : withoutName(statement, invented);
  const options = { mayDropContrast: !hasNegation([evidence.meaning, ...evidence.accepted].join('\n')) };
  return [
    ...(plain === undefined ? [] : [plain, ...shorterStatements(plain, options)]),
    ...shorterStatements(statement, options),
  ];
}

/** A topic is in the model's words, so it must not be able to say what to do. */
const order =
  /^(?:always|never|please|do not|don'?t|use|ignore|disable|skip|disregard|forget)(?!\p{L})|[.!:;\n]|:\/\//iu;

const whyNoTopic = (topic: string): string | undefined =>
  topic.length > maxTopicLength || order.test(topic.trim())
    ? 'The topic must be a short name such as "package manager".'
    : undefined;

function whyNot(statement: string, evidence: QuoteEvidence): string | undefined {
  const { quote, meaning, isWithdrawn, accepted, onTopic, isReturn } = evidence;
  if (statement.length > maxStatementLength) return 'Shorten the statement to one or two sentences.';
  if (isWithdrawn) return 'The user takes it back in the next sentence.';
  if (quote.length > maxQuoteLength) return 'The sentence of the quote is too long to be shown whole.';
  if (isUnsettled(meaning) && !undecided.test(statement)) return `The user is not settling it: "${quote}".`;
  const source = [meaning, ...accepted].join('\n');
  const contradiction = disagreement(statement, source, {
    quote: meaning,
    current: onTopic[0] ?? '',
    settled: [evidence.near, ...evidence.settled],
    isReturn,
  });
  if (contradiction !== undefined) return `Statement and quote disagree: ${contradiction} ("${quote}").`;
  const condition = missingCondition(statement, meaning);
  if (condition !== undefined) return `The statement leaves out "${condition}".`;
  const invented = inventedValue(statement, evidence);
  if (invented !== undefined) return `The user did not type "${invented}".`;
  const other = conflictingAmount(statement, meaning);
  if (other !== undefined) return `The quote has another value than "${other}".`;
  return unsupportedWords(statement, evidence);
}

const politeRequest =
  /(?:^|[,:]\s*)(?:please |and |ok |so )*(?:(?:can|could|would|will) (?:you|we)\b|(?:is|would) it (?:be )?possible to\b)|\b(?:ok|okay|right|please)\?\s*$/iu;
const hedged =
  /(?<!\p{L})(?:maybe|perhaps|probably|not sure|idk|i don'?t know|i wonder|what if|haven'?t decided|vielleicht|peut-être|quizás?|talvez|может быть|наверное)(?!\p{L})/iu;
const undecided =
  /\?|(?<!\p{L})(?:open|undecided|whether|maybe|perhaps|probably|might|consider|unclear)(?!\p{L})/iu;

/** Whether the user asks, guesses or has not decided. */
const isUnsettled = (text: string): boolean =>
  hedged.test(text) || (/[?？]\s*$/.test(text) && !politeRequest.test(text));

const momentary =
  /(?<!\p{L})(?:for now|for the moment|temporarily|this time|just this once|right now|for this (?:pr|commit|branch|session|task))(?!\p{L})/iu;
const conditions =
  /(?<!\p{L})(?:except|unless|only (?:if|when|for|in|on)|apart from|other than|excluding|as long as|provided|until|if(?! (?:possible|necessary|needed|you (?:can|like|want|could)))|but (?:not|never|only)|außer|wenn|sauf|salvo|кроме|если)\s+([^,;.!?]*)/giu;

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
