import { AppError } from '../base/errors.ts';
import { type Note, shortNoteId } from '../domain/note.ts';
import { type Consolidation, consolidate } from '../memory/notes/consolidate.ts';
import { rejectNote } from '../memory/notes/review.ts';
import { isTheme } from '../memory/notes/theme-note.ts';
import { harmless } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import { type App, type Command, type Given, isSet, type Outcome } from './command.ts';
import { noteParts } from './remember.ts';
import { openHere } from './show.ts';
import { withWriter } from './with-writer-lock.ts';

export const consolidateCommand: Command = {
  name: 'consolidate',
  usage: 'consolidate [--dry-run] [--drop ID…]',
  summary: 'Bring notes of one theme together in one; they stay as they are.',
  group: 'What do we know?',
  options: { 'dry-run': { type: 'boolean' }, drop: { type: 'string', multiple: true } },
  needsPerson: ({ values }) => (values.drop === undefined ? undefined : 'Dropping a theme'),
  async run(app, given) {
    const dropped = given.values.drop;
    if (Array.isArray(dropped)) return drop(app, dropped.map(String));
    return bringTogether(app, given);
  },
};

async function bringTogether(app: App, given: Given): Promise<Outcome> {
  const isDry = isSet(given, 'dry-run');
  app.ensureActive();
  const place = app.place();
  const parts = app.open({ id: place.project, name: place.name });
  const done = await withWriter(parts, (index) => consolidate(parts, index, { mayGrow: true, isDry }));
  return { value: done, text: told(app, done, isDry) };
}

function told({ style }: App, { made, changed, dissolved }: Consolidation, isDry: boolean): string {
  const block = (note: Note): string => `${style.bold(shortNoteId(note.id))} ${harmless(note.text)}`;
  const parts = [
    ...made.map((note) => `${style.good('new')} ${block(note)}`),
    ...changed.map((note) => `${style.good('changed')} ${block(note)}`),
    ...dissolved.map((note) => `${style.dim('no theme any more')} ${harmless(note.title)}`),
  ];
  if (parts.length === 0) return 'Nothing to bring together.';
  const sum = `${plural(made.length, 'new theme')}, ${changed.length + dissolved.length} changed.`;
  return [...parts, style.dim(isDry ? `${sum} Nothing was written.` : sum)].join('\n\n');
}

/** Only the theme goes; its notes stay, and are put into no theme again. */
async function drop(app: App, ids: string[]): Promise<Outcome> {
  const place = app.place();
  const parts = app.open({ id: place.project, name: place.name });
  const opened = await Promise.all(ids.map((id) => openHere(app, id)));
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
    text: `Dropped ${plural(themes.length, 'theme')}; the notes are still there.`,
  };
}
