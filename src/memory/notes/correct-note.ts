import { isoTime, localDay } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { type Dispute, disputesOfOthers, isFromTeam, type Note, shortNoteId } from '../../domain/note.ts';
import { closeStatement, saveStatement } from './closing.ts';
import { type NoteParts, newNote } from './remember.ts';

export interface Correction {
  withdrawn: Note;
  now?: Note;
}

/**
 * Closes a note because the user says that it is wrong. If the user gives the right statement, it becomes a note of the
 * same kind about the same topic and files. The old note stays as history: new sessions do not receive it, and the same
 * statement is not extracted again from the same evidence.
 */
export async function correctNote(parts: NoteParts, note: Note, text?: string): Promise<Correction> {
  if (note.state === 'superseded')
    throw new AppError('CONFLICT', `the note is no longer valid since ${localDay(note.validTo)}`, {
      hint: `backstory show ${shortNoteId(note.id)}`,
    });
  const author = parts.context.actor || 'user';
  // Like a note that the user accepted, a note that the user judged is the user's, so that neither extraction nor the
  // repository changes it again. It becomes private, so that sync removes it from the team.
  const { replaces, ...rest } = note;
  const judged: Note = {
    ...rest,
    author,
    visibility: 'private',
    // A candidate has replaced nothing yet.
    ...(replaces === undefined || note.state === 'candidate' ? {} : { replaces }),
  };
  const now = isoTime(parts.clock.now());
  if (text === undefined)
    return {
      withdrawn: await closeStatement(parts, disputed(judged, { by: author, at: now }), {
        at: now,
        action: 'withdraw',
      }),
    };
  const { kind, files, visibility, everywhere } = note;
  const replacement = newNote(parts, { text, kind, concepts: [], files, trust: 3, author });
  const wrong = disputed(judged, { by: author, at: now, correction: replacement.id });
  const scope = everywhere === undefined ? {} : { everywhere };
  const saved = await saveStatement(parts, { ...replacement, visibility, ...scope }, [wrong]);
  return { withdrawn: (await parts.notes.get(note.id)) ?? wrong, now: saved };
}

/** Marks a teammate's note, so that the next sync tells the team. The user's own notes are removed from the team. */
const disputed = (note: Note, dispute: Dispute): Note =>
  isFromTeam(note) ? { ...note, disputes: [...disputesOfOthers(note), { ...dispute, isYours: true }] } : note;
