import { localDay } from '../../base/clock.ts';
import type { HomePaths } from '../../base/paths.ts';
import { type Note, shortNoteId } from '../../domain/note.ts';
import { harmlessLine } from '../../text/fence.ts';
import { rulesOf } from '../rules/project-rules.ts';
import { writeRules } from '../rules/rule-table.ts';
import { everywhereSection, type PreludeLine, writePrelude } from './prelude-file.ts';

const maxLines = 8;
const maxLineLength = 170;

/** Pinned notes first, then the newest. */
export const everywhereLines = (notes: Note[]): PreludeLine[] =>
  notes
    .filter(({ everywhere, state, trust }) => everywhere !== undefined && state === 'active' && trust >= 2)
    .sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.updated.localeCompare(a.updated))
    .slice(0, maxLines)
    .map(({ id, text, updated, trust, mutedIn }) => ({
      section: everywhereSection,
      note: id,
      ...(mutedIn === undefined ? {} : { mutedIn }),
      text: `${harmlessLine(text, maxLineLength)} [${shortNoteId(id)}]`,
      reason: `${localDay(updated)}, ${trust === 3 ? 'a note you wrote for every project' : 'a note for every project'}`,
    }));

/** One file for all projects, so that a correction reaches every project, and a new one, at once. */
export function writeEverywhere({ everywhere }: Pick<HomePaths, 'everywhere'>, notes: Note[]): void {
  writePrelude(everywhere.prelude, { v: 1, lines: everywhereLines(notes) });
  writeRules(everywhere.rules, rulesOf(notes));
}
