import { localDay } from '../../base/clock.ts';
import type { HomePaths } from '../../base/paths.ts';
import { isEverywhere, isWithheld, type Note, shortNoteId } from '../../domain/note.ts';
import type { NoteStore } from '../../store/store.ts';
import { harmlessLine } from '../../text/fence.ts';
import { mayShowNote } from '../prelude/may-show-note.ts';
import { type Rule, writeRules } from './rule-table.ts';

const labels: Partial<Record<Note['kind'], string>> = {
  rule: 'a rule of the user',
  preference: 'a preference of the user',
  failed: 'an approach that failed before',
};
const maxRuleLength = 240;
const maxRules = 1_000;

/** The notes for which a person named tool calls. What an agent proposed has no effect. */
export const rulesOf = (notes: Note[]): Rule[] =>
  notes
    .filter((note) => note.state === 'active' && note.trust >= 2 && !isWithheld(note) && mayShowNote(note))
    .flatMap(({ id, kind, text, validFrom, enforced, match }): Rule[] => {
      if (match === undefined) return [];
      const said = harmlessLine(text, maxRuleLength);
      const line = `${labels[kind] ?? 'a note of the user'}, ${localDay(validFrom)}: "${said}" [${shortNoteId(id)}]`;
      return [{ note: id, line, ...(enforced === true ? { isEnforced: true } : {}), match }];
    })
    .slice(0, maxRules);

/** Writes the rules of a project. Those for every project have a table of their own. */
export async function writeProjectRules(parts: {
  paths: HomePaths;
  project: string;
  notes: NoteStore;
}): Promise<void> {
  const own = (await parts.notes.list()).filter((note) => !isEverywhere(note));
  writeRules(parts.paths.project(parts.project).rules, rulesOf(own));
}
