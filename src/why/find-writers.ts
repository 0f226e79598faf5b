import { lineHash } from '../base/hash.ts';
import type { Edit } from '../domain/edit.ts';
import type { BlamedLine } from '../git/blame.ts';
import { type Evidence, editsPerLine } from '../recall/evidence.ts';
import { type HashedFile, isDistinctive, placesOf } from '../text/line-index.ts';
import { bestScore, type Candidate, candidatesOf, minScoreElsewhere, writerOf } from './attribute-lines.ts';
import { createFiles, type Files, parentOf } from './past-files.ts';

export interface LineOrigin {
  line: BlamedLine;
  edit?: Edit;
  /** Edits of several sessions may have written the line, and nothing tells which did. */
  isUnsure?: true;
}

export type EditLookup = Pick<Evidence, 'isEmpty' | 'editsWithLines' | 'editsOfFile'>;

/** If a line is not distinctive, the edit that wrote it is searched by this many lines around it. */
const contextLines = 6;
/** How far from a repeated line a unique one may be that tells whose it is. */
export const maxLoose = 6;
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
  target: {
    path: string;
    /** The lines of a file that are not committed; the same array for each call. */
    disk(path: string): string[];
    now: number;
  },
  evidence: EditLookup,
): Promise<LineOrigin[]> {
  if (evidence.isEmpty) return lines.map((line) => ({ line }));
  const files = createFiles(root, target);
  await files.fetch(lines.flatMap(objectsOf));
  const editsNear = await editsFor(lines, files, target.path, evidence);
  const isSameFile = (line: BlamedLine, { path }: Edit) =>
    path === line.path || path === target.path || path === line.previous?.path;
  const found = lines.map((line) => {
    const written = files.written(line);
    const near = editsNear(line);
    const here = candidatesOf(
      written,
      near.filter((edit) => isSameFile(line, edit)),
    );
    const own = writerOf(here.filter(({ isOld }) => !isOld));
    if (own !== undefined) return { line, edit: own.edit };
    // Most lines were written in this file, and comparing the edits of all others takes most of the time.
    const others = near.filter((edit) => !isSameFile(line, edit));
    return { line, elsewhere: likelyElsewhere(line, [...here, ...candidatesOf(written, others)]) };
  });
  await files.fetch(
    found.flatMap(({ line, elsewhere = [] }) =>
      elsewhere.flatMap(({ edit: { path } }) => [`${parentName(line)}:${path}`, `${line.commit}:${path}`]),
    ),
  );
  const origins = found.map(
    ({ line, edit, elsewhere = [] }): LineOrigin =>
      edit === undefined ? { line, ...findMoved(line, elsewhere, files) } : { line, edit },
  );
  return withoutLoose(origins, (line) => {
    const { file, place } = files.written(line);
    return placesOf(file.keys[place] as string, file).length === 1;
  });
}

/**
 * A line that its file has more than once, such as a brace, fits many edits. The next unique lines of the same commit
 * above and below it decide: if there are any, one of them must be of the same session.
 */
function withoutLoose(origins: LineOrigin[], isUnique: (line: BlamedLine) => boolean): LineOrigin[] {
  const unique = origins.map(({ line }) => isUnique(line));
  const anchor = (at: number, step: 1 | -1): LineOrigin[] => {
    const { line: of } = origins[at] as LineOrigin;
    for (let next = at + step; Math.abs(next - at) <= maxLoose; next += step) {
      const origin = origins[next];
      if (origin?.line.commit !== of.commit || origin.line.path !== of.path) return [];
      if (unique[next] === true) return [origin];
    }
    return [];
  };
  return origins.map((origin, at) => {
    const session = origin.edit?.agentSession;
    if (session === undefined || unique[at] === true) return origin;
    const anchors = [...anchor(at, -1), ...anchor(at, 1)];
    const isHeld = anchors.length === 0 || anchors.some(({ edit }) => edit?.agentSession === session);
    return isHeld ? origin : { line: origin.line };
  });
}

const objectsOf = ({ commit, path, previous }: BlamedLine): string[] => [
  ...(commit === '' ? [] : [commit, `${commit}:${path}`, parentOf(commit)]),
  ...(previous === undefined ? [] : [previous.commit, `${previous.commit}:${previous.path}`]),
];

/** Finds the edits that added each line or, if it is not distinctive, a line next to it. */
async function editsFor(
  lines: BlamedLine[],
  files: Files,
  path: string,
  evidence: EditLookup,
): Promise<(line: BlamedLine) => Edit[]> {
  // Many lines have the same neighbours, so each text is examined and hashed once.
  const examined = new Map<string, string | undefined>();
  const hashOf = (text: string): string | undefined => {
    if (!examined.has(text)) examined.set(text, isDistinctive(text) ? lineHash(text) : undefined);
    return examined.get(text);
  };
  const hashesNear = (line: BlamedLine): string[] => {
    const ownHash = hashOf(line.text);
    if (ownHash !== undefined) return [ownHash];
    return files
      .text(line)
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
  return (line) => [...new Set(hashes.get(line)?.flatMap((hash) => [...(byLine.get(hash) ?? [])]))];
}

const parentName = ({ commit, previous }: BlamedLine): string =>
  previous?.commit ?? (commit === '' ? 'HEAD' : parentOf(commit));

function likelyElsewhere(line: BlamedLine, all: Candidate[]): Candidate[] {
  const isOnly = all.length === 1 && isDistinctive(line.text) && line.text.trim().length >= minUniqueLength;
  return all.filter(({ edit, score }) => score >= minScoreElsewhere(edit, line.path) || isOnly);
}

/** The edit that wrote a moved line. If several sessions may have, nobody knows which line was moved. */
function findMoved(
  line: BlamedLine,
  candidates: Candidate[],
  files: Files,
): { edit: Edit } | { isUnsure: true } | undefined {
  const { commit } = line;
  const moved = candidates.filter((candidate) => {
    const { path, at } = candidate.edit;
    const before = files.hashed(`${parentName(line)}:${path}`);
    const now = commit === '' ? files.onDisk(path) : files.hashed(`${commit}:${path}`);
    if (path === line.path) return countOf(line, now) <= countOf(line, before);
    // If the edited file still has the line, the edit wrote another line with the same text.
    if (now !== undefined && contains(now, candidate)) return false;
    // If the edited file is gone, it is unknown whether the line had been committed there before.
    return before !== undefined || now !== undefined || at > files.parentAt(line);
  });
  const writer = writerOf(moved);
  if (writer === undefined) return undefined;
  const isUnsure = moved.some(({ edit }) => edit.agentSession !== writer.edit.agentSession);
  return isUnsure ? { isUnsure } : { edit: writer.edit };
}

const countOf = ({ text }: BlamedLine, file: HashedFile | undefined): number =>
  file?.places.get(lineHash(text))?.length ?? 0;

const contains = (file: HashedFile, { hunk, score }: Candidate): boolean =>
  hunk.added.some((_, at) => bestScore(hunk, at, file) >= score);
