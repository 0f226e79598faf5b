import { AppError } from '../../base/errors.ts';
import { findNote, isEverywhere, isFromRepository, type Note, shortNoteId } from '../../domain/note.ts';
import { type RepoNote, readRepoNotes, writeRepoNote } from '../../store/repo/repo-notes.ts';
import { distilAuthor } from './distil-mark.ts';
import type { NoteParts } from './remember.ts';

export const staysHere = (place: string): AppError =>
  new AppError('INVALID_ARGUMENT', `a note for every project is yours alone and does not go to ${place}`, {
    hint: 'Write a note for this project: backstory remember "…"',
  });

/**
 * Writes a note to a repository, where everyone with access can read it. Only notes that the user wrote or accepted are
 * shared, after another redaction and without their provenance. `isRedacted` says whether that removed secrets or the
 * path of the home folder.
 */
export function shareNote(parts: NoteParts, root: string, note: Note) {
  if (isFromRepository(note))
    throw new AppError('INVALID_ARGUMENT', 'this note comes from the repository', {
      hint: 'backstory share',
    });
  if (isEverywhere(note)) throw staysHere('a repository');
  // A summary that Backstory wrote may name any file and quote any prompt, and the user has not read it. So it is not
  // shared.
  const isUnread = note.kind === 'summary' && note.author === distilAuthor;
  if (note.trust < 2 || note.state !== 'active' || isUnread) {
    throw new AppError('INVALID_ARGUMENT', 'only an active note that you wrote or accepted can be shared', {
      hint: `backstory review --accept ${shortNoteId(note.id)}`,
    });
  }
  const clean = asShared(parts, note);
  // `visibility` does not change: it is about the team server, not the repository.
  const path = writeRepoNote(root, clean);
  return { note, path, isRedacted: clean.text !== note.text || clean.title !== note.title };
}

/** Redacts again, because the project's secrets may have been added after the note was written, and hides the home path. */
export const cleanForRepository = (
  { redactor, userHome }: Pick<NoteParts, 'redactor' | 'userHome'>,
  text: string,
): string => redactor.redact(userHome.length > 1 ? text.replaceAll(userHome, '~') : text).trim();

export function asShared(parts: Pick<NoteParts, 'redactor' | 'userHome'>, note: Note): Note {
  const clean = (text: string): string => cleanForRepository(parts, text);
  // In which projects of this machine the user muted it is of no use elsewhere.
  const { mutedIn: _, ...rest } = note;
  return {
    ...rest,
    title: clean(note.title),
    text: clean(note.text),
    concepts: note.concepts.map(clean),
    files: note.files.map(clean),
  };
}

/** Finds a shared note by a prefix or suffix of its id, or by its path. */
export function findShared(root: string, wanted: string): RepoNote {
  const shared = readRepoNotes(root, () => {});
  const named = findNote(
    shared.map(({ note }) => note),
    wanted,
  );
  const found = shared.find(({ path, note }) => path === wanted || note === named);
  if (found !== undefined) return found;
  throw new AppError('NOT_FOUND', `no note of the repository has the id ${wanted}`, {
    hint: 'backstory share',
  });
}
