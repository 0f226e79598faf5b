import { isoTime } from '../base/clock.ts';
import { type Note, shortNoteId } from '../domain/note.ts';
import { lastUseOf } from '../memory/notes/age-notes.ts';
import { auditNotes } from '../memory/notes/audit-notes.ts';
import { readPrelude } from '../memory/prelude/prelude-file.ts';
import { harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import type { App, Outcome, ParsedArgs } from './command.ts';
import { wholeNumber } from './filters.ts';

const defaultUnusedDays = 180;
const lineLength = 120;
const maxShown = 50;

/** Finds duplicate and unused notes of this project, with a command to tidy up each. Changes nothing itself. */
export async function checkNotes(app: App, args: ParsedArgs): Promise<Outcome> {
  const place = app.place();
  const parts = app.open(place.project);
  const notes = await parts.notes.list();
  const reading = parts.access.forReading();
  const told = new Set(readPrelude(app.paths, place.project)?.lines.map(({ note = '' }) => note) ?? []);
  const audit = await auditNotes(notes, {
    now: parts.clock.now(),
    unusedDays: wholeNumber(args, 'unused') ?? defaultUnusedDays,
    lastUsed: async (note) => (reading === undefined ? 0 : lastUseOf(reading.index, note)),
    isTold: ({ id }) => told.has(id) || told.has(shortNoteId(id)),
  }).finally(() => reading?.index.close());
  const duplicates = audit.duplicates.map(([keep, ...others]) => ({
    keep,
    others,
    // Withdrawing keeps the history. Deleting would also refuse the same words in the note that stays.
    command: others.map(({ id }) => `backstory edit ${shortNoteId(id)} --wrong`).join(' && '),
  }));
  const unused = audit.unused.map(({ note, lastUsed }) => ({
    note,
    lastUsed: lastUsed === 0 ? null : isoTime(lastUsed),
    command: `backstory review --reject ${shortNoteId(note.id)}`,
  }));
  return {
    value: {
      notes: notes.length,
      duplicates: duplicates.map(({ keep, others, command }) => ({
        keep: noteValue(keep),
        others: others.map(noteValue),
        command,
      })),
      unused: unused.map((one) => ({ ...one, note: noteValue(one.note) })),
    },
    text: [
      `${plural(notes.length, 'note')}: ${plural(duplicates.length, 'duplicate')}, ${unused.length} unused.`,
      ...section(
        app,
        'Duplicates: the first stays',
        duplicates.map(({ keep, others, command }) => ({ notes: [keep, ...others], command })),
      ),
      ...section(
        app,
        'Unused',
        unused.map(({ note, command }) => ({ notes: [note], command })),
      ),
    ].join('\n\n'),
  };
}

function section({ style }: App, title: string, proposals: { notes: Note[]; command: string }[]): string[] {
  if (proposals.length === 0) return [];
  const line = (note: Note): string =>
    `${style.bold(shortNoteId(note.id))} ${style.dim(`${harmlessLine(note.updated, 10)} ${note.kind}`)} ${harmlessLine(note.text, lineLength)}`;
  const shown = proposals
    .slice(0, maxShown)
    .map(({ notes, command }) => [...notes.map(line), style.dim(command)].join('\n'));
  const rest = proposals.length - shown.length;
  return [
    style.bold(title),
    ...shown,
    ...(rest > 0 ? [style.dim(`and ${rest} more: backstory doctor --notes --json`)] : []),
  ];
}

const noteValue = ({ id, kind, title, author, updated }: Note) => ({ id, kind, title, author, updated });
