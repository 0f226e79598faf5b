import type { Chunk, ChunkKind } from '../domain/chunk.ts';
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
  /** The turn a commit was made in, by its source. */
  madeIn: Map<string, string>,
  weights: RankingWeights,
): void {
  const turns = new Map<string, Source[]>();
  let top = 0;
  for (const source of sources.values()) {
    top = Math.max(top, source.score);
    const turn = workOf(source, madeIn);
    if (turn === '') continue;
    const known = turns.get(turn);
    if (known === undefined) turns.set(turn, [source]);
    else known.push(source);
  }
  for (const [turn, members] of turns) {
    // A turn of the right session or time in which nothing was found has nothing to share.
    const found = members.filter(({ why }) => why.words !== undefined || why.neighbours !== undefined);
    const best = Math.max(0, ...found.map(({ score }) => score));
    const worked = members.some(isWork) ? (question.isOfDeed ? weights.deed : weights.worked) : 0;
    const whole = (1 + worked) * best + weights.related * top * (related.get(turn) ?? 0);
    for (const member of members) {
      const given = weights.turn * whole * fitOf(question, member);
      if (given > 0) member.why.turn = given;
    }
  }
}

/** A note and a commit are each a piece of work by themselves; what was said outside of any turn is none. */
function workOf(source: Source, madeIn: Map<string, string>): string {
  const { turn, source: kept, sourceId } = source.best.chunk;
  if (turn !== '') return turn;
  return madeIn.get(sourceId) ?? (kept === 'note' || kindOf(source) === 'commit' ? sourceId : '');
}

const isExcerpt = ({ kind }: Chunk): boolean => kind === 'decision' || kind === 'convention';

/** What a source is as a whole, even where a sentence cut out of it stands for it. */
const kindOf = ({ slices, best }: Pick<Source, 'slices' | 'best'>): ChunkKind =>
  (slices.find(({ chunk }) => !isExcerpt(chunk)) ?? best).chunk.kind;

const isWork = (source: Source): boolean => ['edit', 'commit'].includes(kindOf(source));

/** What of a turn answers which kind of question, by what is sought. */
const fits: Record<
  'answer' | 'commit' | 'edit' | 'command',
  Record<'anything' | 'files' | 'command' | 'wish', number>
> = {
  answer: { anything: 1, files: 0.8, command: 0.7, wish: 0.4 },
  commit: { anything: 0.4, files: 1.2, command: 0, wish: 0.2 },
  edit: { anything: 0.2, files: 0.75, command: 0, wish: 0 },
  command: { anything: 0.2, files: 0.2, command: 0.75, wish: 0 },
};
const noteFit = 1.4;
const settledFit = 0.8;
const promptFit = 0.3;
const wishFit = 1;

/** How well something of this kind answers what was asked, from 0 to about 1. */
export function fitOf({ seeks }: Question, source: Pick<Source, 'slices' | 'best'>): number {
  const { chunk } = source.best;
  if (chunk.source === 'note') return noteFit;
  const kind = kindOf(source);
  // What failed is no command to run again.
  if (chunk.isFailed === true) return fits.command.anything;
  if (kind === 'answer' || kind === 'commit' || kind === 'edit' || kind === 'command')
    return fits[kind][seeks ?? 'anything'];
  if (seeks === 'wish') return wishFit;
  if (seeks !== undefined) return 0;
  if (source.slices.some((slice) => isExcerpt(slice.chunk))) return settledFit;
  return /\?\s*$/.test(chunk.text) ? 0 : promptFit;
}
