import type { Chunk, ChunkKind } from '../domain/chunk.ts';
import type { Question } from './question.ts';
import type { Source } from './rank.ts';
import type { RankingWeights } from './weights.ts';

/**
 * A turn is one piece of work: a request, actions and a final answer. The words of a question mostly occur in the
 * request, and its answer in the rest. So each part of a turn receives a share of the best part's score, by how well
 * its kind answers the question.
 */
export function shareWithinTurns(
  question: Question,
  sources: Map<string, Source>,
  /** Strength of the relation of each turn to the best hits, from 0 to 1. */
  related: Map<string, number>,
  /** The turn in which a commit was made, by source id of the commit. */
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
    // Only matches by words or by a neighbouring message are shared within a turn, not those by session or date alone.
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

/**
 * The id of the piece of work to which a source belongs: its turn. A note or commit outside a turn is a piece of work
 * by itself; other sources outside a turn belong to none ('').
 */
function workOf(source: Source, madeIn: Map<string, string>): string {
  const { turn, source: kept, sourceId } = source.best.chunk;
  if (turn !== '') return turn;
  return madeIn.get(sourceId) ?? (kept === 'note' || kindOf(source) === 'commit' ? sourceId : '');
}

const isExcerpt = ({ kind }: Chunk): boolean => kind === 'decision' || kind === 'convention';

/** The kind of the whole source, even if its best chunk is an extracted sentence. */
const kindOf = ({ slices, best }: Pick<Source, 'slices' | 'best'>): ChunkKind =>
  (slices.find(({ chunk }) => !isExcerpt(chunk)) ?? best).chunk.kind;

const isWork = (source: Source): boolean => ['edit', 'commit'].includes(kindOf(source));

/** How well each part of a turn answers each kind of question. */
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

/** How well a source of this kind answers the question, from 0 to about 1. */
export function fitOf({ seeks }: Question, source: Pick<Source, 'slices' | 'best'>): number {
  const { chunk } = source.best;
  if (chunk.source === 'note') return noteFit;
  const kind = kindOf(source);
  // A failed command is not an answer to "which command".
  if (chunk.isFailed === true) return fits.command.anything;
  if (kind === 'answer' || kind === 'commit' || kind === 'edit' || kind === 'command')
    return fits[kind][seeks ?? 'anything'];
  if (seeks === 'wish') return wishFit;
  if (seeks !== undefined) return 0;
  if (source.slices.some((slice) => isExcerpt(slice.chunk))) return settledFit;
  return /\?\s*$/.test(chunk.text) ? 0 : promptFit;
}
