import type { Edit } from '../domain/edit.ts';
import type { EditHunk } from '../domain/event.ts';
import { type HashedFile, placesOf } from '../text/line-index.ts';
import { alignmentScore } from './alignment-score.ts';

/** A line in the file as it was when git first saw the line, or as it is on disk. */
export interface WrittenLine {
  file: HashedFile;
  /** From 0. */
  place: number;
  path: string;
  /** Milliseconds since 1970: whoever wrote the line had written it by then. */
  writtenBy: number;
  /** The file before the commit that brought the line; undefined when there was none. */
  before: { file: HashedFile; at: number } | undefined;
}

/** Clocks of one machine agree to the second; a commit that an agent makes comes right after its edit. */
const slackMs = 60_000;
/** One telling line at least must agree, itself or one beside it. */
const minLineScore = 0.7;

export interface Writing {
  edit: Edit;
  hunk: EditHunk;
  /** Telling lines around, and with, the line that the edit wrote in the same order. */
  agreement: number;
}

/** The edits that may have written the line, by its content, its surroundings and the time. */
export function writingsOf(line: WrittenLine, edits: Edit[]): Writing[] {
  return edits
    .filter(({ at }) => at <= line.writtenBy + slackMs)
    .flatMap((edit) => edit.hunks.flatMap((hunk) => writingBy(edit, hunk, line) ?? []));
}

function writingBy(edit: Edit, hunk: EditHunk, line: WrittenLine): Writing | undefined {
  const { file, place, before } = line;
  const hash = file.keys[place] as string;
  if (wasThere(hunk, hash)) return undefined;
  let best: number | undefined;
  for (const [at, added] of hunk.added.entries()) {
    if (added !== hash) continue;
    const agreement = alignmentScore(hunk.added, at, file, place);
    if (agreement < Math.max(best ?? 0, minLineScore) || !isItsPlace(hunk, at, line, agreement)) continue;
    // What stood in the file before the commit is not what the commit brought, unless the edit came after that.
    if (before !== undefined && edit.at <= before.at && bestIn(hunk, at, before.file) >= agreement) continue;
    best = agreement;
  }
  return best === undefined ? undefined : { edit, hunk, agreement: best };
}

/** Some agents report a replaced text whole, with the lines in it that stay as they were. */
function wasThere({ added, removed }: EditHunk, hash: string): boolean {
  const count = (lines: string[]) => lines.reduce((sum, line) => sum + (line === hash ? 1 : 0), 0);
  return removed.length > 0 && count(removed) >= count(added);
}

/** The same line may stand in a file often; the edit wrote the one whose surroundings fit it best. */
function isItsPlace(hunk: EditHunk, at: number, { file, place }: WrittenLine, agreement: number): boolean {
  const expected = hunk.newStart + at - 1;
  const distance = (candidate: number) => (hunk.newStart === 0 ? 0 : Math.abs(candidate - expected));
  return placesOf(file.keys[place] as string, file).every((other) => {
    if (other === place) return true;
    const rival = alignmentScore(hunk.added, at, file, other);
    return rival < agreement || (rival === agreement && distance(other) >= distance(place));
  });
}

export function bestIn(hunk: EditHunk, at: number, file: HashedFile): number {
  const places = placesOf(hunk.added[at] as string, file);
  return Math.max(0, ...places.map((place) => alignmentScore(hunk.added, at, file, place)));
}

/**
 * Of several that may have written a line, the last: what a diff says was added was not there before. A file written
 * whole, where one stood before, says nothing of the kind, so such a writing counts only where there is no other, and
 * then the first of them.
 */
export function writerOf(writings: Writing[]): Writing | undefined {
  const inTime = [...writings].sort((a, b) => a.edit.at - b.edit.at || a.agreement - b.agreement);
  return inTime.findLast((writing) => !isRewritten(writing)) ?? inTime[0];
}

const isRewritten = ({ edit, hunk }: Writing): boolean =>
  !edit.isCreation && hunk.newStart === 1 && hunk.oldStart === 0 && hunk.removed.length === 0;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * How much must agree before an edit of another file is believed to have written the line: between an edit and its
 * commit a file may be renamed or its lines moved, but the same line may just as well be written twice.
 */
export const neededElsewhere = (edit: Edit, path: string): number =>
  nameOf(edit.path) === nameOf(path) ? 1.8 : 2.6;
