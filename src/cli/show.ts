import { AppError } from '../base/errors.ts';
import type { Drift } from '../domain/anchor.ts';
import { type Note, shortNoteId } from '../domain/note.ts';
import { driftOfChunks } from '../drift/drift-of-chunks.ts';
import { chunkOf, type Opened, openHit } from '../memory/sessions/open-hit.ts';
import { renderOpened } from '../memory/sessions/render-opened.ts';
import { thoroughLimits } from '../recall/with-index.ts';
import type { App, Command, Given } from './command.ts';

export const showCommand: Command = {
  name: 'show',
  usage: 'show ID…',
  summary: 'Open what recall found, in full.',
  group: 'What do we know?',
  async run(app, given) {
    const opened = await Promise.all(given.positionals.map((id) => openHere(app, id)));
    if (opened.length === 0)
      throw new AppError('INVALID_ARGUMENT', 'which id?', { hint: 'backstory recall "…" shows ids' });
    const drifts = await driftsHere(app, opened);
    return {
      value: opened.map((item, at) => ({
        ...(item.kind === 'note' ? { ...item.note, path: item.path } : item.event),
        drift: drifts[at],
      })),
      text: opened.map((item, at) => renderOpened(item, app.clock.now(), drifts[at])).join('\n\n'),
    };
  },
};

async function driftsHere(app: App, opened: Opened[]): Promise<(Drift | undefined)[]> {
  const place = app.place();
  const parts = app.open({ id: place.project, name: place.name });
  const chunks = opened.map((item) => chunkOf(item, place.project));
  const known = chunks.filter((chunk) => chunk !== undefined);
  const drifts = await driftOfChunks(parts, known, thoroughLimits, app.checkedCode());
  return chunks.map((chunk) => chunk && drifts.get(chunk));
}

export function openHere(app: App, id: string): Promise<Opened> {
  const place = app.place();
  return openHit(app.open({ id: place.project, name: place.name }), id, thoroughLimits);
}

function notesHere(app: App): Promise<Note[]> {
  const place = app.place();
  return app.open({ id: place.project, name: place.name }).notes.list();
}

/** For commands that only make sense for a note. */
export async function theNote(app: App, given: Given): Promise<Extract<Opened, { kind: 'note' }>> {
  const id = given.positionals[0];
  const opened = id === undefined ? undefined : await openHere(app, id);
  if (opened?.kind === 'note') return opened;
  if (opened === undefined)
    throw new AppError('INVALID_ARGUMENT', 'which note?', { hint: 'backstory recall --in notes "…"' });
  // The same words often stand in a note that was drawn from them; it is the one to change.
  const drawn = (await notesHere(app)).find(({ derivedFrom }) => derivedFrom.includes(opened.event.id));
  throw new AppError(
    'INVALID_ARGUMENT',
    `${id} is no note but what was said or done in a session, and that stays as it was`,
    {
      hint:
        drawn === undefined
          ? 'backstory remember "…" makes a note, backstory forget takes it away'
          : `backstory show ${shortNoteId(drawn.id)}, a note that was drawn from it`,
    },
  );
}
