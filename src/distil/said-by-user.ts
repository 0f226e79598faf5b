import { assentedPassages } from './assent.ts';
import type { SessionTurns, Turn } from './distiller.ts';
import { ownWords } from './own-words.ts';
import { contentTerms, disagreement } from './polarity.ts';
import { isUnsettled, verifyStatement } from './verify-statement.ts';

/** How the user said a statement. */
export interface Said {
  turn: Turn;
  /** Events of the prompt and, if it is a reply, of the answer before. */
  events: string[];
  /** The text of the note: the statement, or the user's own words. */
  text: string;
  quote: string;
  isVerified: boolean;
}

/** What a model says that the user said. */
export interface Claim {
  topic: string;
  statement: string;
  quote: string;
}

export interface Source {
  /** All turns that may be used, in order. */
  session: SessionTurns;
  /** Whether a name exists in the checkout, so that it may be used although the user did not type it. */
  isKnownName(name: string): boolean;
}

const maxQuoteLength = 600;
/** A user's sentence that is longer than this is not shown as a statement. */
const maxQuotationLength = 400;

/** Finds the quote in the session and checks the statement against it. Undefined if the user did not type the quote. */
export function saidByUser(claim: Claim, source: Source): Said | undefined {
  return assented(claim, source) ?? typed(claim, source);
}

const promptsOf = ({ turns }: SessionTurns): string[] => turns.map(({ prompt }) => prompt?.text ?? '');

/** Minimum number of content words of a quotation that is understood without the statement. */
const minQuotationTerms = 5;

function typed({ statement, quote, topic }: Claim, { session, isKnownName }: Source): Said | undefined {
  const prompts = promptsOf(session);
  const check = verifyStatement({ statement, quote, topic }, prompts, isKnownName);
  const turn = session.turns[check.prompt];
  if (turn?.prompt === undefined) return undefined;
  const found = { turn, events: [turn.prompt.event], quote: check.quote };
  if (check.isVerified) return { ...found, text: statement, isVerified: true };
  if (isClearQuotation(check.quote, { statement, topic }, prompts))
    return { ...found, text: check.quote, quote: '', isVerified: true };
  return { ...found, text: statement, isVerified: false };
}

/** Minimum number of content words that a quotation shares with the statement of the model. */
const minSharedTerms = 2;
/** Words that point at something outside of the sentence. */
const pointing = /(?<!\p{L})(?:this|that'?s?|these|those|following|above|below|here|it)(?!\p{L})/iu;
const request = /[?？]|^(?:please |and |ok |so )*(?:can|could|would|will|should|shall) (?:you|we|i)\b/iu;

/**
 * Whether the user's own sentence can be the statement if the wording of the model cannot. A question or a request is
 * not a statement. If the two contradict each other, the model may know a later sentence, so neither is told.
 */
function isClearQuotation(
  quote: string,
  { statement, topic }: Omit<Claim, 'quote'>,
  prompts: string[],
): boolean {
  const terms = new Set(contentTerms(quote));
  const shared = new Set(contentTerms(statement).filter((term) => terms.has(term)));
  if (quote.length > maxQuotationLength || terms.size < minQuotationTerms || shared.size < minSharedTerms)
    return false;
  if (
    request.test(quote) ||
    pointing.test(quote) ||
    isUnsettled(quote) ||
    disagreement(statement, quote) !== undefined
  )
    return false;
  return verifyStatement({ statement: quote, quote, topic }, prompts, () => false).isVerified;
}

/** The user agreed to something that the agent's answer before names. */
function assented(claim: Claim, source: Source): Said | undefined {
  const wanted = comparable(claim.quote);
  if (wanted === '') return undefined;
  const { turns } = source.session;
  for (let at = turns.length - 1; at > 0; at--) {
    const [before, turn] = [turns[at - 1], turns[at]];
    const reply = comparable(ownWords(turn?.prompt?.text ?? '').words);
    if (reply !== wanted && !reply.startsWith(`${wanted} `)) continue;
    const said = before && turn && agreedIn(claim, before, turn, source);
    if (said !== undefined) return said;
  }
  return undefined;
}

function agreedIn(
  { statement, topic }: Claim,
  before: Turn,
  turn: Turn,
  { session, isKnownName }: Source,
): Said | undefined {
  const answer = before.acts.findLast((act) => act.kind === 'answer');
  if (turn.prompt === undefined || answer?.kind !== 'answer') return undefined;
  // The user agreed to what the answer asks, so compare the statement with it as an assertion.
  const passages = assentedPassages(turn.prompt.text, answer.text).map(asAssertion);
  const exchange = [asAssertion(before.prompt?.text ?? ''), turn.prompt.text, ...passages];
  const isAgreed = passages.some((agreed) => {
    const said = [agreed, 'Agreed.', ...exchange].join('\n').slice(0, maxExchangeLength);
    return verifyStatement({ statement, quote: agreed, topic }, [...promptsOf(session), said], isKnownName)
      .isVerified;
  });
  if (!isAgreed) return undefined;
  const said = ownWords(turn.prompt.text).words.replace(/\s+/g, ' ').trim();
  return {
    turn,
    events: [turn.prompt.event, answer.event],
    text: statement,
    quote: said.slice(0, maxQuoteLength).toWellFormed(),
    isVerified: true,
  };
}

/** Longer prompts count as pasted, see `ownWords`. */
const maxExchangeLength = 1_400;

const asAssertion = (text: string): string => text.replace(/[*_]{2,}/g, '').replace(/[?？]/g, '.');

const comparable = (value: string): string => (value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
