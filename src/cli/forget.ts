import { AppError } from '../base/errors.ts';
import { forget } from '../memory/forget.ts';
import type { Command } from './command.ts';
import { isSet, stringOf } from './command.ts';
import { openHere } from './show.ts';

export const forgetCommand: Command = {
  name: 'forget',
  usage: 'forget ID… | --containing TEXT [--yes]',
  summary: 'Remove something for good: from the log, the notes, the index and the prelude.',
  group: 'What do we know?',
  options: { containing: { type: 'string' }, yes: { type: 'boolean' } },
  async run(app, given) {
    const containing = stringOf(given, 'containing');
    const opened = await Promise.all(given.positionals.map((id) => openHere(app, id)));
    const ids = opened.map((item) => (item.kind === 'note' ? item.note.id : item.event.id));
    if (ids.length === 0 && (containing === undefined || containing.length < 3)) {
      throw new AppError(
        'INVALID_ARGUMENT',
        'forget what? Give an id, or --containing with at least three letters',
        {
          hint: 'backstory forget 3fa9c1d2',
        },
      );
    }
    const what =
      containing === undefined
        ? `${ids.length} item${ids.length === 1 ? '' : 's'}`
        : `everything with "${containing}"`;
    if (!isSet(given, 'yes') && !(await app.confirm(`Forget ${what}? This cannot be undone.`))) {
      return { value: { events: 0, notes: 0 }, text: 'Nothing was forgotten.', exitCode: 1 };
    }
    const place = app.place();
    const parts = app.open({ id: place.project, name: place.name });
    const done = await forget(
      parts,
      { ids, ...(containing === undefined ? {} : { containing }) },
      app.context(place),
    );
    const text =
      done.events + done.notes === 0
        ? 'Nothing here contains that.'
        : `Forgotten: ${done.events} event${done.events === 1 ? '' : 's'}, ${done.notes} note${done.notes === 1 ? '' : 's'}. The agent's own transcript still has its copy.`;
    return { value: done, text };
  },
};
