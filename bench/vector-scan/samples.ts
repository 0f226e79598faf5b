import type { Random } from '../../test/harness/random.ts';
import { words } from './words.ts';

/** Texts on many subjects, most of which have near neighbours, like the turns of one project. */
export function sampleTexts(count: number, random: Random): string[] {
  const subjects = 500;
  const perSubject = 12;
  return Array.from({ length: count }, () => {
    const subject = random.whole(0, subjects - 1);
    const about = Array.from(
      { length: random.whole(6, 20) },
      () => words[(subject * 7 + random.whole(0, perSubject)) % words.length],
    );
    const aside = Array.from({ length: random.whole(2, 10) }, () => random.pick(words));
    return [...about, ...aside].join(' ');
  });
}

/** Row numbers start at 1, as in the index. */
export function exactBest(vectors: Float32Array[], query: Float32Array, count: number): Set<number> {
  const scored = vectors.map((vector, at) => {
    let score = 0;
    for (let number = 0; number < query.length; number++)
      score += (vector[number] as number) * (query[number] as number);
    return { row: at + 1, score };
  });
  scored.sort((a, b) => b.score - a.score);
  return new Set(scored.slice(0, count).map(({ row }) => row));
}
