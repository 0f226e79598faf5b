import { AppError } from '../base/errors.ts';
import { isEverywhere, type Note } from '../domain/note.ts';
import { type NoteParts, reviseNote, saveNote } from '../memory/notes/remember.ts';
import { staysHere } from '../memory/notes/share.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { type Membership, membershipOf, tokenFor } from './membership.ts';
import { isUnreachable } from './request-server.ts';
import { quickBounds, syncNotes } from './sync.ts';
import { readState } from './sync-state.ts';

export function teamOf({ paths, project }: OpenProject): Membership {
  const membership = membershipOf(paths, project);
  if (membership !== undefined) return membership;
  throw new AppError('NOT_INSTALLED', 'this project has not joined a team', {
    hint: 'backstory team join https://team.example.org',
  });
}

/** Marks a note to be sent with the next sync. Throws if it may not be shared. */
export async function markShared(project: OpenProject, parts: NoteParts, note: Note): Promise<Note> {
  if (isEverywhere(note)) throw staysHere('a team');
  const known = Object.values(readState(project.paths.project(project.project).teamSync).notes);
  if (known.some(({ id, isGone }) => id === note.id && isGone === true))
    throw new AppError('CONFLICT', 'this note was removed from the team and cannot be pushed again', {
      hint: 'Write a new note: backstory remember "…", then backstory team push NOTE',
    });
  return markAs(parts, note, 'team');
}

export async function markAs(parts: NoteParts, note: Note, visibility: Note['visibility']): Promise<Note> {
  if (note.visibility === visibility) return note;
  const marked = reviseNote(parts, note, { visibility });
  await saveNote(parts, marked, visibility === 'team' ? 'share' : 'unshare');
  return marked;
}

/**
 * Shares a note with the team, or takes it back. If the server is unreachable, the next sync does it: the note is
 * already marked.
 */
export async function shareWithTeam(
  project: OpenProject,
  parts: NoteParts,
  note: Note,
  isOn: boolean,
): Promise<Note> {
  const membership = teamOf(project);
  const marked = isOn ? await markShared(project, parts, note) : await markAs(parts, note, 'private');
  const chosen = isOn ? [note.id] : [];
  try {
    const token = tokenFor(project.paths, membership.url);
    await syncNotes({ parts: project, membership, token, chosen }, quickBounds);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
  }
  return marked;
}
