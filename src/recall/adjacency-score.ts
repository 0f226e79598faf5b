import type { Source } from './rank.ts';
import type { RankingWeights } from './weights.ts';

/** Two sources of one agent session, the one said before the other. */
export interface AdjacentTurns {
  before: string;
  after: string;
  /** What was said between them, if anything; they are then two steps apart. */
  between?: string;
}

/**
 * An answer seldom repeats the words of its question, and what was said just before or after belongs to it. So
 * each source lends a share of its own score to those beside it; what was lent is not lent on.
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
    if (between !== undefined) {
      // Messages of one author in a row belong together. A message of the other side in between separates them.
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
    }
  }
}

const isFromUser = ({ best }: Source): boolean => best.chunk.origin === 'user';

const isQuestion = ({ slices }: Source): boolean =>
  slices.some(({ chunk }) => /\?\s*(?:\n|$)/.test(chunk.text));
