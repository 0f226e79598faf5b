import { AppError } from '../base/errors.ts';
import { findNote, type Note, shortNoteId } from '../domain/note.ts';
import { followRepository, trustNotes, waitsForTrust } from '../memory/capture/follow-repository.ts';
import { renderPrelude } from '../memory/drain.ts';
import { catchUp } from '../recall/catch-up.ts';
import { harmless, harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import { type App, type Command, isSet, type Outcome } from './command.ts';
import { repositoryRoot } from './share.ts';
import { withWriter } from './with-writer-lock.ts';

export const trustCommand: Command = {
  name: 'trust',
  usage: 'trust repo [NOTE…] [--yes]',
  summary: 'Trust what the notes and knowledge of this repository say now; a change of them waits again.',
  group: 'What do we know?',
  options: { yes: { type: 'boolean' } },
  needsPerson: 'Trusting the texts of a repository',
  async run(app, given) {
    const [what, ...ids] = given.positionals;
    if (what !== 'repo')
      throw new AppError('INVALID_ARGUMENT', 'trust what?', { hint: 'backstory trust repo' });
    app.ensureActive();
    return trustRepository(app, repositoryRoot(app), ids, isSet(given, 'yes'));
  },
};

async function trustRepository(app: App, root: string, ids: string[], isSure: boolean): Promise<Outcome> {
  const place = app.place();
  const parts = app.open({ id: place.project, name: place.name });
  const waiting = await withWriter(parts, async (index) => {
    await followRepository(parts, index, root);
    return chosen((await parts.notes.list()).filter(waitsForTrust), ids);
  });
  if (waiting.length === 0)
    return { value: { trusted: [] }, text: 'Nothing of this repository waits for your trust.' };
  const question = `${waiting.map((note) => shown(app, note)).join('\n\n')}\n\nTrust ${plural(waiting.length, 'text')}? New sessions may be told them.`;
  if (!isSure && !(await app.confirm(question)))
    return { value: { trusted: [] }, text: 'Nothing was trusted.', exitCode: 1 };
  await withWriter(parts, async (index) => {
    trustNotes(parts, app.context(place), waiting);
    await catchUp(parts, index, { maxBytes: Number.MAX_SAFE_INTEGER });
    await followRepository(parts, index, root);
    await catchUp(parts, index, { maxBytes: Number.MAX_SAFE_INTEGER });
    await renderPrelude(parts, index);
  });
  return {
    value: { trusted: waiting.map(({ id }) => id) },
    text: `Trusted ${plural(waiting.length, 'text')} of this repository, as they are now.`,
  };
}

/** Reads what the repository says into memory; how much of it waits for trust. */
export async function followNow(app: App, parts: ReturnType<App['open']>, root: string): Promise<number> {
  app.ensureActive();
  return withWriter(parts, async (index) => {
    await followRepository(parts, index, root);
    return (await parts.notes.list()).filter(waitsForTrust).length;
  });
}

/** Somebody who is asked to trust a text must see all of it. */
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

function chosen(waiting: Note[], ids: string[]): Note[] {
  if (ids.length === 0) return waiting;
  return ids.map((wanted) => {
    const note = findNote(waiting, wanted);
    if (note !== undefined) return note;
    throw new AppError('NOT_FOUND', `nothing that waits for trust has the id ${wanted}`, {
      hint: 'backstory trust repo',
    });
  });
}
