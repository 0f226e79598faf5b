import { AppError } from '../../base/errors.ts';
import { findNote, isFromRepository, type Note, shortNoteId } from '../../domain/note.ts';
import { removeInside } from '../../store/repo/repo-folder.ts';
import { type RepoNote, readRepoNotes, writeRepoNote } from '../../store/repo/repo-notes.ts';
import { rulesOnly } from '../redact/redact.ts';
import { distilAuthor } from './distil-mark.ts';
import type { NoteParts } from './remember.ts';

/**
 * Notes that leave the home folder for a repository, where everybody who can read it reads them. Only what the
 * user wrote or accepted goes, once more without secrets, and without what says where it came from.
 */
export interface Shared {
  note: Note;
  path: string;
  /** Something was taken out of it on the way. */
  isRedacted: boolean;
}

export function shareNote(parts: NoteParts, root: string, note: Note): Shared {
  if (isFromRepository(note))
    throw new AppError('INVALID_ARGUMENT', 'it comes from the repository', { hint: 'backstory share' });
  // A summary that nobody read names whatever files there were, and what was asked in between.
  const isUnread = note.kind === 'summary' && note.author === distilAuthor;
  if (note.trust < 2 || note.state !== 'active' || isUnread) {
    throw new AppError(
      'INVALID_ARGUMENT',
      'only a note that you wrote or accepted, and that holds, is shared',
      {
        hint: `backstory review --accept ${shortNoteId(note.id)}`,
      },
    );
  }
  const clean = asShared(parts, note);
  // Its visibility stays: a repository is one choice, and a team's server is another.
  const path = writeRepoNote(root, clean);
  return { note, path, isRedacted: clean.text !== note.text || clean.title !== note.title };
}

/** Our own secrets may have become known since it was written; and where somebody's home is, is nobody's business. */
export function asShared(
  { redactor = rulesOnly, userHome }: Pick<NoteParts, 'redactor' | 'userHome'>,
  note: Note,
): Note {
  const clean = (text: string): string =>
    redactor.redact(userHome.length > 1 ? text.replaceAll(userHome, '~') : text).trim();
  return {
    ...note,
    title: clean(note.title),
    text: clean(note.text),
    concepts: note.concepts.map(clean),
    files: note.files.map(clean),
  };
}

/** By the end or the beginning of its id, or by its path. */
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

export function unshareNote(root: string, { path }: RepoNote): void {
  removeInside(root, path);
}
