import type { Random } from '../../test/harness/random.ts';
import { words } from './words.ts';

/** Number of memories per project: a few large ones, many small ones. */
export function projectSizes(memories: number, projects: number): number[] {
  const weights = Array.from({ length: projects }, (_, at) => 1 / (at + 1) ** 0.8);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => Math.max(12, Math.round((memories * weight) / sum)));
}

const subjects = 400;
const perSubject = 30;

/** A word by Zipf-like frequency: earlier words are more common. */
const common = (random: Random): string => words[Math.floor(words.length ** random.next()) - 1] as string;

const ofSubject = (subject: number, random: Random): string =>
  words[(subject * 37 + random.whole(0, perSubject)) % words.length] as string;

/** A memory about one of the subjects of its project. */
export function memoryText(project: number, random: Random): string {
  const subject = (project * 7 + Math.floor(12 * random.next() ** 2)) % subjects;
  const length = random.whole(25, 110);
  const chosenWords = Array.from({ length }, () =>
    random.chance(0.45) ? ofSubject(subject, random) : common(random),
  );
  const file = random.chance(0.3)
    ? ` in src/${ofSubject(subject, random)}/${ofSubject(subject, random)}.ts`
    : '';
  return `${chosenWords.join(' ')}${file}.`;
}

/** Returns a question that one of the memories answers: some of its words in order, and a few others. */
export function questionOf(text: string, random: Random): string {
  const all = text.replace(/ in src.*$|\.$/g, '').split(' ');
  const start = random.whole(0, Math.max(0, all.length - 12));
  const kept = all.slice(start, start + 12).filter(() => random.chance(0.5));
  return [...kept, common(random)].join(' ');
}
