import { pinNote } from '../memory/notes/remember.ts';
import type { Command } from './command.ts';
import { isSet } from './command.ts';
import { noteParts } from './remember.ts';
import { theNote } from './show.ts';

export const pinCommand: Command = {
  name: 'pin',
  usage: 'pin ID [--off]',
  summary: "Keep a note at the top of every prelude; approves an agent's note.",
  group: 'What do we know?',
  options: { off: { type: 'boolean' } },
  needsPerson: 'Pinning a note',
  async run(app, given) {
    const { note } = await theNote(app, given);
    const place = app.rememberPlace();
    const parts = app.open({ id: place.project, name: place.name });
    const pinned = await pinNote(noteParts(app, parts, place), note, !isSet(given, 'off'));
    return { value: pinned, text: `${pinned.pinned ? 'Pinned' : 'Unpinned'}: ${pinned.title}` };
  },
};
