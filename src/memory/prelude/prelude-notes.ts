import { openEnd } from '../../distil/distiller.ts';
import { shorterStatements } from '../../distil/shorter-statements.ts';
import {
  isForeign,
  isFromRepository,
  isFromTeam,
  isWithheld,
  type Note,
  openDisputes,
  shortNoteId,
  teammateOf,
} from '../../domain/note.ts';
import { harmlessLine } from '../../text/fence.ts';
import { askedMark, parseNoteText, topicMark } from '../../text/note-text.ts';
import { commandsConcept, isKnowledgeEntry } from '../capture/repository-notes.ts';
import { distilAuthor } from '../notes/distil-mark.ts';
import { earlierStatements } from '../notes/topic.ts';
import type { PreludeLine } from './prelude-file.ts';

/**
 * The lines of a prelude, the text that a new session receives, that come from notes. A note is told only from trust 2
 * on: the user wrote it, approved it, or said it.
 */
const maxLineLength = 300;
/** The first notes get long lines, the others short ones, so that more of them fit. */
const longLines = 8;
const maxShortLineLength = 170;
/** A longer statement that a model wrote is told without its reasons and remarks. */
const wantedLength = 120;
const maxEarlierLength = 80;
/** Length of the quotation that `prelude --why` shows. */
const maxQuoteLength = 200;
const maxFailed = 3;
const maxOpen = 4;

const ruleKinds: Note['kind'][] = ['convention', 'preference'];
const otherKinds: Note['kind'][] = ['decision', 'fact', 'gotcha', 'knowledge', 'fix', 'discovery'];

const promptReason = 'a prompt of yours';

const mayBeShown = (note: Note): boolean => note.state === 'active' && note.trust >= 2 && !isWithheld(note);
export const isRule = ({ kind }: Note): boolean => ruleKinds.includes(kind);
export const isOpen = ({ kind, concepts }: Note): boolean => kind === 'open' || concepts.includes(openEnd);

/** Pinned notes first, then the more important, then the newest. */
const byPriority = (a: Note, b: Note): number =>
  Number(b.pinned) - Number(a.pinned) ||
  rank(a) - rank(b) ||
  (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0);
const rank = ({ importance }: Note): number => ({ high: 0, normal: 1, low: 2 })[importance ?? 'normal'];

const mark = ({ id }: Note): string => `[${shortNoteId(id)}]`;
const day = ({ updated }: Note): string => updated.slice(0, 10);

export const settledNotes = (notes: Note[]): Note[] =>
  notes
    .filter((note) => mayBeShown(note) && !isOpen(note))
    .filter((note) => note.pinned || isRule(note) || otherKinds.includes(note.kind))
    .filter((note) => note.pinned || !isKnowledgeEntry(note) || note.concepts.includes(commandsConcept))
    .sort(byPriority);

interface SettledOptions {
  /** Returns a prefix for the text of a note, by its id. */
  before(id: string): string;
  /** Without dates more lines fit, and a line that holds needs none. */
  isDated?: boolean;
  /** Whether to tell what the statement replaced. */
  hasEarlier?: boolean;
}

export const settledLines = (
  settled: Note[],
  all: Note[],
  { before, isDated = false, hasEarlier = true }: SettledOptions,
): PreludeLine[] =>
  settled.map((note, at) =>
    line(isRule(note) ? 'Rules' : 'Decided', note, {
      isDated,
      length: at < longLines ? maxLineLength : maxShortLineLength,
      about: before(note.id),
      // What a note of the user replaced may have been wrong from the start, so it is not told.
      earlier: note.trust === 3 || !hasEarlier ? undefined : earlierStatements(note, all)[0],
    }),
  );

/** Approaches that the user said had failed. */
export const failureLines = (notes: Note[], max = maxFailed): PreludeLine[] =>
  notes
    .filter((note) => mayBeShown(note) && note.kind === 'failed-path' && !note.pinned)
    .sort(byPriority)
    .slice(0, max)
    .map((note) => line('Failed before', note, { length: 200 }));

export const openLines = (notes: Note[]): PreludeLine[] =>
  notes
    .filter((note) => mayBeShown(note) && isOpen(note))
    .sort(byPriority)
    .slice(0, maxOpen)
    .map((note) => line('Unfinished', note, { length: 240 }));

function attributionOf(note: Note): string {
  if (isFromRepository(note)) return 'from the repository: ';
  return isFromTeam(note) ? `${harmlessLine(teammateOf(note), 40)} noted: ` : '';
}

interface LineOptions {
  length: number;
  isDated?: boolean;
  /** What is said about the code to which the note refers. */
  about?: string;
  /** The statement that the note replaced. */
  earlier?: Note | undefined;
}

function line(
  section: PreludeLine['section'],
  note: Note,
  { length, isDated = true, about = '', earlier }: LineOptions,
): PreludeLine {
  const text = [
    `${isDated ? `${day(note)} ` : ''}${about}${wordsOf(note, length)}`,
    ...(earlier === undefined
      ? []
      : [
          `(until ${note.validFrom.slice(0, 10)}: ${harmlessLine(textInOneLine(earlier), maxEarlierLength)})`,
        ]),
    ...disputeMark(note),
    mark(note),
  ];
  return { section, text: text.join(' '), reason: `${day(note)}, ${reasonOf(note)}`, note: note.id };
}

/** Has no word of the person who disputes the note: nobody asked for this line, and it is not the user's text. */
function disputeMark(note: Note): string[] {
  const [first] = openDisputes(note);
  return first === undefined ? [] : [`(disputed by a teammate since ${first.at.slice(0, 10)})`];
}

const isFromPrompt = (note: Note): boolean =>
  note.author === distilAuthor && note.trust === 2 && note.quote === undefined && !isForeign(note);

function wordsOf(note: Note, length: number): string {
  if (isFromPrompt(note)) return `you said: ${harmlessLine(textInOneLine(note), length)}`;
  return `${attributionOf(note)}${harmlessLine(note.trust === 2 ? withoutDetails(note.text) : note.text, length)}`;
}

function withoutDetails(text: string): string {
  if (text.length <= wantedLength) return text;
  const shorter = shorterStatements(text, { mayDropContrast: false });
  return shorter.find((one) => one.length <= wantedLength) ?? shorter.at(-1) ?? text;
}

function reasonOf(note: Note): string {
  if (note.pinned) return 'a note you pinned';
  if (isFromPrompt(note)) return promptReason;
  if (isFromRepository(note)) return 'text of the repository that you trusted';
  if (isFromTeam(note)) return "a teammate's note that you approved";
  // The line itself has no room for the quotation: a session needs as many statements as fit.
  if (note.quote !== undefined) return `your words: "${harmlessLine(note.quote, maxQuoteLength)}"`;
  return note.trust === 3 ? 'a note you wrote' : 'a note you approved';
}

/** The statement of a note, followed by its question or topic in parentheses. */
function textInOneLine({ text }: Note): string {
  const { statement, context } = parseNoteText(text);
  const [first] = context;
  return first === undefined
    ? statement.join(' ')
    : `${statement.join(' ')} (${first.replace(askedMark, 'asked: ').replace(topicMark, 'on: ')})`;
}
