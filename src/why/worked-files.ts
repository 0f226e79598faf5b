import { readCheckoutText } from '../base/checkout-file.ts';
import { lineHash } from '../base/hash.ts';
import type { Note } from '../domain/note.ts';
import { stepsOf } from '../memo/steps.ts';
import { withEvidence } from '../recall/evidence.ts';
import { takenBack } from '../recall/failed-paths.ts';
import type { RecallLimits, RecallParts } from '../recall/with-index.ts';
import { isDistinctive, linesIn } from '../text/line-index.ts';
import type { WorkedFile } from '../wire/answers/file-page.ts';
import { maxFileBytes } from './past-files.ts';

const maxFiles = 1_000;
const decided: Note['kind'][] = ['decision', 'rule'];

/**
 * Lists the files of a checkout that agents edited or notes are about, the latest first. A line counts as an agent's if
 * an edit of the file added it and the file still has it. That is cheaper than blame and, where a person wrote the same
 * line, too much; the page of a file says who wrote each line.
 */
export async function listWorkedFiles(
  { parts, root }: { parts: RecallParts; root: string },
  limits: RecallLimits,
): Promise<{ files: WorkedFile[]; isCut: boolean }> {
  const latest = new Map<string, number>();
  const setLatest = (path: string, at: number) => latest.set(path, Math.max(at, latest.get(path) ?? 0));
  for (const step of (await stepsOf(parts, { kinds: ['edit'] })).steps)
    if (step.kind === 'edit') setLatest(step.path, step.at);
  const notes = (await parts.notes.list()).filter(({ state }) => state === 'active');
  for (const { files, updated } of notes) for (const path of files) setLatest(path, Date.parse(updated));
  const countOf = (kinds: Note['kind'][], path: string): number =>
    notes.filter(({ kind, files }) => kinds.includes(kind) && files.includes(path)).length;
  const paths = [...latest].sort((a, b) => b[1] - a[1]);
  return withEvidence(parts, limits, async (evidence) => {
    const files: WorkedFile[] = [];
    for (const [path, at] of paths.slice(0, maxFiles)) {
      const text = readCheckoutText(root, path, maxFileBytes);
      if (text === undefined) continue;
      const edits = await evidence.editsOfFile(path);
      const added = new Set(edits.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.added)));
      const lines = linesIn(text).filter(isDistinctive);
      files.push({
        path,
        at,
        lines: lines.length,
        agentLines: lines.filter((line) => added.has(lineHash(line))).length,
        decisions: countOf(decided, path),
        failures: countOf(['failed'], path) + takenBack(edits),
      });
    }
    return { files, isCut: paths.length > maxFiles };
  });
}
