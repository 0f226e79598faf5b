import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineHash } from '../base/hash.ts';
import type { Edit } from '../domain/edit.ts';
import type { BlamedLine } from '../git/blame.ts';
import { readObjects } from '../git/objects.ts';
import {
  bestIn,
  neededElsewhere,
  type Writing,
  type WrittenLine,
  writerOf,
  writingsOf,
} from './attribute.ts';
import { type Evidence, editsPerLine } from './evidence.ts';
import { type HashedFile, hashFile, isTelling, linesIn } from './hashed-file.ts';
import { type Reindent, reindents } from './indents.ts';

/** A line with the commit git names and, where there is evidence of it, the edit that wrote it. */
export interface LineOrigin {
  line: BlamedLine;
  edit?: Edit;
}

/** Lines around one that says nothing itself, by which the edit is found. */
const around = 6;
/** A line this long is hardly written twice by chance. */
const longLine = 25;

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
  const objects = await readObjects(root, lines.flatMap(objectsOf));
  const texts = new Map<string, string[]>();
  const textOf = (line: BlamedLine): string[] => {
    if (line.commit === '') return asked.disk;
    const name = `${line.commit}:${line.path}`;
    const known = texts.get(name) ?? linesIn(objects.get(name) ?? '');
    texts.set(name, known);
    return known;
  };
  const hashed = memoised((lines: string[]) => hashFile(lines));
  const beforeFile = memoised((text: string) => hashFile(linesIn(text)));
  const before = ({ previous }: BlamedLine): WrittenLine['before'] => {
    const text = previous && objects.get(`${previous.commit}:${previous.path}`);
    if (previous === undefined || text === undefined) return undefined;
    return { file: beforeFile(text), at: committedAt(objects.get(previous.commit)) };
  };
  const written = (line: BlamedLine): WrittenLine => ({
    file: hashed(textOf(line)),
    place: line.lineThen - 1,
    path: line.path,
    writtenBy: line.commit === '' ? asked.now : line.at,
    before: before(line),
  });
  const edits = await editsFor(lines, textOf, asked.path, evidence);
  const origins = lines.map((line): LineOrigin => {
    const there = written(line);
    const isHere = ({ path }: Edit) => path === line.path || path === asked.path;
    const edit = writerOf(writingsOf(there, edits.near(line).filter(isHere)))?.edit;
    return edit === undefined ? { line } : { line, edit };
  });
  await fillIn(origins, (line) => writtenElsewhere(root, line, written(line), edits, asked.path));
  await fillIn(origins, (line) => writtenIndented(textOf(line), written(line), asked.path, evidence));
  return origins;
}

const objectsOf = ({ commit, path, previous }: BlamedLine): string[] => [
  ...(commit === '' ? [] : [`${commit}:${path}`]),
  ...(previous === undefined ? [] : [previous.commit, `${previous.commit}:${previous.path}`]),
];

const committedAt = (commit = ''): number =>
  Number(/^committer .*> (\d+) [+-]\d{4}$/m.exec(commit)?.[1] ?? 0) * 1000;

function memoised<K extends WeakKey | string, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

async function fillIn(
  origins: LineOrigin[],
  find: (line: BlamedLine) => Promise<Edit | undefined>,
): Promise<void> {
  for (const origin of origins) {
    if (origin.edit !== undefined) continue;
    const edit = await find(origin.line);
    if (edit !== undefined) origin.edit = edit;
  }
}

interface KnownEdits {
  /** Those that added the line or, where it says nothing, one beside it. */
  near(line: BlamedLine): Edit[];
  countOf(hash: string): number;
}

async function editsFor(
  lines: BlamedLine[],
  textOf: (line: BlamedLine) => string[],
  path: string,
  evidence: Evidence,
): Promise<KnownEdits> {
  const hashesNear = (line: BlamedLine): string[] => {
    const text = textOf(line);
    const own = text[line.lineThen - 1] ?? line.text;
    const near = isTelling(own)
      ? [own]
      : text.slice(Math.max(0, line.lineThen - 1 - around), line.lineThen + around).filter(isTelling);
    return near.map(lineHash);
  };
  const all = await evidence.editsWithLines(lines.flatMap(hashesNear));
  const byLine = new Map<string, Set<Edit>>();
  const enter = (edit: Edit) => {
    for (const hash of edit.hunks.flatMap(({ added }) => added))
      byLine.set(hash, (byLine.get(hash) ?? new Set()).add(edit));
  };
  all.forEach(enter);
  const isCrowded = lines.flatMap(hashesNear).some((hash) => (byLine.get(hash)?.size ?? 0) >= editsPerLine);
  if (isCrowded) {
    const known = new Set(all.map(({ id }) => id));
    for (const each of new Set([path, ...lines.map((line) => line.path)]))
      (await evidence.editsOfFile(each)).filter(({ id }) => !known.has(id)).forEach(enter);
  }
  return {
    near: (line) => [...new Set(hashesNear(line).flatMap((hash) => [...(byLine.get(hash) ?? [])]))],
    countOf: (hash) => byLine.get(hash)?.size ?? 0,
  };
}

/** Written in a file that was renamed, or from which lines were moved, before it was ever committed. */
async function writtenElsewhere(
  root: string,
  line: BlamedLine,
  there: WrittenLine,
  edits: KnownEdits,
  path: string,
): Promise<Edit | undefined> {
  const isOnly =
    edits.countOf(there.file.hashes[there.place] ?? '') === 1 && line.text.trim().length >= longLine;
  const writings = writingsOf(
    there,
    edits.near(line).filter((edit) => edit.path !== line.path && edit.path !== path),
  ).filter(({ edit, agreement }) => agreement >= neededElsewhere(edit, line.path) || isOnly);
  if (writings.length === 0) return undefined;
  const names = ({ edit }: Writing) =>
    [line.commit, line.previous?.commit ?? '']
      .filter((commit) => commit !== '')
      .map((commit) => `${commit}:${edit.path}`);
  const objects = await readObjects(root, writings.flatMap(names));
  const gone = writings.filter((writing) => {
    const disk = join(root, writing.edit.path);
    const texts = names(writing).map((name) => objects.get(name) ?? '');
    if (line.commit === '' && existsSync(disk)) texts.push(readFileSync(disk, 'utf8'));
    // Where it still stands in its own file, or did so before the commit, this line is another one.
    return !texts.some((text) => stands(writing, hashFile(linesIn(text))));
  });
  return writerOf(gone)?.edit;
}

const stands = ({ hunk, agreement }: Writing, file: HashedFile): boolean =>
  hunk.added.some((_, at) => bestIn(hunk, at, file) >= agreement);

/** Indented by a formatter before it was committed. */
async function writtenIndented(
  text: string[],
  there: WrittenLine,
  path: string,
  evidence: Evidence,
): Promise<Edit | undefined> {
  const own = text[there.place] ?? '';
  if (!isTelling(own)) return undefined;
  const ways = new Map<string, Reindent>();
  for (const way of reindents) if (way(own) !== own) ways.set(lineHash(way(own)), way);
  const edits = (await evidence.editsWithLines([...ways.keys()])).filter(
    (edit) => edit.path === there.path || edit.path === path,
  );
  if (edits.length === 0) return undefined;
  const added = new Set(edits.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.added)));
  const writings = [...ways]
    .filter(([hash]) => added.has(hash))
    .flatMap(([, way]) => writingsOf({ ...there, file: hashFile(text.map(way)) }, edits));
  return writerOf(writings)?.edit;
}
