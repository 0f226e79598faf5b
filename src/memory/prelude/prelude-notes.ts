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
import type { PreludeLine } from './prelude-file.ts';
import { bareCommand } from './short-command.ts';

/**
 * The lines of a prelude, the text that a new session receives, that come from notes. The text of a note is shown only
 * from trust 2 on: the user wrote it, approved it, or said it in a prompt. A fix contains text of an agent and of a
 * program, so only observed facts are shown: which command failed, and which files were changed before it passed.
 */
const maxLineLength = 300;
/** The first notes get long lines, the others short ones, so that more of them fit. */
const longLines = 8;
const maxShortLineLength = 170;
const maxFailedPaths = 3;
const maxFixes = 4;
const maxOpenEnds = 4;
const maxFiles = 4;

/**
 * Kinds of notes that state a decision or rule. Fixes and discoveries are statements of an agent; they have trust 2
 * only if the user accepted them.
 */
const settledKinds: Note['kind'][] = ['decision', 'convention', 'gotcha', 'knowledge', 'fix', 'discovery'];

export const promptReason = 'a prompt of yours';

const mayBeShown = (note: Note): boolean => note.state === 'active' && note.trust >= 2;
export const isOpenEnd = ({ concepts }: Note): boolean => concepts.includes(openEnd);

/** Pinned notes first, then the newest. */
const byPriority = (a: Note, b: Note): number =>
  Number(b.pinned) - Number(a.pinned) || (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0);

const mark = ({ id }: Note): string => `[${shortNoteId(id)}]`;
const day = ({ updated }: Note): string => updated.slice(0, 10);

export const settledNotes = (notes: Note[]): Note[] =>
  notes
    .filter((note) => mayBeShown(note) && !isOpenEnd(note))
    .filter((note) => note.pinned || settledKinds.includes(note.kind))
    .filter((note) => note.pinned || !isKnowledgeEntry(note) || note.concepts.includes(commandsConcept))
    .sort(byPriority);

/** `before` returns a prefix for the text of a note, by its id. */
export function settledLines(notes: Note[], before: (id: string) => string): PreludeLine[] {
  return settledNotes(notes).map((note, at) =>
    line('Decided', note, at < longLines ? maxLineLength : maxShortLineLength, before(note.id)),
  );
}

/** Failed attempts that the user reported, and commands that were observed to fail and pass again. */
export function failureLines(notes: Note[]): PreludeLine[] {
  const failedPaths = notes
    .filter((note) => mayBeShown(note) && note.kind === 'failed-path' && !note.pinned)
    .sort(byPriority)
    .slice(0, maxFailedPaths)
    .map((note) => line('Failed before', note, 200));
  const fixes = notes
    .filter((note) => isObservedFix(note) && note.state !== 'archived')
    .sort(byPriority)
    .flatMap((note) => fixLine(note) ?? [])
    .slice(0, maxFixes);
  return [...failedPaths, ...fixes];
}

export function openEndLines(notes: Note[]): PreludeLine[] {
  return notes
    .filter((note) => mayBeShown(note) && isOpenEnd(note) && !note.pinned)
    .sort(byPriority)
    .slice(0, maxOpenEnds)
    .map((note) => line('Unfinished', note, 240));
}

function attributionOf(note: Note): string {
  if (isFromRepository(note)) return 'from the repository: ';
  return isFromTeam(note) ? `${harmlessLine(teammateOf(note), 40)} noted: ` : '';
}

function line(section: PreludeLine['section'], note: Note, length: number, about = ''): PreludeLine {
  const isFromPrompt = note.author === distilAuthor && note.trust === 2 && !isForeign(note);
  const text = isFromPrompt
    ? `you said: ${harmlessLine(textInOneLine(note), length)}`
    : `${attributionOf(note)}${harmlessLine(note.text, length)}`;
  const reason = note.pinned
    ? 'a note you pinned'
    : isFromPrompt
      ? promptReason
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

/** A fix that Backstory extracted from commands that ran on this device, not one claimed by a teammate or a model. */
const isObservedFix = (note: Note): boolean =>
  note.kind === 'fix' &&
  note.author === distilAuthor &&
  !isForeign(note) &&
  note.concepts.includes(cureConcept) &&
  passedLine.test(note.text);

const passedLine = /^It passed after changes in /m;
/**
 * Finds the failed command on the line directly before "It passed after …", which Backstory wrote. Other lines are an
 * agent's and could name any command.
 */
const failedCommand = /^`([^`]+)` failed[^\n]*\nIt passed after changes in /m;

function fixLine(note: Note): PreludeLine | undefined {
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
