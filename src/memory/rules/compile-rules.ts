import type { HomePaths } from '../../base/paths.ts';
import { isConfirmed, isEverywhere, isWithheld, type Note, shortNoteId } from '../../domain/note.ts';
import type { NoteStore } from '../../store/store.ts';
import { harmlessLine } from '../../text/fence.ts';
import { parseNoteText } from '../../text/note-text.ts';
import { mayShowNote } from '../prelude/may-show-note.ts';
import { compileRule } from './compile-rule.ts';
import { type Matcher, type Rule, writeRules } from './rule-table.ts';

const labels: Partial<Record<Note['kind'], string>> = {
  convention: 'a rule of the user',
  preference: 'a preference of the user',
  'failed-path': 'an approach that failed before',
};
const maxRuleLength = 240;
const maxRules = 1_000;

const statementOf = ({ text }: Note): string => parseNoteText(text).statement.join(' ');

/** What a tool call must do to go against a note; none if the note says nothing that can be compared. */
export const matchersOf = (note: Note): Matcher[] =>
  labels[note.kind] === undefined ? [] : compileRule(statementOf(note), note.kind === 'failed-path');

/** The rules that the user wrote or that somebody confirmed, and that can be compared with a tool call. */
export function compileRules(notes: Note[]): Rule[] {
  return notes
    .filter(
      (note) =>
        note.state === 'active' &&
        note.trust >= 2 &&
        isConfirmed(note) &&
        !isWithheld(note) &&
        mayShowNote(note),
    )
    .flatMap((note) => {
      const matchers = matchersOf(note);
      if (matchers.length === 0) return [];
      const line = `${labels[note.kind]}, ${note.validFrom.slice(0, 10)}: "${harmlessLine(statementOf(note), maxRuleLength)}" [${shortNoteId(note.id)}]`;
      return [
        { note: note.id, line, ...(note.enforced === true ? { isEnforced: true as const } : {}), matchers },
      ];
    })
    .slice(0, maxRules);
}

/** Writes the rules of a project. Those for every project have a table of their own. */
export async function writeProjectRules(parts: {
  paths: HomePaths;
  project: string;
  notes: NoteStore;
}): Promise<void> {
  const own = (await parts.notes.list()).filter((note) => !isEverywhere(note));
  writeRules(parts.paths.project(parts.project).rules, compileRules(own));
}
