import { pinNote } from '../memory/notes/remember.ts';
import type { Command } from './command.ts';
import { isSet } from './command.ts';
import { noteParts } from './remember.ts';
import { noteArgument } from './show.ts';

export const pinCommand: Command = {
  name: 'pin',
  usage: 'pin ID [--off]',
  summary: "Put a note at the top of every prelude. This also approves an agent's note.",
  group: 'Memory',
  options: { off: { type: 'boolean' } },
  needsPerson: 'Pinning a note',
  async run(app, args) {
    const { note } = await noteArgument(app, args);
    const place = app.rememberPlace();
    const parts = app.open({ id: place.project, name: place.name });
    const pinned = await pinNote(noteParts(app, parts, place), note, !isSet(args, 'off'));
    return { value: pinned, text: `${pinned.pinned ? 'Pinned' : 'Unpinned'}: ${pinned.title}` };
  },
};
