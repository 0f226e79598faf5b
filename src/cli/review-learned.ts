import { localDay } from '../base/clock.ts';
import { type Note, shortNoteId } from '../domain/note.ts';
import { harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import type { App } from './command.ts';

/** What was learned from past sessions and waits, by run. What a model doubts is decided one by one. */
export const learnedByRun = (candidates: Note[]): Map<string, Note[]> =>
  Map.groupBy(
    candidates.filter(({ learnedIn, state, verdict }) => learnedIn && state === 'candidate' && !verdict),
    ({ learnedIn = '' }) => learnedIn,
  );

export const learnedTitle = (run: string, notes: Note[]): string =>
  `Learned from past sessions, run ${run}: ${plural(notes.length, 'statement')}`;

const maxLength = 1_000;

/** Returns the notes that are still to be asked about one by one; undefined if the person quits. */
export async function reviewLearned(
  app: App,
  candidates: Note[],
  accept: (note: Note) => Promise<void>,
  detailsOf: (note: Note) => Promise<string>,
): Promise<Note[] | undefined> {
  const decided = new Set<Note>();
  for (const [run, notes] of learnedByRun(candidates)) {
    const lines: string[] = [];
    for (const note of notes) {
      const { id, validFrom, kind, topic = '', text, quote } = note;
      const said =
        quote === undefined ? '' : `\n  ${app.style.dim(`you said: ${harmlessLine(quote, maxLength)}`)}`;
      lines.push(
        `${app.style.bold(shortNoteId(id))} ${app.style.dim(`${localDay(validFrom)} ${kind}${topic === '' ? '' : `, ${harmlessLine(topic, 60)}`}`)} ${harmlessLine(text, maxLength)}${said}${await detailsOf(note)}`,
      );
    }
    const key = await app.key(
      `\n${learnedTitle(run, notes)}\n\n${lines.join('\n')}\n\n[a]ccept all, [o]ne by one, [s]kip, [q]uit `,
      'aosq',
    );
    if (key === 'q') return undefined;
    if (key === 'a') for (const note of notes) await accept(note);
    if (key !== 'o') for (const note of notes) decided.add(note);
  }
  return candidates.filter((note) => !decided.has(note));
}
