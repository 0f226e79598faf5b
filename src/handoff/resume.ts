import { AppError } from '../base/errors.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import {
  type ChangedLines,
  changedLines,
  commitsSince,
  uncommittedChanges,
} from '../git/uncommitted-changes.ts';
import type { Redactor } from '../memory/redact/redact.ts';
import { type Brief, composeBrief, type Present } from './brief.ts';
import { isExcluded, recordStep, redactorOf, snapshotsOf, type WorkParts } from './work-parts.ts';
import { freshnessOf } from './working-set.ts';

const maxCommits = 8;

export interface Resumed {
  /** Without what has become known as a secret since. */
  snapshot: Snapshot;
  brief: Brief;
  /** Files of the working set that are no longer what they were. */
  staleFiles: string[];
}

/** The agent that asks goes on with the work session of the snapshot. */
export async function resumeSnapshot(
  parts: WorkParts,
  snapshot: Snapshot,
  budgetTokens: number,
): Promise<Resumed> {
  const { session_id, snapshot_id } = snapshot.manifest;
  // Without the goal, which may be a prompt's first line: forgotten with the prompt, it would stand here still.
  if (parts.mayWrite) recordStep(parts, { session: session_id, step: 'resume', snapshot: snapshot_id });
  return briefNow(parts, snapshot, budgetTokens);
}

/** A snapshot told against the working tree as it is now. */
export async function briefNow(parts: WorkParts, snapshot: Snapshot, budgetTokens: number): Promise<Resumed> {
  const { root } = parts.place;
  const { repo_base_commit } = snapshot.manifest;
  const [edits, lines, commits] = await Promise.all([
    uncommittedChanges(root),
    changedLines(root),
    // Where nothing was committed since, git need not be asked.
    repo_base_commit === parts.place.head ? [] : commitsSince(root, repo_base_commit, maxCommits),
  ]);
  const freshness = freshnessOf(root, snapshot.working_set.files_read);
  const redactor = redactorOf(parts);
  const isTold = ({ path }: { path: string }): boolean => !isExcluded(parts, path);
  const told = edits === undefined ? undefined : { ...edits, files: edits.files.filter(isTold) };
  // Git tells what stands in files, which nobody has been over yet; a snapshot may be older than a secret is known.
  const present: Present = {
    edits: redactor.redactDeep(told),
    lines: lines
      .filter(isTold)
      .slice(0, maxDiffs)
      .map((file) => cleanLines(file, redactor)),
    commits: redactor.redactDeep(commits),
    freshness,
  };
  const masked = redactor.maskDeep(snapshot);
  const brief = composeBrief(masked, present, budgetTokens);
  const staleFiles = [...freshness].flatMap(([path, state]) => (state === 'unchanged' ? [] : [path])).sort();
  return { snapshot: masked, brief, staleFiles };
}

const maxDiffs = 40;

/** All lines of a file at once: some secrets go over several. */
const cleanLines = (file: ChangedLines, { redact }: Redactor): ChangedLines => ({
  ...file,
  path: redact(file.path),
  lines: redact(file.lines.join('\n')).split('\n'),
});

/** By id; without one the newest of this checkout. */
export function findSnapshot(parts: WorkParts, id?: string): Snapshot {
  const files = snapshotsOf(parts);
  const found =
    id === undefined
      ? files.list().findLast(({ manifest }) => manifest.repo_root === parts.place.root)
      : files.get(id);
  if (found !== undefined) return found;
  throw new AppError(
    'NOT_FOUND',
    id === undefined ? 'there is no snapshot here yet' : `there is no snapshot called ${id.slice(0, 200)}`,
    {
      hint:
        id === undefined
          ? 'backstory handoff codex'
          : 'backstory resume without a name takes the newest; session_snapshot_list lists them',
    },
  );
}
