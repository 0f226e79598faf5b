import type { Note } from '../../src/domain/note.ts';
import { needsReview } from '../../src/memory/notes/review.ts';
import { recall } from '../../src/recall/recall.ts';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import type { PlayedProject } from './play.ts';
import { holdsWords, type ScriptedSession, type Words } from './script.ts';

/** The result of one session: counts for the figures, and messages for improving the extraction. */
export interface Judged {
  session: ScriptedSession;
  kept: number;
  /** Expected facts that were kept as a note of the right kind. */
  rightKind: number;
  notes: number;
  junk: number;
  /**
   * Number of summaries among `notes`; `junkSummaries` counts those among `junk`. They are counted separately, because
   * a summary contains hardly anything that could be junk.
   */
  summaries: number;
  junkSummaries: number;
  /** Notes that need review. */
  waiting: number;
  answered: number;
  told: number;
  /**
   * Number of questions that a prelude still answers after the project's last session, with other sessions in between.
   */
  toldLater: number;
  complaints: string[];
}

export const wordsOfNote = ({ title, text, files }: Note): string => `${title}\n${text}\n${files.join('\n')}`;

/** A note is junk if it contains nothing worth keeping, or something that must not be in any note. */
export function judgeNotes(
  session: ScriptedSession,
  notes: Note[],
): Omit<Judged, 'session' | 'answered' | 'told' | 'toldLater'> {
  const complaints: string[] = [];
  let rightKind = 0;
  const kept = session.keep.filter(({ kinds, words }) => {
    const holders = notes.filter((note) => holdsWords(wordsOfNote(note), words));
    // A summary mentions a little of everything, so it counts only for facts for which a summary is an allowed kind.
    const fitting = holders.filter(({ kind }) => kind !== 'summary' || kinds.includes('summary'));
    if (fitting.some(({ kind }) => kinds.includes(kind))) rightKind += 1;
    if (fitting.length === 0) complaints.push(`lost ${kinds.join('/')}: ${show(words)}`);
    return fitting.length > 0;
  });
  const isWanted = (note: Note) =>
    [...session.keep.map(({ words }) => words), ...session.fine].some((words) =>
      holdsWords(wordsOfNote(note), words),
    );
  const junk = notes.filter((note) => {
    const isForbidden = session.junk.some((words) => holdsWords(wordsOfNote(note), words));
    const isJunk = isForbidden || (note.kind !== 'summary' && !isWanted(note));
    if (isJunk) complaints.push(`junk ${note.kind}: ${note.text.slice(0, 160).replaceAll('\n', ' ⏎ ')}`);
    return isJunk;
  });
  return {
    kept: kept.length,
    rightKind,
    notes: notes.length,
    junk: junk.length,
    summaries: summariesIn(notes),
    junkSummaries: summariesIn(junk),
    waiting: notes.filter(needsReview).length,
    complaints,
  };
}

const summariesIn = (notes: Note[]): number => notes.filter(({ kind }) => kind === 'summary').length;

export function judgePrelude(session: ScriptedSession, prelude: string): Pick<Judged, 'told' | 'complaints'> {
  const complaints: string[] = [];
  const lines = prelude.split('\n');
  const answered = session.next.filter(({ question, words }) => {
    const isTold = lines.some((line) => holdsWords(line, words));
    if (!isTold) complaints.push(`not told: ${question} => ${show(words)}`);
    return isTold;
  });
  return { told: answered.length, complaints };
}

const topHits = 3;

export async function judgeRecall(
  session: ScriptedSession,
  { parts }: PlayedProject,
): Promise<Pick<Judged, 'answered' | 'complaints'>> {
  const complaints: string[] = [];
  let answered = 0;
  for (const { question, words } of session.ask) {
    const { hits } = await recall(parts, { text: question, limit: topHits }, thoroughLimits);
    const isAnswered = hits.some(({ chunk }) =>
      holdsWords(`${chunk.text}\n${chunk.paths.join('\n')}`, words),
    );
    if (isAnswered) answered += 1;
    else
      complaints.push(
        `not answered: ${question} => ${show(words)}; but ${hits.map(({ preview }) => preview.slice(0, 60)).join(' / ')}`,
      );
  }
  return { answered, complaints };
}

const show = (words: Words): string => words.map((alternatives) => alternatives.join('|')).join(' & ');
