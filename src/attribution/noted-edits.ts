import { lineHash } from '../base/hash.ts';
import type { Edit } from '../domain/edit.ts';
import { type AuthorshipLog, parseAuthorshipLog, recordKeyOf, recordOf } from '../git/authorship-log.ts';
import { readAllNotes } from '../git/notes.ts';
import { readObjects } from '../git/objects.ts';
import { linesIn } from '../text/line-index.ts';
import type { EditLookup } from '../why/find-writers.ts';
import { writtenAt } from '../why/past-files.ts';
import { type Author, isStandardKey, standardRecord } from './merge-log.ts';

/** What notes attest, in the form of edits, so that lines are found by content as those of recorded edits are. */
export interface NotedEdits extends EditLookup {
  authorOf(edit: Edit): Author | undefined;
}

/** Bounds the objects that are read. Files with the name of a changed one come first. */
const maxFiles = 4_000;

/** After a squash or rebase the old commits have no branch, but while the clone has them, their notes count. */
export async function notedEdits(
  root: string,
  { except, paths }: { except: Set<string>; paths: Set<string> },
): Promise<NotedEdits> {
  const names = new Set([...paths].map(nameOf));
  const files = [...(await readAllNotes(root))]
    .flatMap(([commit, text]) => {
      const log = except.has(commit) ? 'excluded' : parseAuthorshipLog(text);
      return typeof log === 'string' ? [] : [...log.files.keys()].map((path) => ({ commit, path, log }));
    })
    .sort((a, b) => Number(names.has(nameOf(b.path))) - Number(names.has(nameOf(a.path))))
    .slice(0, maxFiles);
  const objects = await readObjects(
    root,
    files.flatMap(({ commit, path }) => [commit, `${commit}:${path}`]),
  );
  const authors = new Map<Edit, Author>();
  const byLine = new Map<string, Set<Edit>>();
  for (const { commit, path, log } of files) {
    const text = objects.get(`${commit}:${path}`);
    if (text === undefined) continue;
    const hashes = linesIn(text).map(lineHash);
    for (const [edit, author] of editsIn(log, path, { hashes, at: writtenAt(objects.get(commit)), commit })) {
      authors.set(edit, author);
      for (const hash of edit.hunks.flatMap(({ added }) => added))
        byLine.set(hash, (byLine.get(hash) ?? new Set()).add(edit));
    }
  }
  return {
    isEmpty: authors.size === 0,
    editsWithLines: async (hashes) => [...new Set(hashes.flatMap((hash) => [...(byLine.get(hash) ?? [])]))],
    editsOfFile: async (path) => [...authors.keys()].filter((edit) => edit.path === path),
    authorOf: (edit) => authors.get(edit),
  };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const unknown = { agent: 'backstory', turn: '', branch: '', head: '', isCreation: false } as const;

function* editsIn(
  log: AuthorshipLog,
  path: string,
  { hashes, at, commit }: { hashes: string[]; at: number; commit: string },
): Iterable<[Edit, Author]> {
  for (const { key, ranges } of log.files.get(path) ?? []) {
    const record = standardRecord(recordKeyOf(key).kind, recordOf(log, key));
    if (record === undefined || !isStandardKey(key)) continue;
    const hunks = ranges.map(({ from, to }) => ({
      oldStart: from,
      newStart: from,
      added: hashes.slice(from - 1, to),
      removed: [],
    }));
    const id = `${commit}:${path}:${key}`;
    const edit: Edit = { ...unknown, id, at, agentSession: key, path, hunks };
    yield [edit, { key, record }];
  }
}
