import type { Edit } from '../domain/edit.ts';
import {
  type AuthorshipLog,
  formatAuthorshipLog,
  isAttestablePath,
  keysOfLine,
  parseAuthorshipLog,
} from '../git/authorship-log.ts';
import type { BlamedLine } from '../git/blame.ts';
import { type NotedCommit, readNotedCommits } from '../git/notes.ts';
import { readObjects } from '../git/objects.ts';
import { linesAdded } from '../git/patch.ts';
import { commitsOf, findRange, patchOf, type RangeCommit, type RevisionRange } from '../git/revisions.ts';
import { type Evidence, withEvidence } from '../recall/evidence.ts';
import { type RecallParts, thoroughLimits } from '../recall/with-index.ts';
import { type EditLookup, findWriters } from '../why/find-writers.ts';
import { writtenAt } from '../why/past-files.ts';
import { type Author, authorOf, type FoundAuthors, mergeLog, obstacleIn } from './merge-log.ts';
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
  reason?: string;
}

export interface AttributeOptions {
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
  { isReplacing = false, onProgress }: AttributeOptions = {},
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
    const added = await addedLines(root, commit, parents[0]?.slice('parent '.length));
    changes.push({ commit, noted, ...added, open: added.lines, found: new Map() });
  }
  return withEvidence(parts, thoroughLimits, async (evidence) => {
    const edits = await notedEdits(root, {
      except: new Set(commits.map(({ hash }) => hash)),
      paths: new Set(changes.flatMap(({ lines }) => lines.map(({ path }) => path))),
    });
    const known = { evidence, edits, used: new Set<string>() };
    for (const [done, change] of changes.entries()) {
      await findAuthors(root, change, writtenAt(change.noted.object), [evidence, edits], known);
      onProgress?.(done + 1, changes.length);
    }
    for (const change of changes)
      if (change.commit.at > writtenAt(change.noted.object))
        await findAuthors(root, change, change.commit.at, [amending(root, change, known)], known);
    return changes.map((change) => attribute(change, isReplacing));
  });
}

interface Known {
  evidence: Evidence;
  edits: NotedEdits;
  /** Ids of the edits that wrote lines of a commit. */
  used: Set<string>;
}

/** Unused edits that were made while an earlier form of a commit was checked out: it has the same author and time. */
function amending(root: string, { noted }: Change, { evidence, used }: Known): EditLookup {
  const authorIn = (object = '') => /^author .*/m.exec(object)?.[0];
  const only = async (edits: Edit[]) => {
    const heads = await readObjects(root, [...new Set(edits.map(({ head }) => head || 'HEAD'))]);
    const isOwn = ({ head }: Edit) => authorIn(heads.get(head)) === authorIn(noted.object);
    return edits.filter((edit) => !used.has(edit.id) && isOwn(edit));
  };
  return {
    isEmpty: evidence.isEmpty,
    editsWithLines: async (hashes) => only(await evidence.editsWithLines(hashes)),
    editsOfFile: async (path) => only(await evidence.editsOfFile(path)),
  };
}

interface Change {
  commit: RangeCommit;
  noted: NotedCommit;
  lines: BlamedLine[];
  isTooLarge: boolean;
  open: BlamedLine[];
  found: FoundAuthors;
}

async function addedLines(root: string, { hash, at }: RangeCommit, parent: string | undefined) {
  const range = parent === undefined ? await findRange(root, hash) : { name: hash, base: parent, head: hash };
  const patch = range && (await patchOf(root, range));
  const files = (patch ?? []).filter(({ path }) => path !== '' && isAttestablePath(path));
  const lines = files.flatMap((file) => linesAdded(file, { commit: hash, base: parent, at }));
  return { lines, isTooLarge: patch === undefined };
}

function attribute(
  { commit, noted, lines, isTooLarge, found }: Change,
  isReplacing: boolean,
): CommitAttribution {
  const existing = noted.note === undefined ? undefined : parseAuthorshipLog(noted.note);
  const obstacle =
    existing && (typeof existing === 'string' ? `its note has ${existing}` : obstacleIn(existing));
  const kept = isReplacing || typeof existing === 'string' || obstacle !== undefined ? undefined : existing;
  const log = mergeLog(kept, found);
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
  const added = lines.length;
  return { commit, added, named, log, note, state, ...(reason === undefined ? {} : { reason }) };
}

async function findAuthors(
  root: string,
  change: Change,
  at: number,
  lookups: EditLookup[],
  { evidence, edits, used }: Known,
): Promise<void> {
  const { noted, found } = change;
  const human = /^author (.*>) \d+ [+-]\d{4}$/m.exec(noted.object)?.[1] ?? '';
  for (const lookup of lookups) {
    const lines = change.open.map((line) => ({ ...line, at }));
    change.open = [];
    const target = { path: '', disk: () => [], now: 0 };
    for (const { line, edit } of await findWriters(root, lines, target, lookup)) {
      const author = edit && (edits.authorOf(edit) ?? authorOf(edit, await evidence.modelOf(edit), human));
      if (author === undefined) change.open.push(line);
      else found.set(line.path, (found.get(line.path) ?? new Map<number, Author>()).set(line.line, author));
      if (edit !== undefined) used.add(edit.id);
    }
  }
}
