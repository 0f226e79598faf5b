import { askedText } from '../domain/event.ts';
import type { Proposal, SessionTurns } from './distiller.ts';
import { flat } from './find-quote.ts';

/** A longer question or answer cannot be told in whole. */
const maxLength = 400;

/**
 * What the user chose or answered when the agent asked, with the question: proven on both sides, but often for the
 * moment, so it waits for a review.
 */
export const dialogStatements = ({ turns }: SessionTurns): Proposal[] =>
  turns.flatMap(({ id, at, prompt }): Proposal[] => {
    if (prompt?.asked === undefined || prompt.asked.question === '') return [];
    const text = `Chosen: ${flat(prompt.asked.question)} → ${flat(prompt.text)}`;
    if (text.length > maxLength) return [];
    return [
      {
        kind: 'decision',
        text,
        turn: id,
        at,
        evidence: [prompt.event],
        files: [],
        trust: 2,
        isWeak: true,
        quote: prompt.text,
        proposal: askedText(prompt.asked),
      },
    ];
  });
