import type { Source } from './rank.ts';
import type { RankingWeights } from './weights.ts';

/** Two neighbouring messages of one agent session, in the order of the conversation, by the ids of their events. */
export interface AdjacentTurns {
  before: string;
  after: string;
  /** The message between them, if they are two steps apart. */
  between?: string;
}

/**
 * An answer seldom repeats the words of its question, so a message next to a match may be relevant without matching.
 * Each source (an event or note) adds a share of its own score to its neighbours. Shares are computed from the
 * original scores, so they do not spread to the neighbours of neighbours. Two messages of an agent share nothing: while it
 * works it writes many about the same thing, and together they would displace the one that answers.
 */
export function scoreAdjacentTurns(
  sources: Map<string, Source>,
  neighbours: AdjacentTurns[],
  weights: RankingWeights,
): void {
  const own = new Map([...sources.values()].map(({ id, score }) => [id, score]));
  const lend = (from: Source, to: Source, share: number) => {
    const lent = share * (own.get(from.id) ?? 0);
    if (lent === 0) return;
    to.score += lent;
    to.why.neighbours = (to.why.neighbours ?? 0) + lent;
  };
  for (const { before, after, between } of neighbours) {
    const [first, second] = [sources.get(before), sources.get(after)];
    if (first === undefined || second === undefined) continue;
    const [firstIsUser, secondIsUser] = [isFromUser(first), isFromUser(second)];
    if (!firstIsUser && !secondIsUser) continue;
    if (between !== undefined) {
      // Two messages of the same author with none of the other side in between belong together.
      const middle = sources.get(between);
      const isOneAuthor =
        middle !== undefined && isFromUser(middle) === firstIsUser && firstIsUser === secondIsUser;
      if (!isOneAuthor) continue;
      lend(first, second, weights.nextButOne);
      lend(second, first, weights.previousButOne);
    } else if (firstIsUser === secondIsUser) {
      lend(first, second, weights.next + (isQuestion(first) ? weights.afterQuestion : 0));
      lend(second, first, weights.previous);
    } else if (firstIsUser) {
      lend(first, second, weights.promptToAnswer);
      lend(second, first, weights.answerToPrompt);
    } else {
      lend(first, second, weights.answerToNextPrompt);
    }
  }
}

const isFromUser = ({ best }: Source): boolean => best.chunk.origin === 'user';

const isQuestion = ({ slices }: Source): boolean =>
  slices.some(({ chunk }) => /\?\s*(?:\n|$)/.test(chunk.text));
