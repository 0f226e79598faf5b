import { lineHash } from '../base/hash.ts';
import type { Edit } from '../domain/edit.ts';
import type { BlamedLine } from '../git/blame.ts';
import { type Evidence, editsPerLine } from '../recall/evidence.ts';
import { isDistinctive } from '../text/distinctive-line.ts';
import { type Reindent, reindents } from '../text/indents.ts';
import type { HashedFile } from '../text/line-index.ts';
import {
  bestIn,
  neededElsewhere,
  type Writing,
  type WrittenLine,
  writerOf,
  writingsOf,
} from './attribute-lines.ts';
import { createFiles, type Files, parentOf } from './past-files.ts';

/** A line with the commit git names and, where there is evidence of it, the edit that wrote it. */
export interface LineOrigin {
  line: BlamedLine;
  edit?: Edit;
}

/** Lines around one that says nothing itself, by which the edit is found. */
const contextLines = 6;
/** A line this long is hardly written twice by chance. */
const longLine = 25;
/** Of more lines than a screen or ten, other ways to indent them are not tried. */
const maxReindented = 500;

/**
 * The agent's edit that wrote each line. What a commit says of its makers is not asked: edits are known by the lines
 * they added, in the file as it was in the commit that git blames, so that later renames, moves and reformatting do not
 * matter, and only before that commit was made.
 */
export async function findWriters(
  root: string,
  lines: BlamedLine[],
  asked: { path: string; disk: string[]; now: number },
  evidence: Evidence,
): Promise<LineOrigin[]> {
  if (evidence.isEmpty) return lines.map((line) => ({ line }));
  const files = createFiles(root, asked);
  await files.fetch(lines.flatMap(objectsOf));
  const origins = lines.map((line): LineOrigin => ({ line }));
  // As it stands first, then as it may have stood before somebody indented it differently.
  for (const way of [asItIs, ...reindents]) {
    const open = origins.filter(({ edit }) => edit === undefined);
    if (way !== asItIs && open.length > maxReindented) break;
    const edits = await editsFor(
      open.map(({ line }) => line),
      way,
      files,
      asked.path,
      evidence,
    );
    for (const origin of open) {
      const near = edits.near(origin.line);
      if (near.length === 0) continue;
      const isHere = ({ path }: Edit) => path === origin.line.path || path === asked.path;
      const there = files.written(origin.line, way);
      const edit =
        writerOf(writingsOf(there, near.filter(isHere)))?.edit ??
        (await writtenElsewhere(
          origin.line,
          there,
          near.filter((each) => !isHere(each)),
          files,
        ));
      if (edit !== undefined) origin.edit = edit;
    }
  }
  return origins;
}

const objectsOf = ({ commit, path, previous }: BlamedLine): string[] => [
  ...(commit === '' ? [] : [`${commit}:${path}`, parentOf(commit)]),
  ...(previous === undefined ? [] : [previous.commit, `${previous.commit}:${previous.path}`]),
];

const asItIs: Reindent = (line) => line;

interface KnownEdits {
  /** Those that added the line or, where it says nothing, one beside it. */
  near(line: BlamedLine): Edit[];
}

async function editsFor(
  lines: BlamedLine[],
  way: Reindent,
  files: Files,
  path: string,
  evidence: Evidence,
): Promise<KnownEdits> {
  const hashesNear = (line: BlamedLine): string[] => {
    const text = files.text(line);
    const own = text[line.originalLine - 1] ?? line.text;
    // Where a way makes no difference, it was looked up as it is.
    const isNew = (each: string) => isDistinctive(each) && (way === asItIs || way(each) !== each);
    const near = isNew(own)
      ? [own]
      : text
          .slice(Math.max(0, line.originalLine - 1 - contextLines), line.originalLine + contextLines)
          .filter(isNew);
    return near.map((each) => lineHash(way(each)));
  };
  const hashes = new Map(lines.map((line) => [line, hashesNear(line)]));
  const wanted = new Set([...hashes.values()].flat());
  const byLine = new Map<string, Set<Edit>>();
  const enter = (edit: Edit) => {
    for (const hash of edit.hunks.flatMap(({ added }) => added))
      if (wanted.has(hash)) byLine.set(hash, (byLine.get(hash) ?? new Set()).add(edit));
  };
  const all = await evidence.editsWithLines([...wanted]);
  all.forEach(enter);
  if ([...byLine.values()].some(({ size }) => size >= editsPerLine)) {
    const known = new Set(all.map(({ id }) => id));
    for (const each of new Set([path, ...lines.map((line) => line.path)]))
      (await evidence.editsOfFile(each)).filter(({ id }) => !known.has(id)).forEach(enter);
  }
  return {
    near: (line) => [...new Set(hashes.get(line)?.flatMap((hash) => [...(byLine.get(hash) ?? [])]))],
  };
}

/** Written in a file that was renamed, or from which lines were moved, before it was ever committed. */
async function writtenElsewhere(
  line: BlamedLine,
  there: WrittenLine,
  edits: Edit[],
  files: Files,
): Promise<Edit | undefined> {
  const isOnly = edits.length === 1 && isDistinctive(line.text) && line.text.trim().length >= longLine;
  const writings = writingsOf(there, edits).filter(
    ({ edit, agreement }) => agreement >= neededElsewhere(edit, line.path) || isOnly,
  );
  if (writings.length === 0) return undefined;
  const commits = [line.commit, line.previous?.commit ?? ''].filter((commit) => commit !== '');
  const namesOf = ({ edit }: Writing) => commits.map((commit) => `${commit}:${edit.path}`);
  await files.fetch(writings.flatMap(namesOf));
  const gone = writings.filter((writing) => {
    const others = namesOf(writing).map((name) => files.hashed(name));
    // Its file is gone or has another name, so it cannot be seen whether the line had been committed there before.
    const hasNoFile = others.every((file) => file === undefined);
    if (hasNoFile && writing.edit.at <= files.parentAt(line)) return false;
    if (line.commit === '') others.push(files.onDisk(writing.edit.path));
    // Where it still stands in its own file, or did so before the commit, this line is another one.
    return !others.some((file) => file !== undefined && stands(writing, file));
  });
  return writerOf(gone)?.edit;
}

const stands = ({ hunk, agreement }: Writing, file: HashedFile): boolean =>
  hunk.added.some((_, at) => bestIn(hunk, at, file) >= agreement);
