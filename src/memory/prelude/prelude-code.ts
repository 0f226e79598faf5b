import type { Note } from '../../domain/note.ts';
import { checkDrift } from '../../drift/check-drift.ts';
import type { CheckedCode } from '../../drift/current-code.ts';
import { chunksOfNote } from '../../recall/chunks.ts';
import type { Evidence } from '../../recall/evidence.ts';
import { safeName } from '../../text/safe-name.ts';
import type { Drift } from '../../wire/answers/memory.ts';

export interface CodeMarks {
  /** Prefix for the text of a note; empty if its code is unchanged. */
  before(id: string): string;
}

export const noMarks: CodeMarks = { before: () => '' };

const budgetMs = 10_000;

/** The hook that shows the prelude has no time for the comparison, so its result is part of the text. */
export async function codeMarks(notes: Note[], evidence: Evidence, code: CheckedCode): Promise<CodeMarks> {
  const ofNotes = notes.flatMap((note) => chunksOfNote(note, '')[0] ?? []);
  const drifts = await checkDrift(ofNotes, evidence, { ...code, budgetMs });
  const marks = new Map<string, string>();
  for (const [chunk, drift] of drifts) marks.set(chunk.sourceId, markOf(drift));
  return { before: (id) => marks.get(id) ?? '' };
}

/** What to say before a note about this code; empty if the note still holds, or nothing was compared. */
export function markOf({ state, by, branch = '' }: Drift): string {
  const since = by === undefined || by === 'uncommitted' ? '' : ` since ${by.slice(0, 12)}`;
  if (state === 'gone') return `(no longer so: its code is gone${since}) `;
  if (state === 'elsewhere') return `(written on ${safeName('branch', branch)}, not here) `;
  return state === 'changed' ? `(its code has changed${since}; look first) ` : '';
}
