import { isoTime } from '../../base/clock.ts';
import type { Drift } from '../../domain/anchor.ts';
import type { Chunk } from '../../domain/chunk.ts';
import type { FailedPath } from '../../domain/failed-path.ts';
import type { Note } from '../../domain/note.ts';
import { checkDrift } from '../../drift/check-drift.ts';
import { type CheckedCode, headOf } from '../../drift/current-code.ts';
import { chunksOfNote } from '../../recall/chunks.ts';
import type { Evidence } from '../../recall/evidence.ts';
import { failedPathsIn } from '../../recall/failed-paths.ts';
import { harmlessLine } from '../../text/fence.ts';
import { safeName } from '../../text/safe-name.ts';
import type { PreludeLine } from './prelude-file.ts';
import { bareCommand } from './short-command.ts';

/** Marks for notes and chunks whose code has changed, by id. */
export interface CodeMarks {
  /** Prefix for the text of a note or chunk; empty if its code is unchanged. */
  before(id: string): string;
  /** A line that names the commit of the comparison; none if nothing was compared. */
  lines: PreludeLine[];
}

export const noMarks: CodeMarks = { before: () => '', lines: [] };

const budgetMs = 10_000;

/**
 * Compares the code that the notes of a prelude refer to with the current code. The hook that later shows the prelude
 * to a new session has no time for that, so the result is part of the text, together with the commit at which it was
 * determined.
 */
export async function codeMarks(
  notes: Note[],
  chunks: Chunk[],
  evidence: Evidence,
  code: CheckedCode,
): Promise<CodeMarks> {
  const ofNotes = notes.flatMap((note) => chunksOfNote(note, '').slice(0, 1));
  const drifts = await checkDrift([...ofNotes, ...chunks], evidence, { ...code, budgetMs });
  const marks = new Map<string, string>();
  let hasAnchors = false;
  for (const [chunk, drift] of drifts) {
    hasAnchors ||= !['unanchored', 'unchecked'].includes(drift.state);
    marks.set(chunk.source === 'note' ? chunk.sourceId : chunk.id, markOf(drift));
  }
  return { before: (id) => marks.get(id) ?? '', lines: hasAnchors ? [checkedLine(code)] : [] };
}

function markOf({ state, by, branch = '' }: Drift): string {
  const since = by === undefined || by === 'uncommitted' ? '' : ` since ${by.slice(0, 12)}`;
  if (state === 'gone') return `(no longer so: its code is gone${since}) `;
  if (state === 'elsewhere') return `(on ${safeName('branch', branch)} only) `;
  return state === 'changed' ? `(its code has changed${since}; look first) ` : '';
}

function checkedLine({ root }: CheckedCode): PreludeLine {
  const { head, branch } = headOf(root);
  const at = head === '' ? '' : ` at ${head.slice(0, 12)}`;
  return {
    section: 'Going on',
    text: `what was decided was compared with the code${at}${branch === '' ? '' : ` on ${safeName('branch', branch)}`}, and not since`,
    reason: 'seen by Backstory',
  };
}

const maxFiles = 12;
const maxReverted = 2;
const maxRevertedAgeMs = 30 * 24 * 60 * 60_000;

/**
 * Changes that were tried in recently edited files and reverted. A session that continues this work might try them
 * again; for other files they would be noise.
 */
export async function revertedLines(
  files: string[],
  now: number,
  evidence: Evidence,
): Promise<PreludeLine[]> {
  const found: FailedPath[] = [];
  for (const path of files.slice(0, maxFiles)) found.push(...(await failedPathsIn(path, evidence)));
  return found
    .filter(({ at, prompt }) => prompt?.by === 'user' && now - at < maxRevertedAgeMs)
    .sort((a, b) => b.at - a.at)
    .filter(({ prompt }, at, all) => all.findIndex((other) => other.prompt?.id === prompt?.id) === at)
    .slice(0, maxReverted)
    .map(({ at, path, prompt, failure }) => {
      const command = failure === undefined ? '' : bareCommand(failure.text);
      const why = command === '' ? '' : `, after \`${command}\` failed`;
      const asked = `${harmlessLine(prompt?.text ?? '', 200)} [${prompt?.id.slice(0, 8)}]`;
      return {
        section: 'Failed before',
        text: `${isoTime(at).slice(0, 10)} tried in ${safeName('file', path)} and reverted${why}; you had asked: ${asked}`,
        reason: 'seen by Backstory, and a prompt of yours',
      };
    });
}
