import { localDay } from '../../base/clock.ts';
import {
  isConfirmed,
  isExchange,
  isFromPlan,
  isFromRepository,
  isFromTeam,
  isWithheld,
  type Note,
  openDisputes,
  shortNoteId,
  teammateOf,
} from '../../domain/note.ts';
import { possibleChanges } from '../../recall/possible-changes.ts';
import { harmlessLine } from '../../text/fence.ts';
import { earlierStatements } from '../notes/closing.ts';
import type { PreludeLine } from './prelude-file.ts';

/**
 * A note is told only from trust 2 on. That something is a rule or a decision is a reading; until somebody confirmed
 * it, the user's words are told with their date, and the agent that reads them judges what they mean.
 */
/** No statement that the user said or confirmed is longer. A cut could lose a condition. */
const maxLineLength = 420;
const maxEarlierLength = 80;
const maxChangeLength = 120;
const maxQuoteLength = 200;
const maxFailed = 3;
const maxOpen = 4;

const ruleKinds: Note['kind'][] = ['rule', 'preference'];
const otherKinds: Note['kind'][] = ['decision', 'fact', 'knowledge', 'fix'];
const saidKinds: Note['kind'][] = [...ruleKinds, 'decision', 'fact', 'open', 'failed'];

export const mayBeShown = (note: Note): boolean =>
  note.state === 'active' && note.trust >= 2 && !isWithheld(note);
export const isRule = ({ kind }: Note): boolean => ruleKinds.includes(kind);

const byPriority = (a: Note, b: Note): number =>
  Number(b.pinned) - Number(a.pinned) || rank(a) - rank(b) || b.updated.localeCompare(a.updated);
const rank = ({ importance }: Note): 0 | 1 | 2 => (importance === 'high' ? 0 : importance === 'low' ? 2 : 1);

const mark = ({ id }: Note): string => `[${shortNoteId(id)}]`;
const day = ({ updated }: Note): string => localDay(updated);

/** What the user said and nobody has confirmed yet. */
export const saidNotes = (notes: Note[]): Note[] =>
  notes
    .filter((note) => mayBeShown(note) && !isConfirmed(note) && saidKinds.includes(note.kind))
    .sort(byPriority);

export const settledNotes = (notes: Note[]): Note[] =>
  notes
    .filter((note) => mayBeShown(note) && isConfirmed(note) && note.kind !== 'open')
    .filter((note) => note.pinned || isRule(note) || otherKinds.includes(note.kind))
    .sort(byPriority);

interface SettledOptions {
  /** Returns a prefix for the text of a note, by its id. */
  before(id: string): string;
  /** Without dates more lines fit, and a line that holds needs none. */
  isDated?: boolean;
  hasEarlier?: boolean;
}

export function settledLines(
  settled: Note[],
  all: Note[],
  { before, isDated = false, hasEarlier = true }: SettledOptions,
): PreludeLine[] {
  const changes = possibleChanges(all);
  const isFirst = ({ text, quote }: Note, at: number): boolean =>
    settled.findIndex((other) => other.text === text && other.quote === quote) === at;
  return settled.filter(isFirst).map((note) =>
    line(sectionOf(note), note, {
      isDated: isDated || !isConfirmed(note),
      about: before(note.id),
      changedBy: changes.get(note.id),
      // What a note of the user replaced may have been wrong from the start, so it is not told.
      earlier: note.trust === 3 || !hasEarlier ? undefined : earlierStatements(note, all)[0],
    }),
  );
}

function sectionOf(note: Note): PreludeLine['section'] {
  if (!isConfirmed(note)) return 'You said';
  return isRule(note) ? 'Rules' : 'Decided';
}

export const failureLines = (notes: Note[], max = maxFailed): PreludeLine[] =>
  notes
    .filter((note) => mayBeShown(note) && isConfirmed(note) && note.kind === 'failed' && !note.pinned)
    .sort(byPriority)
    .slice(0, max)
    .map((note) => line('Failed before', note, {}));

export const openNotes = (notes: Note[]): Note[] =>
  notes
    .filter((note) => mayBeShown(note) && isConfirmed(note) && note.kind === 'open')
    .sort(byPriority)
    .slice(0, maxOpen);

export const openLines = (notes: Note[]): PreludeLine[] =>
  openNotes(notes).map((note) => line('Unfinished', note, {}));

function attributionOf(note: Note): string {
  if (isFromRepository(note)) return 'from the repository: ';
  return isFromTeam(note) ? `${harmlessLine(teammateOf(note), 40)} noted: ` : '';
}

interface LineOptions {
  isDated?: boolean;
  /** What is said about the code to which the note refers. */
  about?: string;
  earlier?: Note | undefined;
  changedBy?: Note | undefined;
}

function line(
  section: PreludeLine['section'],
  note: Note,
  { isDated = true, about = '', earlier, changedBy }: LineOptions,
): PreludeLine {
  const text = [
    `${isDated ? `${day(note)} ` : ''}${about}${topicOf(note)}${wordsOf(note)}`,
    ...(earlier === undefined
      ? []
      : [`(until ${localDay(note.validFrom)}: ${harmlessLine(earlier.text, maxEarlierLength)})`]),
    ...changeMark(note, changedBy),
    ...disputeMark(note),
    mark(note),
  ];
  const leftOut = note.pinned ? 0 : rank(note);
  return {
    section,
    text: text.join(' '),
    reason: `${day(note)}, ${reasonOf(note)}`,
    note: note.id,
    ...(leftOut === 0 ? {} : { leftOut }),
    ...(about === '' ? {} : { code: about.trim() }),
  };
}

/** Has no word of the person who disputes the note: nobody asked for this line, and it is not the user's text. */
function disputeMark(note: Note): string[] {
  const [first] = openDisputes(note);
  return first === undefined ? [] : [`(disputed by a teammate since ${localDay(first.at)})`];
}

/** The sentence that may have changed the statement is told itself, so a part of it is enough here. */
function changeMark({ doubtedSince }: Note, changedBy: Note | undefined): string[] {
  if (changedBy !== undefined)
    return [
      `(may have changed: ${harmlessLine(changedBy.text, maxChangeLength)}, ${day(changedBy)} ${mark(changedBy)})`,
    ];
  return doubtedSince === undefined ? [] : [`(may have changed, ${localDay(doubtedSince)})`];
}

/** The topic, if the sentence does not name its subject itself and the user has typed or confirmed the topic. */
export function topicOf({ topic, isTopicConfirmed, confirmedBy, text }: Note): string {
  if (topic === undefined || (isTopicConfirmed !== true && confirmedBy !== 'person')) return '';
  const said = text.toLowerCase();
  const isNamed = topic
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
  return isNamed ? '' : `${harmlessLine(topic, 60)}: `;
}

function wordsOf(note: Note): string {
  if (isExchange(note))
    return `the agent asked "${harmlessLine(note.text, maxLineLength)}", you answered "${harmlessLine(note.quote ?? '', maxLineLength)}"`;
  if (!isConfirmed(note)) return `"${harmlessLine(note.text, maxLineLength)}"`;
  const plan = isFromPlan(note) && note.confirmedBy !== 'person' ? 'in a plan you accepted: ' : '';
  return `${attributionOf(note)}${plan}${harmlessLine(note.text, maxLineLength)}`;
}

function reasonOf(note: Note): string {
  if (note.pinned) return 'a note you pinned';
  if (isFromRepository(note)) return 'text of the repository that you trusted';
  if (isFromTeam(note)) return "a teammate's note that you approved";
  // The line itself has no room for the quotation: a session needs as many statements as fit.
  if (note.quote !== undefined) return `your words: "${harmlessLine(note.quote, maxQuoteLength)}"`;
  if (note.trust === 3) return 'a note you wrote';
  if (note.confirmedBy === 'model') return 'your words, confirmed by the model that you chose';
  return isConfirmed(note) ? 'a note you approved' : 'a prompt of yours';
}
