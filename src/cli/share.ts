import { join } from 'node:path';
import { entryAt } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import { findNote, type Note, shortNoteId } from '../domain/note.ts';
import { trustNotes, waitsForTrust } from '../memory/capture/follow-repository.ts';
import { drain } from '../memory/drain.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { findShared, shareNote } from '../memory/notes/share.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { removeInside, repoFolder, repoNotesFolder } from '../store/repo/repo-folder.ts';
import { readRepoNotes } from '../store/repo/repo-notes.ts';
import { harmless, harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import { type App, type Command, isSet, type Outcome, type ParsedArgs } from './command.ts';
import { notesNamed } from './show.ts';

export const shareCommand: Command = {
  name: 'share',
  usage: 'share [NOTE… | --remove NOTE|FILE… | --trust [NOTE…] [--yes]]',
  summary: 'Put notes into the repository for your team, or list, remove and trust those that are there.',
  group: 'Memory',
  options: {
    remove: { about: 'Remove the notes from the repository; your own copy stays.' },
    trust: {
      about: 'Trust the current notes and knowledge of the repository. Changed texts must be trusted again.',
    },
    yes: { about: 'With --trust: do not ask for confirmation.' },
  },
  needsPerson: ({ positionals, values }) =>
    values.trust === true
      ? 'Trusting the texts of a repository'
      : positionals.length === 0 || values.remove === true
        ? undefined
        : 'Sharing a note',
  async run(app, args) {
    const root = repositoryRoot(app);
    if (isSet(args, 'trust')) return trustRepository(app, root, args);
    if (isSet(args, 'remove')) return unshare(root, args.positionals);
    if (args.positionals.length === 0) return listShared(app, root);
    const notes = await notesNamed(app, args.positionals);
    app.ensureActive();
    const place = app.place();
    const parts = notePartsOf(app.open(place.project), app.context(place));
    const shared = notes.map((note) => shareNote(parts, root, note));
    const lines = shared.map(
      ({ path, isRedacted }) =>
        `${path}${isRedacted ? app.style.dim('  a secret or a private path was removed') : ''}`,
    );
    return {
      value: shared.map(({ note, path, isRedacted }) => ({ id: note.id, path, isRedacted })),
      text: [
        ...lines,
        app.style.dim(`Commit ${repoNotesFolder} to share ${shared.length === 1 ? 'it' : 'them'}.`),
      ].join('\n'),
    };
  },
};

function unshare(root: string, wanted: string[]): Outcome {
  if (wanted.length === 0)
    throw new AppError('INVALID_ARGUMENT', 'no note given', { hint: 'backstory share' });
  const found = wanted.map((each) => findShared(root, each));
  for (const { path } of found) removeInside(root, path);
  return {
    value: found.map(({ path, note }) => ({ id: note.id, path })),
    text: `Removed ${found.map(({ path }) => path).join(', ')}. Commit it; the history of the repository still has ${found.length === 1 ? 'it' : 'them'}.`,
  };
}

/** Throws outside a git repository, and if the shared folder would be the Backstory home itself. */
export function repositoryRoot(app: App): string {
  const { root } = app.place();
  if (entryAt(root, '.git') !== 'none' && join(root, repoFolder) !== app.paths.home) return root;
  throw new AppError('REPO_NOT_DETECTED', `${root} is not a git repository`, {
    hint: 'Run the command in a git repository',
  });
}

async function listShared(app: App, root: string): Promise<Outcome> {
  const own = new Map((await app.open().notes.list()).map((note) => [note.id, note]));
  const unreadable: string[] = [];
  const shared = readRepoNotes(root, (path) => unreadable.push(path)).map(({ path, note }) => ({
    id: note.id,
    path,
    title: note.title,
    author: note.author,
    state: stateOf(own.get(note.id), note),
  }));
  const lines = [
    ...shared.map(
      ({ id, title, author, state }) =>
        `${app.style.bold(shortNoteId(id))} ${app.style.dim(`${harmlessLine(author, 20)}, ${state}`)} ${harmlessLine(title, 120)}`,
    ),
    ...unreadable.map((path) => app.style.bad(`${path} cannot be read`)),
  ];
  return {
    value: { shared, unreadable },
    text:
      lines.length === 0 ? 'No notes are shared here. To share one: backstory share ID' : lines.join('\n'),
  };
}

function stateOf(own: Note | undefined, shared: Note): string {
  if (own === undefined) return 'not read yet';
  if (own.author.startsWith('repo/')) return own.trust >= 2 ? 'trusted' : 'not trusted';
  return own.text.trim() === shared.text.trim() ? 'yours' : 'yours, and differs from your copy';
}

async function trustRepository(app: App, root: string, args: ParsedArgs): Promise<Outcome> {
  app.ensureActive();
  const parts = await drained({ ...app.open(), callerRoot: root });
  const waiting = selectNotes((await parts.notes.list()).filter(waitsForTrust), args.positionals);
  if (waiting.length === 0)
    return { value: { trusted: [] }, text: 'All texts of this repository are trusted.' };
  const question = `${waiting.map((note) => shown(app, note)).join('\n\n')}\n\nTrust ${plural(waiting.length, 'text')}? They may appear in the context of new sessions.`;
  if (!isSet(args, 'yes') && !(await app.confirm(question)))
    return { value: { trusted: [] }, text: 'Nothing was trusted.', exitCode: 1 };
  trustNotes(parts, app.context(app.place()), waiting);
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
