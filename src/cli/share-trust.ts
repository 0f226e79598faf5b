import { AppError } from '../base/errors.ts';
import { findNote, type Note, shortNoteId } from '../domain/note.ts';
import { trustNotes, waitsForTrust } from '../memory/capture/follow-repository.ts';
import { drain } from '../memory/drain.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { harmless, harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import type { App, Outcome } from './command.ts';

export async function trustRepository(
  app: App,
  root: string,
  ids: string[],
  isSure: boolean,
): Promise<Outcome> {
  const place = app.place();
  const parts = await drained({ ...app.open(place.project), callerRoot: root });
  const waiting = selectNotes((await parts.notes.list()).filter(waitsForTrust), ids);
  if (waiting.length === 0)
    return { value: { trusted: [] }, text: 'All texts of this repository are trusted.' };
  const question = `${waiting.map((note) => shown(app, note)).join('\n\n')}\n\nTrust ${plural(waiting.length, 'text')}? They may appear in the context of new sessions.`;
  if (!isSure && !(await app.confirm(question)))
    return { value: { trusted: [] }, text: 'Nothing was trusted.', exitCode: 1 };
  trustNotes(parts, app.context(place), waiting);
  await drained(parts);
  return {
    value: { trusted: waiting.map(({ id }) => id) },
    text: `Trusted ${plural(waiting.length, 'text')} of this repository in their current form.`,
  };
}

/** Shows the whole text of a note, because the user is asked to trust all of it. */
function shown({ style }: App, note: Note): string {
  const about = [
    note.kind,
    harmlessLine(note.author, 80),
    ...note.files.map((file) => harmlessLine(file, 100)),
  ];
  const isTitled = note.text.startsWith(note.title.replace(/…$/, ''));
  return [
    `${style.bold(shortNoteId(note.id))} ${style.dim(about.join(', '))}`,
    ...(isTitled ? [] : [harmlessLine(note.title, 100)]),
    harmless(note.text),
  ].join('\n');
}

function selectNotes(waiting: Note[], ids: string[]): Note[] {
  if (ids.length === 0) return waiting;
  return ids.map((wanted) => {
    const note = findNote(waiting, wanted);
    if (note !== undefined) return note;
    throw new AppError('NOT_FOUND', `no untrusted text has the id ${wanted}`, {
      hint: 'backstory share --trust',
    });
  });
}

/** Mirrors the notes of the repository, applies what is trusted, and renders the prelude. */
async function drained(parts: OpenProject): Promise<OpenProject> {
  if ((await drain(parts)).ran) return parts;
  throw new AppError('INDEX_UNAVAILABLE', 'another process is indexing this project', {
    hint: 'try again in a minute',
    retryable: true,
  });
}
