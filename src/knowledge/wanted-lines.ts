import {
  closedByUser,
  isConfirmed,
  isEverywhere,
  isExchange,
  isForeign,
  isFromPlan,
  isMutedIn,
  type Note,
  type NoteKind,
  openDisputes,
  shortNoteId,
} from '../domain/note.ts';
import { earlierStatements } from '../memory/notes/closing.ts';
import type { readObserved } from '../memory/prelude/command-lines.ts';
import { mayShowNote } from '../memory/prelude/may-show-note.ts';
import { mayBeShown, topicOf } from '../memory/prelude/prelude-notes.ts';
import { possibleChanges } from '../recall/possible-changes.ts';
import { harmlessLine } from '../text/fence.ts';

export interface WantedLine {
  text: string;
  before?: string[];
}

export interface WantedSection {
  title: string;
  lines: WantedLine[];
}

/** No statement is cut: a cut could lose a condition. */
const maxLength = 2_000;

const titles: Partial<Record<NoteKind, string>> = {
  rule: 'Rules',
  preference: 'Preferences',
  decision: 'Decisions',
  fact: 'Facts',
  fix: 'Facts',
  knowledge: 'Facts',
  failed: 'Failed before',
};
const saidTitle = 'Said, not confirmed';
/** Kinds that are told only if somebody confirmed them. */
const neverSaid: NoteKind[] = ['fix', 'knowledge'];
export const sectionTitles = [...new Set(Object.values(titles)), saidTitle, 'Commands'];

/** Without statements of others: their machines propose them. The notes must have been redacted. */
export function statementSections(notes: Note[], project: string): WantedSection[] {
  const mayEnter = (note: Note): boolean =>
    !isEverywhere(note) &&
    !isMutedIn(note, project) &&
    !isForeign(note) &&
    mayShowNote(note) &&
    note.trust >= 2 &&
    !(isFromPlan(note) && note.confirmedBy !== 'person');
  const current = notes.filter(
    (note) =>
      mayEnter(note) &&
      mayBeShown(note) &&
      titles[note.kind] !== undefined &&
      (isConfirmed(note) || !neverSaid.includes(note.kind)),
  );
  const changes = possibleChanges(notes);
  const closers = new Set(notes.flatMap(({ closedBy = [] }) => closedBy));
  const words = (note: Note): string => wordsOf(note, closers.has(note.id));
  const statements = current.map((note) => {
    const earlier = earlierStatements(note, notes).filter(
      (old) => mayEnter(old) && !old.closedBy?.includes(closedByUser),
    );
    return {
      title: isConfirmed(note) ? titles[note.kind] : saidTitle,
      words: words(note),
      // A statement keeps the place of the one that it replaced.
      since: [note, ...earlier].map(({ validFrom }) => validFrom).sort()[0] ?? '',
      text: currentLine(note, words(note), changes.get(note.id)),
      before: earlier.map((old) => `before ${old.validTo.slice(0, 10)}: ${words(old)} ${mark(old)}`),
    };
  });
  statements.sort((a, b) => (a.since + a.text < b.since + b.text ? -1 : 1));
  // The same words may be two notes: said, and then agreed in the question that replaced an earlier statement.
  const once = [...Map.groupBy(statements, (own) => plain(own.words)).values()].map(
    (same) => same.find(({ before }) => before.length > 0) ?? same[0],
  );
  const byTitle = Map.groupBy(
    once.filter((statement) => statement !== undefined),
    ({ title }) => title,
  );
  return sectionTitles.map((title) => ({ title, lines: byTitle.get(title) ?? [] }));
}

function currentLine(note: Note, words: string, changedBy: Note | undefined): string {
  const day = note.validFrom.slice(0, 10);
  const doubt = changedBy !== undefined ? ` ${mark(changedBy)}` : note.doubtedSince?.slice(0, 10);
  const [dispute] = openDisputes(note);
  const remarks = [
    isConfirmed(note) && !isExchange(note) ? day : `said, ${day}`,
    ...(doubt === undefined ? [] : [`may have changed:${doubt.startsWith(' ') ? '' : ' '}${doubt}`]),
    ...(dispute === undefined ? [] : [`disputed since ${dispute.at.slice(0, 10)}`]),
  ];
  return `${topicOf(note)}${words} (${remarks.join('; ')}) ${mark(note)}`;
}

const mark = ({ id }: Note): string => `[${shortNoteId(id)}]`;

const plain = (words: string): string => words.toLowerCase().replace(/^"|[.!]*"?$/g, '');

/** The question with which an agent asks whether a statement ends. The answer "yes" agrees to its first half. */
const replacing = /^remember: (.+) instead of .+\?$/i;

function wordsOf(note: Note, hasClosed: boolean): string {
  const [, agreed] = isExchange(note) && hasClosed ? (replacing.exec(note.text) ?? []) : [];
  if (agreed !== undefined) return `"${plainLine(agreed)}"`;
  if (isExchange(note)) return `asked "${plainLine(note.text)}", answered "${plainLine(note.quote ?? '')}"`;
  return isConfirmed(note) ? plainLine(note.text) : `"${plainLine(note.text)}"`;
}

/** A statement cannot end Backstory's part of the file. */
const plainLine = (text: string): string =>
  harmlessLine(text, maxLength).replaceAll('<!--', '&lt;!--').replaceAll('-->', '--&gt;');

/** What was observed of the project's commands that are worth knowing. The file does not repeat what a checkout shows anyway. */
export function commandSection(observed: ReturnType<typeof readObserved>): WantedSection {
  const code = (text: string): string => `\`${plainLine(text).replaceAll('`', "'")}\``;
  const worth = observed.filter((one) => one.isWorthKnowing);
  const lines = worth.flatMap(({ run, hasPassed, instead }): WantedLine[] => {
    if (hasPassed) return [{ text: `${code(run)}: seen to pass` }];
    if (instead === undefined) return [];
    return [{ text: `${code(run)}: never seen to pass; ${code(instead)} passed instead` }];
  });
  return { title: 'Commands', lines: lines.sort((a, b) => (a.text < b.text ? -1 : 1)) };
}
