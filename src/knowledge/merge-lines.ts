import { hashOf, type KnowledgeFile, lineId } from '../store/repo/knowledge-file.ts';
import type { WantedSection } from './wanted-lines.ts';

export interface MergedKnowledge {
  file: KnowledgeFile;
  /** Ids of lines that a person changed; they stay as they are. */
  edited: string[];
  /** Ids of lines that a person deleted; they are not added again. */
  deleted: string[];
}

interface Target {
  id: string;
  line: string;
  title: string;
}

const isNested = (line: string): boolean => /^\s/.test(line);
const headingOf = (line: string): string | undefined => /^## (.+?)\s*$/.exec(line)?.[1];

/**
 * Brings Backstory's part of a knowledge file up to date, line by line. A line that a person edited stays, and one that a
 * person deleted stays deleted, by the hashes of the file. A line of which this machine knows nothing was written by
 * another machine and stays too. All other text is never touched.
 */
export function mergeLines(
  file: KnowledgeFile,
  sections: WantedSection[],
  /** Whether the statement with this id no longer holds, as this machine knows. */
  isOver: (id: string) => boolean,
): MergedKnowledge {
  const idOf = (line: string): string | undefined => {
    const id = lineId(line);
    return id !== undefined && file.written.has(id) ? id : undefined;
  };
  const present = new Set(file.lines.map(idOf));
  const isDeleted = (id: string): boolean => file.written.has(id) && !present.has(id);
  const blocks = sections.flatMap(({ title, lines }) =>
    lines.map(({ text, before = [] }) =>
      [`- ${text}`, ...before.map((old) => `  - ${old}`)].map(
        (line): Target => ({ id: lineId(line) ?? '', line, title }),
      ),
    ),
  );
  const named = new Set(blocks.flat().map(({ id }) => id));
  const wanted = blocks
    .filter(([first]) => first !== undefined && !isDeleted(first.id))
    .map((block) => block.filter(({ id }) => !isDeleted(id)));
  const targets = new Map(wanted.flat().map((target) => [target.id, target]));
  const isGone = (id: string): boolean => (named.has(id) ? !isDeleted(id) : isOver(id));

  const edited = new Set<string>();
  const titles = new Set(sections.map(({ title }) => title));
  let heading: string | undefined;
  const lines = file.lines.flatMap((line) => {
    heading = headingOf(line) ?? heading;
    const id = idOf(line);
    const written = id === undefined ? undefined : file.written.get(id);
    if (id === undefined || written === undefined) return [line];
    const target = targets.get(id);
    if (target === undefined) return isGone(id) ? [] : [line];
    const isMoved = isNested(line) !== isNested(target.line);
    // An earlier statement that holds again is written anew.
    const isEdited = hashOf(line) !== written && !(isMoved && isNested(line));
    if (isEdited) {
      edited.add(id);
      target.line = isMoved ? folded(line, target.line) : line;
    }
    const isElsewhere = heading !== undefined && titles.has(heading) && heading !== target.title;
    return isElsewhere && (isMoved || !isEdited) ? [] : [target.line];
  });
  insertMissing(lines, wanted, [...titles]);
  removeEmptySections(lines, titles);

  const written = new Map<string, string>();
  for (const [id, own] of file.written) if (edited.has(id) || !isGone(id)) written.set(id, own);
  for (const { id, line } of targets.values()) if (!edited.has(id)) written.set(id, hashOf(line));
  return {
    file: { ...file, lines, written },
    edited: [...edited],
    deleted: [...written.keys()].filter(isDeleted),
  };
}

/** The edited line of a statement that was replaced since: the person's words below its successor. */
const folded = (line: string, target: string): string =>
  `${/^ *- before [^:]*: /.exec(target)?.[0] ?? '  - '}${line.replace(/^[-*+] /, '')}`;

/** Adds each missing line next to its neighbours, so that one new statement changes one place. */
function insertMissing(lines: string[], blocks: Target[][], titles: string[]): void {
  const placeOf = (id: string | undefined): number => lines.findIndex((line) => lineId(line) === id);
  const endOf = (at: number): number => {
    let end = at + 1;
    while (end < lines.length && isNested(lines[end] ?? '')) end += 1;
    return end;
  };
  const insert = (block: Target[], before: Target[][], after: Target[][]): number => {
    const replaced = block
      .slice(1)
      .map(({ id }) => placeOf(id))
      .filter((at) => at !== -1);
    if (replaced.length > 0) return Math.min(...replaced);
    const previous = before.findLast(([own]) => placeOf(own?.id) !== -1)?.[0];
    if (previous !== undefined) return endOf(placeOf(previous.id));
    const next = after.find(([own]) => placeOf(own?.id) !== -1)?.[0];
    return next === undefined ? sectionStart(lines, block[0]?.title ?? '', titles) : placeOf(next.id);
  };
  for (const group of Map.groupBy(blocks, ([first]) => first?.title).values())
    for (const [at, block] of group.entries())
      for (const [nth, { id, line }] of block.entries()) {
        if (placeOf(id) !== -1) continue;
        const place =
          nth > 0 ? placeOf(block[nth - 1]?.id) + 1 : insert(block, group.slice(0, at), group.slice(at + 1));
        lines.splice(place, 0, line);
      }
}

/** Where the first line of a section belongs. Adds the heading if there is none. */
function sectionStart(lines: string[], title: string, titles: string[]): number {
  const at = lines.findIndex((line) => headingOf(line) === title);
  if (at !== -1) return lines[at + 1]?.trim() === '' ? at + 2 : at + 1;
  const later = titles.slice(titles.indexOf(title) + 1);
  const next = lines.findIndex((line) => later.includes(headingOf(line) ?? ''));
  if (next !== -1) {
    lines.splice(next, 0, `## ${title}`, '', '');
    return next + 2;
  }
  if (lines.at(-1)?.trim() !== '') lines.push('');
  lines.push(`## ${title}`, '', '');
  return lines.length - 1;
}

function removeEmptySections(lines: string[], titles: Set<string>): void {
  for (let at = lines.length - 1; at >= 0; at--) {
    if (!titles.has(headingOf(lines[at] ?? '') ?? '')) continue;
    const rest = lines.slice(at + 1).findIndex((line) => line.trim() !== '');
    if (rest !== -1 && headingOf(lines[at + 1 + rest] ?? '') === undefined) continue;
    lines.splice(at, rest === -1 ? lines.length - at : rest + 1);
  }
}
