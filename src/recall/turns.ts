import type { Chunk } from '../domain/chunk.ts';
import type { Question } from './question.ts';
import type { Source } from './rank.ts';
import type { RankingWeights } from './weights.ts';

/**
 * A turn is one piece of work: a request, what was done, and what was said in the end. The words of a question
 * mostly stand in the request, and the answer in the rest. So each part of a turn is given a share of the best
 * of them, by how well its kind answers what was asked.
 */
export function shareWithinTurns(
  question: Question,
  sources: Map<string, Source>,
  /** What related work gives a whole turn, from 0 to 1. */
  related: Map<string, number>,
  weights: RankingWeights,
): void {
  const turns = new Map<string, Source[]>();
  let top = 0;
  for (const source of sources.values()) {
    top = Math.max(top, source.score);
    const turn = workOf(source.best.chunk);
    if (turn === '') continue;
    const known = turns.get(turn);
    if (known === undefined) turns.set(turn, [source]);
    else known.push(source);
  }
  for (const [turn, members] of turns) {
    // A turn of the right session or time in which nothing was found has nothing to share.
    const found = members.filter(({ why }) => why.words !== undefined || why.neighbours !== undefined);
    const best = Math.max(0, ...found.map(({ score }) => score));
    const whole = best + weights.related * top * (related.get(turn) ?? 0);
    for (const member of members) {
      const given = weights.turn * whole * fitOf(question, member);
      if (given > 0) member.why.turn = given;
    }
  }
}

/** A note and a commit are each a piece of work by themselves; what was said outside of any turn is none. */
const workOf = ({ turn, source, sourceId, kind }: Chunk): string =>
  turn !== '' ? turn : source === 'note' || kind === 'commit' ? sourceId : '';

const isSettled = ({ kind }: Chunk): boolean => kind === 'decision' || kind === 'convention';

/** How well something of this kind answers what was asked, from 0 to about 1. */
export function fitOf(
  { seeks }: Question,
  { slices, best: { chunk } }: Pick<Source, 'slices' | 'best'>,
): number {
  const { kind } = chunk;
  if (chunk.source === 'note') return 0.6;
  if (kind === 'answer') return seeks === 'files' ? 0.5 : seeks === 'command' ? 0.7 : 1;
  if (kind === 'command') return seeks !== 'command' ? 0.2 : chunk.text.startsWith('failed') ? 0.2 : 1.2;
  if (kind === 'edit') return seeks === 'files' ? 1.2 : seeks === 'command' ? 0 : 0.2;
  if (kind === 'commit') return seeks === 'files' ? 1.2 : seeks === 'command' ? 0 : 0.4;
  if (seeks !== undefined) return 0;
  if (slices.some((slice) => isSettled(slice.chunk))) return 0.5;
  return /\?\s*$/.test(chunk.text) ? 0 : 0.2;
}
