import { lineHash } from '../base/hash.ts';
import type { Edit } from '../domain/edit.ts';
import type { BlamedLine } from '../git/blame.ts';
import { type Evidence, editsPerLine } from '../recall/evidence.ts';
import { type HashedFile, isDistinctive } from '../text/line-index.ts';
import {
  bestScore,
  type Candidate,
  candidatesOf,
  minScoreElsewhere,
  type WrittenLine,
  writerOf,
} from './attribute-lines.ts';
import { createFiles, type Files, parentOf } from './past-files.ts';

/** A line with its commit according to git blame and, if known, the edit that wrote it. */
export interface LineOrigin {
  line: BlamedLine;
  edit?: Edit;
}

/** Edits to choose from. */
export type EditLookup = Pick<Evidence, 'isEmpty' | 'editsWithLines' | 'editsOfFile'>;

/** If a line is not distinctive, the edit that wrote it is searched by this many lines around it. */
const contextLines = 6;
/** A line of this length is unlikely to be written twice by chance. */
const minUniqueLength = 25;

/**
 * Finds the agent's edit that wrote each line. It does not use the author of the commit. It compares the lines that
 * edits added with the file as of the blamed commit, so later renames, moves and reformatting do not matter. Only edits
 * made before that commit count.
 */
export async function findWriters(
  root: string,
  lines: BlamedLine[],
  target: { path: string; disk: string[]; now: number },
  evidence: EditLookup,
): Promise<LineOrigin[]> {
  if (evidence.isEmpty) return lines.map((line) => ({ line }));
  const files = createFiles(root, target);
  await files.fetch(lines.flatMap(objectsOf));
  const edits = await editsFor(lines, files, target.path, evidence);
  const origins: LineOrigin[] = [];
  for (const line of lines) {
    const nearby = edits.near(line);
    const isSameFile = ({ path }: Edit) => path === line.path || path === target.path;
    const there = files.written(line);
    const edit =
      writerOf(candidatesOf(there, nearby.filter(isSameFile)))?.edit ??
      (await findInOtherFiles(
        line,
        there,
        nearby.filter((each) => !isSameFile(each)),
        files,
      ));
    origins.push(edit === undefined ? { line } : { line, edit });
  }
  return origins;
}

const objectsOf = ({ commit, path, previous }: BlamedLine): string[] => [
  ...(commit === '' ? [] : [`${commit}:${path}`, parentOf(commit)]),
  ...(previous === undefined ? [] : [previous.commit, `${previous.commit}:${previous.path}`]),
];

interface KnownEdits {
  /** Edits that added the line or, if it is not distinctive, a line next to it. */
  near(line: BlamedLine): Edit[];
}

async function editsFor(
  lines: BlamedLine[],
  files: Files,
  path: string,
  evidence: EditLookup,
): Promise<KnownEdits> {
  // Many lines have the same neighbours, so each text is examined and hashed once.
  const examined = new Map<string, string | undefined>();
  /** The hash of a distinctive line. */
  const hashOf = (text: string): string | undefined => {
    if (!examined.has(text)) examined.set(text, isDistinctive(text) ? lineHash(text) : undefined);
    return examined.get(text);
  };
  const hashesNear = (line: BlamedLine): string[] => {
    const text = files.text(line);
    const own = text[line.originalLine - 1] ?? line.text;
    const ownHash = hashOf(own);
    if (ownHash !== undefined) return [ownHash];
    return text
      .slice(Math.max(0, line.originalLine - 1 - contextLines), line.originalLine + contextLines)
      .flatMap((each) => hashOf(each) ?? []);
  };
  const hashes = new Map(lines.map((line) => [line, hashesNear(line)]));
  const wanted = new Set([...hashes.values()].flat());
  const byLine = new Map<string, Set<Edit>>();
  const addEdit = (edit: Edit) => {
    for (const hash of edit.hunks.flatMap(({ added }) => added))
      if (wanted.has(hash)) byLine.set(hash, (byLine.get(hash) ?? new Set()).add(edit));
  };
  const all = await evidence.editsWithLines([...wanted]);
  all.forEach(addEdit);
  if ([...byLine.values()].some(({ size }) => size >= editsPerLine)) {
    const known = new Set(all.map(({ id }) => id));
    for (const each of new Set([path, ...lines.map((line) => line.path)]))
      (await evidence.editsOfFile(each)).filter(({ id }) => !known.has(id)).forEach(addEdit);
  }
  return {
    near: (line) => [...new Set(hashes.get(line)?.flatMap((hash) => [...(byLine.get(hash) ?? [])]))],
  };
}

/** Finds an edit of another file, which was renamed or whose lines were moved before the first commit. */
async function findInOtherFiles(
  line: BlamedLine,
  there: WrittenLine,
  edits: Edit[],
  files: Files,
): Promise<Edit | undefined> {
  const isOnly = edits.length === 1 && isDistinctive(line.text) && line.text.trim().length >= minUniqueLength;
  const candidates = candidatesOf(there, edits).filter(
    ({ edit, score }) => score >= minScoreElsewhere(edit, line.path) || isOnly,
  );
  if (candidates.length === 0) return undefined;
  const commits = [line.commit, line.previous?.commit ?? ''].filter((commit) => commit !== '');
  const namesOf = ({ edit }: Candidate) => commits.map((commit) => `${commit}:${edit.path}`);
  await files.fetch(candidates.flatMap(namesOf));
  const moved = candidates.filter((candidate) => {
    const others = namesOf(candidate).map((name) => files.hashed(name));
    // If the edited file is gone, it is unknown whether the line had been committed there before.
    const hasNoFile = others.every((file) => file === undefined);
    if (hasNoFile && candidate.edit.at <= files.parentAt(line)) return false;
    if (line.commit === '') others.push(files.onDisk(candidate.edit.path));
    // If the edited file still has the line, or had it before the commit, the edit wrote another line with the same
    // text.
    return !others.some((file) => file !== undefined && contains(file, candidate));
  });
  return writerOf(moved)?.edit;
}

const contains = (file: HashedFile, { hunk, score }: Candidate): boolean =>
  hunk.added.some((_, at) => bestScore(hunk, at, file) >= score);
