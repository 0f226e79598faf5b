import {
  type AuthorshipLog,
  formatAuthorshipLog,
  isAttestablePath,
  keysOfLine,
  parseAuthorshipLog,
} from '../git/authorship-log.ts';
import type { BlamedLine } from '../git/blame.ts';
import { type NotedCommit, readNotedCommits } from '../git/notes.ts';
import type { PatchFile } from '../git/patch.ts';
import { commitsOf, findRange, patchOf, type RangeCommit, type RevisionRange } from '../git/revisions.ts';
import { type Evidence, withEvidence } from '../recall/evidence.ts';
import type { RecallLimits, RecallParts } from '../recall/with-index.ts';
import { findWriters } from '../why/find-writers.ts';
import { type Author, authorOf } from './author.ts';
import { type FoundAuthors, mergeLog, obstacleIn } from './merge-log.ts';
import { type NotedEdits, notedEdits } from './noted-edits.ts';

/** What the note of a commit says, and would say. */
export interface CommitAttribution {
  commit: RangeCommit;
  /** Number of lines that the commit adds, and of those whose author is named. */
  added: number;
  named: number;
  log: AuthorshipLog;
  /** The text of the note; empty if no author is known. */
  note: string;
  state: 'new' | 'changed' | 'same' | 'none' | 'left';
  /** Why an existing note is left as it is. */
  reason?: string;
}

export interface AttributeOptions {
  limits: RecallLimits;
  /** Ignores existing notes of the commits. */
  isReplacing?: boolean;
  onProgress?: (done: number, total: number) => void;
}

/**
 * Finds the authors of the lines that commits add, by their content: first among the edits that were recorded here,
 * then among the lines that notes of other commits attest. So a commit that was squashed, rebased, picked or amended is
 * treated like any other.
 */
export async function attributeCommits(
  { parts, root }: { parts: RecallParts; root: string },
  range: RevisionRange,
  { limits, isReplacing = false, onProgress }: AttributeOptions,
): Promise<CommitAttribution[]> {
  const commits = await commitsOf(root, range);
  const objects = await readNotedCommits(
    root,
    commits.map(({ hash }) => hash),
  );
  const changes: Change[] = [];
  for (const commit of commits) {
    const noted = objects.get(commit.hash);
    const parents = noted?.object.match(/^parent [0-9a-f]+$/gm) ?? [];
    // The lines of a merge are those of the commits that it joins.
    if (noted === undefined || parents.length > 1) continue;
    changes.push({ commit, noted, ...(await addedLines(root, commit, parents[0]?.slice('parent '.length))) });
  }
  return withEvidence(parts, limits, async (evidence) => {
    const edits = await notedEdits(root, {
      except: new Set(commits.map(({ hash }) => hash)),
      paths: new Set(changes.flatMap(({ lines }) => lines.map(({ path }) => path))),
    });
    const attributed: CommitAttribution[] = [];
    for (const change of changes) {
      attributed.push(await attribute(root, change, { evidence, edits, isReplacing }));
      onProgress?.(attributed.length, changes.length);
    }
    return attributed;
  });
}

interface Change {
  commit: RangeCommit;
  noted: NotedCommit;
  lines: BlamedLine[];
  isTooLarge: boolean;
}

async function addedLines(
  root: string,
  commit: RangeCommit,
  parent: string | undefined,
): Promise<Pick<Change, 'lines' | 'isTooLarge'>> {
  const { hash } = commit;
  const range = parent === undefined ? await findRange(root, hash) : { name: hash, base: parent, head: hash };
  const patch = range && (await patchOf(root, range));
  const lines = (patch ?? []).flatMap((file) => linesOf(file, commit, parent));
  return { lines, isTooLarge: patch === undefined };
}

const linesOf = (
  { path, oldPath, hunks }: PatchFile,
  { hash, at, author, subject }: RangeCommit,
  parent: string | undefined,
): BlamedLine[] =>
  path === '' || !isAttestablePath(path)
    ? []
    : hunks.flatMap(({ start, added }) =>
        added.map((text, index) => ({
          line: start + index,
          text,
          commit: hash,
          path,
          originalLine: start + index,
          previous: oldPath === '' || parent === undefined ? undefined : { commit: parent, path: oldPath },
          author,
          at,
          summary: subject,
        })),
      );

async function attribute(
  root: string,
  { commit, noted, lines, isTooLarge }: Change,
  { evidence, edits, isReplacing }: { evidence: Evidence; edits: NotedEdits; isReplacing: boolean },
): Promise<CommitAttribution> {
  const existing = noted.note === undefined ? undefined : parseAuthorshipLog(noted.note);
  const obstacle =
    existing && (typeof existing === 'string' ? `its note has ${existing}` : obstacleIn(existing));
  const kept = isReplacing || typeof existing === 'string' || obstacle !== undefined ? undefined : existing;
  const log = mergeLog(kept, await authorsOf(root, lines, noted, { evidence, edits }));
  const note = log.files.size === 0 ? '' : formatAuthorshipLog(log, commit.hash);
  const named = lines.filter(({ path, line }) => keysOfLine(log, path, line).length > 0).length;
  const before =
    kept === undefined ? noted.note : formatAuthorshipLog(mergeLog(kept, new Map()), commit.hash);
  const reason = isTooLarge ? 'it is too large to compare' : isReplacing ? undefined : obstacle;
  const state =
    reason !== undefined
      ? 'left'
      : note === before
        ? 'same'
        : note === ''
          ? 'none'
          : before === undefined
            ? 'new'
            : 'changed';
  return {
    commit,
    added: lines.length,
    named,
    log,
    note,
    state,
    ...(reason === undefined ? {} : { reason }),
  };
}

async function authorsOf(
  root: string,
  lines: BlamedLine[],
  { object }: NotedCommit,
  { evidence, edits }: { evidence: Evidence; edits: NotedEdits },
): Promise<FoundAuthors> {
  const found: FoundAuthors = new Map();
  const human = /^author (.*>) \d+ [+-]\d{4}$/m.exec(object)?.[1] ?? '';
  const target = { path: '', disk: [], now: 0 };
  const open: BlamedLine[] = [];
  const put = ({ path, line }: BlamedLine, author: Author) =>
    found.set(path, (found.get(path) ?? new Map<number, Author>()).set(line, author));
  for (const { line, edit } of await findWriters(root, lines, target, evidence))
    if (edit === undefined) open.push(line);
    else put(line, authorOf(edit, await evidence.modelOf(edit), human));
  for (const { line, edit } of await findWriters(root, open, target, edits)) {
    const author = edit && edits.authorOf(edit);
    if (author !== undefined) put(line, author);
  }
  return found;
}
