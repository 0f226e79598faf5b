import { oncePer } from '../base/once-per.ts';
import type { Edit } from '../domain/edit.ts';
import type { EditHunk } from '../domain/event.ts';
import { walk } from '../text/align-lines.ts';
import { type HashedFile, indexLines, placesOf } from '../text/line-index.ts';

/** A line in the file as of the commit that added it or, if it is uncommitted, in the file on disk. */
export interface WrittenLine {
  file: HashedFile;
  place: number;
  path: string;
  /** The time of the commit that added the line, in milliseconds since 1970. The line was written before it. */
  writtenBefore: number;
  /** When that commit was first made. A rebase keeps this time, and so does an amendment. */
  authoredAt: number;
  /** The file as it is now. */
  current: HashedFile;
  /** The version of the file before the commit that added the line, and its time; undefined if there was none. */
  before: { file: HashedFile; at: number } | undefined;
}

/** Commit times are whole seconds, and a commit can follow its edit at once. */
const clockSlackMs = 60_000;
/** Minimum score of a match. At least one distinctive line must match: the line itself or one next to it. */
const minScore = 0.7;

export interface Candidate {
  edit: Edit;
  hunk: EditHunk;
  score: number;
  /** The edit's lines were in the file before the commit that added the line. The commit may have moved them. */
  isOld: boolean;
  /** The edit also removed the line, so it only moved it, indented it again, or reported it unchanged. */
  isKept: boolean;
}

export function candidatesOf(line: WrittenLine, edits: Edit[]): Candidate[] {
  return edits
    .filter(({ at }) => at <= line.writtenBefore + clockSlackMs)
    .flatMap((edit) => edit.hunks.flatMap((hunk) => candidateOf(edit, hunk, line) ?? []));
}

const indexed = oncePer(({ added, removed }: EditHunk) => ({
  added: indexLines(added),
  removed: indexLines(removed),
}));

function candidateOf(edit: Edit, hunk: EditHunk, line: WrittenLine): Candidate | undefined {
  const { file, place, before } = line;
  const hash = file.keys[place] as string;
  const { added, removed } = indexed(hunk);
  const places = added.places.get(hash);
  if (places === undefined) return undefined;
  const gone = removed.places.get(hash);
  const isKept = gone !== undefined && places.length <= gone.length;
  if (isKept && (before === undefined || edit.at <= before.at)) return undefined;
  // The best score comes first and, of equal ones, the last line: looking for a better place takes the most time.
  const scored = places
    .toReversed()
    .map((at) => ({ at, score: alignmentScore(hunk.added, at, file, place) }))
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score);
  const best = scored.find(({ at, score }) => isBestPlace(hunk, at, line, score));
  if (best === undefined) return undefined;
  const { at, score } = best;
  // The commit was amended with the edit, or rebased after it. In the second case the edit wrote similar lines, which
  // the file has elsewhere.
  const isLater = edit.at > line.authoredAt + clockSlackMs;
  if (isLater && bestScore(hunk, at, line.current) > score) return undefined;
  // If the edit matches the file's previous version equally well, the edit's lines were already committed then,
  // unless the edit is newer than that version.
  const isOld = before !== undefined && edit.at <= before.at && bestScore(hunk, at, before.file) >= score;
  return { edit, hunk, score, isOld, isKept };
}

/** A line may occur often in a file. The edit wrote the occurrence with the best matching surroundings. */
function isBestPlace(hunk: EditHunk, at: number, { file, place }: WrittenLine, score: number): boolean {
  const best = bestFit(hunk, at, file);
  return best.score < score || (best.score === score && best.distance >= distanceOf(hunk, at, place));
}

/** How far a line is from its recorded place. The start 0 means unknown; then all places are equally near. */
const distanceOf = ({ newStart }: EditHunk, at: number, place: number): number =>
  newStart && Math.abs(place - (newStart + at - 1));

interface Fit {
  score: number;
  distance: number;
}

/** Each line of a file asks for the same fits, so they are computed once. */
const fitsOf = oncePer((_: EditHunk) => oncePer((__: HashedFile): Fit[] => []));

/** The best score of a hunk's line among all places where the file has it, and the least distance with this score. */
function bestFit(hunk: EditHunk, at: number, file: HashedFile): Fit {
  const known = fitsOf(hunk)(file);
  known[at] ??= fitOf(hunk, at, file);
  return known[at];
}

function fitOf(hunk: EditHunk, at: number, file: HashedFile): Fit {
  const best = { score: 0, distance: Number.POSITIVE_INFINITY };
  for (const place of placesOf(hunk.added[at] as string, file)) {
    const score = alignmentScore(hunk.added, at, file, place);
    const distance = distanceOf(hunk, at, place);
    if (score > best.score) Object.assign(best, { score, distance });
    else if (score === best.score) best.distance = Math.min(best.distance, distance);
  }
  return best;
}

export const bestScore = (hunk: EditHunk, at: number, file: HashedFile): number =>
  bestFit(hunk, at, file).score;

/**
 * Chooses the writer of a line: the last edit with a diff, because a line that a diff adds was not there before. An
 * edit that overwrites a whole file does not show which lines are new, so it counts only if there is no diff, and
 * then the first such edit is chosen.
 */
export function writerOf(candidates: Candidate[]): Candidate | undefined {
  const written = candidates.filter(({ isKept }) => !isKept);
  const byTime = (written.length > 0 ? written : [...candidates]).sort(
    (a, b) => a.edit.at - b.edit.at || a.score - b.score,
  );
  return byTime.findLast((candidate) => !isOverwrite(candidate)) ?? byTime[0];
}

const isOverwrite = ({ edit, hunk }: Candidate): boolean =>
  !edit.isCreation && hunk.newStart === 1 && hunk.oldStart === 0 && hunk.removed.length === 0;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A file may be renamed before the commit, but the same line may also have been written twice. */
export const minScoreElsewhere = (edit: Edit, path: string): number =>
  nameOf(edit.path) === nameOf(path) ? 1.8 : 2.6;

/** `maxMissing` tolerates lines that were changed after the edit; `maxLines` bounds the work for long hunks. */
const limits = { maxMissing: 3, maxLines: 40 };
/** Whole percents, because the order in which fractions are added would decide between equal places. */
const distinctiveWeight = 100;
const commonWeight = 1;
const percentPerLineSkipped = 4;

/**
 * Scores how well a hunk's added lines fit a file if line `at` of the hunk is line `place` of the file: the number of
 * distinctive lines that match around it in the same order, itself included. Skipped lines lower the score a little and
 * common lines raise it a little, which decides between places that are otherwise equal.
 */
function alignmentScore(added: string[], at: number, file: HashedFile, place: number): number {
  const [lines, keys] = [numbersOf(added), numbersOf(file.keys)];
  let score = 0;
  let from = place;
  const addMatch = (to: number): void => {
    const weight = file.isDistinctive[to] === true ? distinctiveWeight : commonWeight;
    score += weight * (100 - percentPerLineSkipped * (Math.abs(to - from) - 1));
    from = to;
  };
  walk(lines, at, keys, place, -1, limits, addMatch);
  from = place;
  walk(lines, at, keys, place, 1, limits, addMatch);
  return score / (100 * distinctiveWeight) + (file.isDistinctive[place] === true ? 1 : 0);
}

/** Line hashes as numbers. An alignment compares a hundred of them, and strings take much longer. */
const numbersOf = oncePer((hashes: string[]) => Float64Array.from(hashes, (hash) => Number(`0x${hash}`)));
