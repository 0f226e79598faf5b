import type { SessionTurns, Turn } from './distiller.ts';
import type { Evidence } from './evidence.ts';
import { type Claim, verifyStatement } from './verify-statement.ts';

/** How the user said a statement. */
export interface Said {
  turn: Turn;
  /** Events of the prompt and, if it accepts something, of the answer before. */
  events: string[];
  /** The statement, or the part of it that the user's words confirm. */
  text: string;
  quote: string;
  isVerified: boolean;
}

export interface Source {
  /** All turns that may be used, in order. */
  session: SessionTurns;
  /** What the user typed in earlier sessions. */
  earlier: string[];
  /** Whether a name exists in the checkout, so that it may be used although the user did not type it. */
  isKnownName(name: string): boolean;
}

/**
 * Finds the quote in the session and checks the statement against it. `onTopic` is what the user settled on the topic
 * before. Undefined if the user did not type the quote.
 */
export function saidByUser(
  claim: Claim,
  { session, earlier, isKnownName }: Source,
  onTopic: string[],
): Said | undefined {
  const evidence = { exchanges: exchangesOf(session), earlier, onTopic, isKnownName };
  const check = verifyStatement(claim, evidence);
  const { quote, statement, isAssent } = check;
  const turn = session.turns[check.exchange];
  if (turn?.prompt === undefined) return undefined;
  const answer = isAssent ? answerBefore(session.turns, check.exchange) : undefined;
  const events = [turn.prompt.event, ...(answer === undefined ? [] : [answer.event])];
  const found = { turn, events, quote, text: statement };
  return { ...found, isVerified: check.isVerified };
}

const exchangesOf = ({ turns }: SessionTurns): Evidence['exchanges'] =>
  turns.map(({ prompt }, at) => ({
    prompt: prompt?.text ?? '',
    before: answerBefore(turns, at)?.text ?? '',
  }));

function answerBefore(turns: Turn[], at: number): { event: string; text: string } | undefined {
  const answer = turns[at - 1]?.acts.findLast((act) => act.kind === 'answer');
  return answer?.kind === 'answer' ? answer : undefined;
}
