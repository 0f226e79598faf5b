import { AppError } from '../base/errors.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import {
  type ChangedLines,
  changedLines,
  commitsSince,
  uncommittedChanges,
} from '../git/uncommitted-changes.ts';
import type { Redactor } from '../memory/redact/redact.ts';
import { harmlessLine } from '../text/fence.ts';
import { commandStates } from './actions.ts';
import { type Brief, composeBrief, type Present } from './brief.ts';
import { carriedParts } from './carried-context.ts';
import { changedBetween, snapshotTree, treeOf } from './changed-since.ts';
import { denialsOf, isExcluded, recordStep, redactorOf, snapshotsOf, type WorkParts } from './work-parts.ts';
import { dirtyHashes, freshnessOf, isPresent } from './working-set.ts';

const maxCommits = 8;

export interface Resumed {
  /** All secrets that are known now are masked in it, also those that were unknown when it was taken. */
  snapshot: Snapshot;
  brief: Brief;
  /** Files that have changed since the snapshot, and files that changed since an agent of this work read them. */
  staleFiles: string[];
}

/** With `code`, the brief carries parts of the files that the earlier agents read. */
export async function resumeSnapshot(
  parts: WorkParts,
  snapshot: Snapshot,
  budgetTokens: number,
  code?: Pick<CodeSearch, 'source'>,
): Promise<Resumed> {
  const { session_id, snapshot_id } = snapshot.manifest;
  // The goal is not recorded: it may be the first line of a prompt, and forgetting the prompt must remove every copy.
  if (parts.mayWrite) recordStep(parts, { session: session_id, step: 'resume', snapshot: snapshot_id });
  return briefNow(parts, snapshot, budgetTokens, code);
}

export async function briefNow(
  parts: WorkParts,
  snapshot: Snapshot,
  budgetTokens: number,
  code?: Pick<CodeSearch, 'source'>,
): Promise<Resumed> {
  const { root } = parts.place;
  const { repo_base_commit, repo_commit } = snapshot.manifest;
  const [edits, lines, commits, newCommits] = await Promise.all([
    uncommittedChanges(root),
    changedLines(root),
    repo_base_commit === parts.place.head ? [] : commitsSince(root, repo_base_commit, maxCommits),
    repo_commit === parts.place.head ? [] : commitsSince(root, repo_commit, maxCommits),
  ]);
  const files = snapshot.working_set.files_read.filter(({ path }) => !isExcluded(parts, path));
  const freshness = freshnessOf(root, files, parts.project.device.key);
  const redactor = redactorOf(parts);
  const isIncluded = ({ path }: { path: string }): boolean => !isExcluded(parts, path);
  const included = edits === undefined ? undefined : { ...edits, files: edits.files.filter(isIncluded) };
  const now = included && treeOf(included.head, dirtyHashes(parts, included.files));
  for (const path of now === undefined ? [] : await changedBetween(root, snapshotTree(snapshot), now))
    if (!freshness.has(path) && isIncluded({ path }))
      freshness.set(redactor.redact(path), isPresent(root, path) ? 'changed' : 'gone');
  const masked = redactor.maskDeep(snapshot);
  const isDenied = denialsOf(parts);
  const commands = commandStates(masked.action_log).map(({ command }) => command);
  const unchanged = files.filter(({ path }) => freshness.get(path) === 'unchanged' && !isDenied({ path }));
  // Git's output has not been redacted yet, and a secret may have become known after the snapshot.
  const present: Present = {
    edits: redactor.redactDeep(included),
    lines: lines
      .filter(isIncluded)
      .slice(0, maxDiffs)
      .map((file) => redactLines(file, redactor)),
    commits: redactor.redactDeep(commits.filter(({ hash }) => newCommits.every((one) => one.hash !== hash))),
    freshness,
    newCommits: redactor.redactDeep(newCommits),
    carried:
      code === undefined
        ? []
        : await carriedParts(unchanged, (path) => shownText(code, path, redactor), parts.project.device.key),
    denied: new Set([
      ...commands.filter((command) => isDenied({ command })),
      ...files.map(({ path }) => path).filter((path) => isDenied({ path })),
    ]),
  };
  const brief = composeBrief(masked, present, budgetTokens);
  const staleFiles = [...freshness].flatMap(([path, state]) => (state === 'unchanged' ? [] : [path])).sort();
  return { snapshot: masked, brief, staleFiles };
}

/** Returns the text of a file that code search may show and that contains no secret. Ignored files are not shown. */
async function shownText(
  code: Pick<CodeSearch, 'source'>,
  path: string,
  { redact }: Redactor,
): Promise<string | undefined> {
  const found = await code.source(path).catch(() => undefined);
  return found?.path === path && redact(found.text) === found.text ? found.text : undefined;
}

const maxDiffs = 40;

/** Redacts all lines of a file together, because a secret may span several lines. */
const redactLines = (file: ChangedLines, { redact }: Redactor): ChangedLines => ({
  ...file,
  path: redact(file.path),
  lines: redact(file.lines.join('\n')).split('\n'),
});

export function findSnapshot(parts: WorkParts, id?: string): Snapshot {
  const files = snapshotsOf(parts);
  const found =
    id === undefined
      ? files.list().findLast(({ manifest }) => manifest.repo_root === parts.place.root)
      : files.get(id);
  if (found !== undefined) return found;
  throw new AppError(
    'NOT_FOUND',
    id === undefined ? 'this checkout has no snapshot yet' : `no snapshot has the id ${id.slice(0, 200)}`,
    {
      hint:
        id === undefined
          ? 'Create one: backstory handoff codex'
          : 'Run backstory handoff resume without an id for the newest; the tool session_snapshot_list lists all',
    },
  );
}

/**
 * The first prompt for an agent that takes over work. When this prompt is captured, the brief, which is inside
 * Backstory's tags, is removed, and the rest is recorded as the user's words. A goal that an agent worded is therefore
 * only in the brief.
 */
export function startPrompt({ manifest }: Snapshot, { text }: Pick<Brief, 'text'>): string {
  const goal = manifest.goal_by === 'user' ? harmlessLine(manifest.goal, 240) : '';
  return [
    `Go on with this work${goal === '' ? '' : `: ${goal}`}`,
    '',
    `It was handed to you from another agent. First call the tool session_resume of backstory with snapshot_id ${manifest.snapshot_id}; if you do not have that tool, use the text below, which says the same.`,
    '',
    text,
  ].join('\n');
}
