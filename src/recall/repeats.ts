import { type Chunk, isSetAside } from '../domain/chunk.ts';
import type { Ranked } from './rank.ts';

/**
 * The same words are one hit, however often and in whatever form they were kept: a prompt that was sent twice, or a
 * prompt and the note that was drawn from it. The note speaks for both, because it knows whether they still hold.
 */
export function withoutRepeats(ranked: Ranked[]): Ranked[] {
  const speakers = new Map(
    [...Map.groupBy(ranked, ({ chunk }) => saidIn(chunk))].map(([said, group]) => [said, speakerOf(group)]),
  );
  return ranked.flatMap((one) => {
    const said = saidIn(one.chunk);
    const speaker = speakers.get(said);
    // What still holds stands where the best of them would; what was set aside, no higher than it comes by itself.
    if (speaker === undefined || (isSetAside(speaker.chunk) && speaker !== one)) return [];
    speakers.delete(said);
    return [{ ...speaker, score: one.score }];
  });
}

/** A note of the user's own words may add below them what they were said about. */
function saidIn({ source, trust, text }: Chunk): string {
  const whole = text.trim();
  return source === 'note' && trust >= 2 ? (whole.split('\n', 1)[0] as string).trimEnd() : whole;
}

function speakerOf(group: Ranked[]): Ranked {
  const live = group.filter(({ chunk }) => !isSetAside(chunk));
  const note = live.find(({ chunk }) => chunk.source === 'note' && chunk.trust >= 2);
  if (note !== undefined) return note;
  const aside = group.filter(({ chunk }) => isSetAside(chunk));
  const setAsideAt = Math.max(...aside.map(({ chunk }) => chunk.at));
  // Said again since: not yet a note, and true nevertheless.
  return live.find(({ chunk }) => chunk.at > setAsideAt) ?? (aside[0] as Ranked);
}
