import { isFromTeam, shortNoteId } from '../domain/note.ts';
import { correctNote } from '../memory/notes/correct-note.ts';
import { refreshPrelude } from '../memory/refresh-prelude.ts';
import { membershipOf } from '../remote/membership.ts';
import type { Command } from './command.ts';
import { stringOf } from './command.ts';
import { noteParts } from './remember.ts';
import { noteArgument } from './show.ts';

export const wrongCommand: Command = {
  name: 'wrong',
  usage: 'wrong ID [--now TEXT]',
  summary: 'Say that a note is wrong: it is withdrawn, or replaced by the text of --now. Its history stays.',
  group: 'Memory',
  options: { now: { type: 'string' } },
  needsPerson: 'Correcting a note',
  async run(app, args) {
    const { note } = await noteArgument(app, args);
    const place = app.rememberPlace();
    const parts = app.open({ id: place.project, name: place.name });
    const correction = await correctNote(noteParts(app, parts, place), note, stringOf(args, 'now'));
    await refreshPrelude(parts);
    const { now } = correction;
    const outcome =
      now === undefined
        ? 'New sessions no longer receive it.'
        : `It is replaced by ${app.style.bold(shortNoteId(now.id))}: ${now.title}`;
    const isTeams = isFromTeam(note) && membershipOf(app.paths, place.project) !== undefined;
    const team = isTeams
      ? `\nThe note is a teammate's. The next sync tells your team that you dispute it${now === undefined ? '' : ', with your correction'}. To take that back: backstory review --accept ${shortNoteId(note.id)}`
      : '';
    return { value: correction, text: `Withdrawn: ${note.title}\n${outcome}${team}` };
  },
};
