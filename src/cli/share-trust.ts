import { AppError } from '../base/errors.ts';
import { findNote, type Note, shortNoteId } from '../domain/note.ts';
import { followRepository, trustNotes, waitsForTrust } from '../memory/capture/follow-repository.ts';
import { renderPrelude } from '../memory/drain.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { catchUp } from '../recall/catch-up.ts';
import type { LogIndex } from '../store/store.ts';
import { harmless, harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import type { App, Outcome } from './command.ts';

const all = { maxBytes: Number.MAX_SAFE_INTEGER };

export async function trustRepository(
  app: App,
  root: string,
  ids: string[],
  isSure: boolean,
): Promise<Outcome> {
  const place = app.place();
  const parts = app.open(place.project);
  const waiting = await withWriterLock(parts, async (index) => {
    await followRepository(parts, index, root);
    return selectNotes((await parts.notes.list()).filter(waitsForTrust), ids);
  });
  if (waiting.length === 0)
    return { value: { trusted: [] }, text: 'All texts of this repository are trusted.' };
  const question = `${waiting.map((note) => shown(app, note)).join('\n\n')}\n\nTrust ${plural(waiting.length, 'text')}? They may appear in the context of new sessions.`;
  if (!isSure && !(await app.confirm(question)))
    return { value: { trusted: [] }, text: 'Nothing was trusted.', exitCode: 1 };
  await withWriterLock(parts, async (index) => {
    trustNotes(parts, app.context(place), waiting);
    await catchUp(parts, index, all);
    await followRepository(parts, index, root);
    await catchUp(parts, index, all);
    await renderPrelude(parts, index);
  });
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

/** Runs `work` while this process holds the project's writer lock. Updates the index before and after it. */
async function withWriterLock<T>(parts: OpenProject, work: (index: LogIndex) => Promise<T>): Promise<T> {
  const writing = parts.access.forWriting();
  if (writing === undefined) {
    throw new AppError('INDEX_UNAVAILABLE', 'another process is indexing this project', {
      hint: 'try again in a minute',
      retryable: true,
    });
  }
  try {
    await catchUp(parts, writing.index, all);
    const done = await work(writing.index);
    await catchUp(parts, writing.index, all);
    return done;
  } finally {
    await writing.close();
  }
}
