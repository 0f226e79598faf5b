import { AppError } from '../base/errors.ts';
import { type Note, shortNoteId } from '../domain/note.ts';
import { type Consolidation, consolidate } from '../memory/notes/consolidate.ts';
import { rejectNote } from '../memory/notes/review.ts';
import { isTheme } from '../memory/notes/theme-note.ts';
import { harmless } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import { type App, type Command, isSet, type Outcome, type ParsedArgs } from './command.ts';
import { noteParts } from './remember.ts';
import { openById } from './show.ts';
import { withWriterLock } from './with-writer-lock.ts';

export const consolidateCommand: Command = {
  name: 'consolidate',
  usage: 'consolidate [--dry-run] [--drop ID…]',
  summary: 'Group notes on the same theme under one note. The notes themselves stay unchanged.',
  group: 'Memory',
  options: { 'dry-run': { type: 'boolean' }, drop: { type: 'string', multiple: true } },
  needsPerson: ({ values }) => (values.drop === undefined ? undefined : 'Dropping a theme'),
  async run(app, args) {
    const dropped = args.values.drop;
    if (Array.isArray(dropped)) return drop(app, dropped.map(String));
    return runConsolidation(app, args);
  },
};

async function runConsolidation(app: App, args: ParsedArgs): Promise<Outcome> {
  const isDry = isSet(args, 'dry-run');
  app.ensureActive();
  const place = app.place();
  const parts = app.open({ id: place.project, name: place.name });
  const done = await withWriterLock(parts, (index) => consolidate(parts, index, { mayGrow: true, isDry }));
  return { value: done, text: toText(app, done, isDry) };
}

function toText({ style }: App, { made, changed, dissolved }: Consolidation, isDry: boolean): string {
  const block = (note: Note): string => `${style.bold(shortNoteId(note.id))} ${harmless(note.text)}`;
  const parts = [
    ...made.map((note) => `${style.good('new')} ${block(note)}`),
    ...changed.map((note) => `${style.good('changed')} ${block(note)}`),
    ...dissolved.map((note) => `${style.dim('removed')} ${harmless(note.title)}`),
  ];
  if (parts.length === 0) return 'Nothing to consolidate.';
  const sum = `${plural(made.length, 'new theme')}, ${changed.length + dissolved.length} changed.`;
  return [...parts, style.dim(isDry ? `${sum} Nothing was written.` : sum)].join('\n\n');
}

/**
 * Deletes themes (notes that summarise a group of similar notes). The notes of the group stay and are not grouped
 * again.
 */
async function drop(app: App, ids: string[]): Promise<Outcome> {
  const place = app.place();
  const parts = app.open({ id: place.project, name: place.name });
  const opened = await Promise.all(ids.map((id) => openById(app, id)));
  const themes = opened.map((item, at) => {
    if (item.kind === 'note' && isTheme(item.note)) return item.note;
    throw new AppError('INVALID_ARGUMENT', `${ids[at]} is not a theme`, {
      hint: 'backstory recall --kind knowledge "…"',
    });
  });
  const context = app.context(place);
  for (const theme of themes)
    await rejectNote(noteParts(app, parts, place), theme, { device: parts.device, context });
  return {
    value: { dropped: themes.map(({ id }) => id) },
    text: `Dropped ${plural(themes.length, 'theme')}. The notes are kept.`,
  };
}
