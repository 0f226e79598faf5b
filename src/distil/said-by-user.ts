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
export function saidByUser(statement: string, quote: string, sources: Source): Said | undefined {
  return assented(statement, quote, sources) ?? typed(statement, quote, sources);
}

const promptsOf = ({ turns }: SessionTurns): string[] => turns.map(({ prompt }) => prompt?.text ?? '');

/** Minimum number of content words of a quotation that is understood without the statement. */
const minQuotationTerms = 5;

function typed(statement: string, quote: string, { session, isKnownName }: Source): Said | undefined {
  const prompts = promptsOf(session);
  const check = verifyStatement({ statement, quote }, prompts, isKnownName);
  const turn = session.turns[check.prompt];
  if (turn?.prompt === undefined) return undefined;
  const found = { turn, events: [turn.prompt.event], quote: check.quote };
  if (check.isVerified) return { ...found, text: statement, isVerified: true };
  if (isClearQuotation(check.quote, statement, prompts))
    return { ...found, text: check.quote, quote: '', isVerified: true };
  return { ...found, text: statement, isVerified: false };
}

/** Minimum number of content words that a quotation shares with the statement of the model. */
const minSharedTerms = 2;
const request = /[?？]|^(?:please |and |ok |so )*(?:can|could|would|will|should|shall) (?:you|we|i)\b/iu;

/**
 * Whether the user's own sentence can be the statement if the wording of the model cannot. A question or a request is
 * not a statement. If the two contradict each other, the model may know a later sentence, so neither is told.
 */
function isClearQuotation(quote: string, statement: string, prompts: string[]): boolean {
  const terms = new Set(contentTerms(quote));
  const shared = new Set(contentTerms(statement).filter((term) => terms.has(term)));
  if (quote.length > maxQuotationLength || terms.size < minQuotationTerms || shared.size < minSharedTerms)
    return false;
  if (request.test(quote) || isUnsettled(quote) || disagreement(statement, quote) !== undefined) return false;
  return verifyStatement({ statement: quote, quote }, prompts, () => false).isVerified;
}

/** The user agreed to something that the agent's answer before names. */
function assented(statement: string, quote: string, source: Source): Said | undefined {
  const wanted = comparable(quote);
  if (wanted === '') return undefined;
  const { turns } = source.session;
  for (let at = turns.length - 1; at > 0; at--) {
    const [before, turn] = [turns[at - 1], turns[at]];
    const reply = comparable(ownWords(turn?.prompt?.text ?? '').words);
    if (reply !== wanted && !reply.startsWith(`${wanted} `)) continue;
    const said = before && turn && agreedIn(statement, before, turn, source);
    if (said !== undefined) return said;
  }
  return undefined;
}

function agreedIn(
  statement: string,
  before: Turn,
  turn: Turn,
  { session, isKnownName }: Source,
): Said | undefined {
  const answer = before.acts.findLast((act) => act.kind === 'answer');
  if (turn.prompt === undefined || answer?.kind !== 'answer') return undefined;
  const prompts = promptsOf(session);
  const isAgreed = assentedPassages(turn.prompt.text, answer.text).some((passage, _, [question = '']) => {
    // The user agreed to the question, so compare the statement with it as an assertion.
    const [agreed, asked] = [passage, question].map((text) =>
      text.replace(/[*_]{2,}/g, '').replace(/[?？]/g, '.'),
    );
    const check = verifyStatement(
      { statement, quote: agreed ?? '' },
      [...prompts, `${agreed}\n${asked}`],
      isKnownName,
    );
    return check.isVerified;
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

const comparable = (value: string): string => (value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
