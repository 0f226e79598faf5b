import { cureConcept, openEnd } from '../../distil/distiller.ts';
import {
  isForeign,
  isFromRepository,
  isFromTeam,
  type Note,
  shortNoteId,
  teammateOf,
} from '../../domain/note.ts';
import { harmlessLine } from '../../text/fence.ts';
import { askedMark, parseNoteText, topicMark } from '../../text/note-text.ts';
import { safeName } from '../../text/safe-name.ts';
import { commandsConcept, isKnowledgeEntry } from '../capture/repository-notes.ts';
import { distilAuthor } from '../notes/distil-mark.ts';
import { isOwnTheme, namesIn } from '../notes/theme-note.ts';
import type { PreludeLine } from './prelude-file.ts';
import { bareCommand } from './short-command.ts';

/**
 * The lines that notes give to a prelude. A note is told in its own words only from trust 2 on: the user wrote
 * it, approved it, or said it in a prompt. Of a fix, which holds the agent's words and a program's, only what we
 * saw is told: which command failed, and which files were changed before it passed.
 */
const lineLength = 300;
/** The newest are told in full, the others by their beginning, so that more of them have room. */
const inFull = 8;
const shortLength = 170;
const maxThemes = 5;
const maxSetbacks = 3;
const maxCures = 4;
const maxOpenEnds = 4;
const maxFiles = 4;

/** What was fixed or found out is an agent's word, and of trust 2 only when the user accepted it. */
const settledKinds: Note['kind'][] = ['decision', 'convention', 'gotcha', 'knowledge', 'fix', 'discovery'];

/** Why a line is told: the user typed it to an agent. */
export const aPrompt = 'a prompt of yours';

const isTold = (note: Note): boolean => note.state === 'active' && note.trust >= 2;
export const isOpenEnd = ({ concepts }: Note): boolean => concepts.includes(openEnd);

/** Pinned ones first, then the newest. */
const byWeight = (a: Note, b: Note): number =>
  Number(b.pinned) - Number(a.pinned) || (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0);

const mark = ({ id }: Note): string => `[${shortNoteId(id)}]`;
const day = ({ updated }: Note): string => updated.slice(0, 10);

export const settledNotes = (notes: Note[]): Note[] =>
  notes
    .filter((note) => isTold(note) && !isOpenEnd(note) && !isOwnTheme(note))
    .filter((note) => note.pinned || settledKinds.includes(note.kind))
    .filter((note) => note.pinned || !isKnowledgeEntry(note) || note.concepts.includes(commandsConcept))
    .sort(byWeight);

/** `before` is what goes before the words of a note, by its id. */
export function settledLines(notes: Note[], before: (id: string) => string): PreludeLine[] {
  return settledNotes(notes).map((note, at) =>
    line('Decided', note, at < inFull ? lineLength : shortLength, before(note.id)),
  );
}

/**
 * Where a project has more that is settled than there is room for, themes say what else there is to ask about.
 * `told` are the lines that are shown anyway.
 */
export function themeLines(notes: Note[], told: PreludeLine[]): PreludeLine[] {
  const isShown = (id: string): boolean => told.some(({ text }) => text.endsWith(`[${shortNoteId(id)}]`));
  return notes
    .filter((note) => isTold(note) && isOwnTheme(note) && !note.derivedFrom.every(isShown))
    .sort(byWeight)
    .slice(0, maxThemes)
    .map((note) => ({
      section: 'Decided' as const,
      text: `${note.derivedFrom.length} notes about ${harmlessLine(namesIn(note.concepts).join(', '), 80)} ${mark(note)}`,
      reason: 'notes of yours on one theme',
    }));
}

/** What led nowhere in the user's words, and what we saw fail and pass again. */
export function failureLines(notes: Note[]): PreludeLine[] {
  const setbacks = notes
    .filter((note) => isTold(note) && note.kind === 'failed-path' && !note.pinned)
    .sort(byWeight)
    .slice(0, maxSetbacks)
    .map((note) => line('Failed before', note, 200));
  const cures = notes
    .filter((note) => isSeenCure(note) && note.state !== 'archived')
    .sort(byWeight)
    .flatMap((note) => cureLine(note) ?? [])
    .slice(0, maxCures);
  return [...setbacks, ...cures];
}

export function openEndLines(notes: Note[]): PreludeLine[] {
  return notes
    .filter((note) => isTold(note) && isOpenEnd(note) && !note.pinned)
    .sort(byWeight)
    .slice(0, maxOpenEnds)
    .map((note) => line('Unfinished', note, 240));
}

function whoseWord(note: Note): string {
  if (isFromRepository(note)) return 'from the repository: ';
  return isFromTeam(note) ? `${harmlessLine(teammateOf(note), 40)} noted: ` : '';
}

function line(section: PreludeLine['section'], note: Note, length: number, about = ''): PreludeLine {
  const isOwnWord = note.author === distilAuthor && note.trust === 2 && !isForeign(note);
  const text = isOwnWord
    ? `you said: ${harmlessLine(textInOneLine(note), length)}`
    : `${whoseWord(note)}${harmlessLine(note.text, length)}`;
  const reason = note.pinned
    ? 'a note you pinned'
    : isOwnWord
      ? aPrompt
      : isFromRepository(note)
        ? 'text of the repository that you trusted'
        : isFromTeam(note)
          ? "a teammate's note that you approved"
          : note.trust === 3
            ? 'a note you wrote'
            : 'a note you approved';
  return { section, text: `${day(note)} ${about}${text} ${mark(note)}`, reason };
}

/** The statement of a note, followed by its question or topic in parentheses. */
function textInOneLine({ text }: Note): string {
  const { statement, context } = parseNoteText(text);
  const [first] = context;
  return first === undefined
    ? statement.join(' ')
    : `${statement.join(' ')} (${first.replace(askedMark, 'asked: ').replace(topicMark, 'on: ')})`;
}

/** Drawn by us from what ran here; neither a teammate's word for it nor a model's. */
const isSeenCure = (note: Note): boolean =>
  note.kind === 'fix' &&
  note.author === distilAuthor &&
  !isForeign(note) &&
  note.concepts.includes(cureConcept) &&
  passedLine.test(note.text);

const passedLine = /^It passed after changes in /m;
/** Beside the line above, which is ours: a line of the agent's before it may begin with any command. */
const failedCommand = /^`([^`]+)` failed[^\n]*\nIt passed after changes in /m;

function cureLine(note: Note): PreludeLine | undefined {
  const command = bareCommand(`$ ${failedCommand.exec(note.text)?.[1] ?? ''}`);
  const files = note.files.slice(0, maxFiles);
  if (command === '' || files.length === 0) return undefined;
  const changed = files.map((file) => safeName('file', file)).join(', ');
  return {
    section: 'Failed before',
    text: `${day(note)} \`${command}\` failed, and passed after changes in ${changed} ${mark(note)}`,
    reason: 'seen by Backstory',
  };
}
