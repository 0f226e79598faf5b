import { AppError } from '../base/errors.ts';
import { shortNoteId } from '../domain/note.ts';
import { reopenStatement } from '../memory/notes/closing.ts';
import { refreshPrelude } from '../memory/refresh-prelude.ts';
import type { Command } from './command.ts';
import { noteParts } from './remember.ts';
import { noteArgument } from './show.ts';

export const reopenCommand: Command = {
  name: 'reopen',
  usage: 'reopen ID',
  summary: 'Make a closed note valid again: new sessions receive it as before.',
  group: 'Memory',
  needsPerson: 'Reopening a note',
  async run(app, args) {
    const { note } = await noteArgument(app, args);
    if (note.state !== 'superseded')
      throw new AppError('CONFLICT', `the note is ${note.state}, not closed`, {
        hint: `backstory show ${shortNoteId(note.id)}`,
      });
    const place = app.rememberPlace();
    const parts = app.open({ id: place.project, name: place.name });
    const reopened = await reopenStatement(noteParts(app, parts, place), note);
    await refreshPrelude(parts);
    return { value: reopened, text: `Valid again: ${note.title}` };
  },
};
