import type { z } from 'zod';
import { readCheckoutFile } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import { withEvidence } from '../recall/evidence.ts';
import { failedPathsIn } from '../recall/failed-paths.ts';
import type { RecallLimits, RecallParts } from '../recall/with-index.ts';
import { fileLines } from '../text/file-lines.ts';
import type { Drift, whyAnswer } from '../wire/answers/memory.ts';
import { notesOn, type StoryNote } from './file-story.ts';
import { explainedOrigins, originsOfLines, pathsOf } from './origins.ts';
import { maxFileBytes } from './past-files.ts';

/**
 * Asks why lines are as they are. Git provides the commit, edit events provide the agent session that wrote them, and
 * the session provides the reason. Nothing is guessed: a line without evidence gets its commit and no session.
 */
export interface WhyQuery {
  path: string;
  /** Line numbers from 1, both ends included. Without a range, `why` explains the whole file. */
  range?: { from: number; to: number };
}

export type WhyAnswer = Omit<z.infer<typeof whyAnswer>, 'notes'> & { notes: (Chunk & { drift?: Drift })[] };

const maxExplained = 5;
const maxNotes = 5;

export async function why(
  { parts, root }: { parts: RecallParts; root: string },
  { path, range }: WhyQuery,
  { now, limits, code }: { now: number; limits: RecallLimits; code: CheckedCode },
): Promise<WhyAnswer> {
  const disk = readLines(root, path);
  const { from, to } = rangeIn(disk, path, range);
  return withEvidence(parts, limits, async (evidence) => {
    const query = { path, text: disk, range: range && { from, to }, now };
    const found = await originsOfLines(root, query, evidence);
    const origins = await explainedOrigins(root, found, evidence, maxExplained);
    const notes = await notesOn(pathsOf(path, found), path, evidence, code);
    const isAbout = ({ chunk, drift, lines }: StoryNote): boolean =>
      range === undefined ||
      // Of code that changed, nobody knows which lines it is now.
      (lines.length === 0 && (chunk.kind === 'rule' || drift.state === 'changed')) ||
      lines.some(([first, last]) => first <= to && last >= from);
    return {
      path,
      from,
      to,
      origins,
      notes: notes
        .filter(isAbout)
        .slice(0, maxNotes)
        .map(({ chunk, drift }) => ({ ...chunk, drift })),
      failedPaths: await failedPathsIn(path, evidence),
    };
  });
}

function readLines(root: string, path: string): string[] {
  const file = readCheckoutFile(root, path, maxFileBytes);
  if (file.kind === 'absent' || file.kind === 'refused') {
    throw new AppError('NOT_FOUND', `${path} is not a file of this checkout`, {
      hint: 'Find it: backstory search --files NAME',
    });
  }
  if (file.kind === 'large') {
    throw new AppError('INVALID_ARGUMENT', `${path} is too large`, {
      hint: `Ask git instead: git blame ${path}`,
    });
  }
  return fileLines(file.bytes.toString('utf8'));
}

/** The lines of a file that were asked for. An end behind the last line means the last line. */
export function rangeIn(
  disk: string[],
  path: string,
  range: WhyQuery['range'],
): { from: number; to: number } {
  const { from, to } = range ?? { from: 1, to: disk.length };
  if (from < 1 || from > disk.length || to < from) {
    throw new AppError('INVALID_ARGUMENT', `${path} has ${disk.length} lines`, {
      hint: `Choose one of them: backstory why ${path}:${Math.min(Math.max(1, from), disk.length)}`,
    });
  }
  return { from, to: Math.min(to, disk.length) };
}
