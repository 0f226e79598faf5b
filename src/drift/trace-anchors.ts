import type { Anchor } from '../domain/anchor.ts';
import { lastChangeBefore, type PathChange, pathHistory } from '../git/path-history.ts';
import { isDistinctive } from '../text/line-index.ts';
import type { Drift } from '../wire/answers/memory.ts';
import { type Comparison, compareVersions, findMoved, type OldVersion } from './compare-lines.ts';
import { keptLines } from './compare-with-disk.ts';
import { type CurrentCode, isStillDefined } from './current-code.ts';
import {
  blockIn,
  commitsToSearch,
  createVersions,
  type Found,
  findOldVersion,
  uncommitted,
  type Versions,
} from './old-version.ts';
import { isRecognisable, type SourceText } from './source-text.ts';

/** Git's commit times are in whole seconds, so a commit may seem to be older than the edit. */
const clockSlackMs = 2_000;
const maxVersions = 16;
const maxRenames = 4;
/** For how many anchors without a recorded commit git is asked, with one process each. */
const maxCommitsLookedUp = 8;

/**
 * Traces anchors whose lines are not at their recorded position. It finds a version with the lines in git and compares
 * it with the file on disk. It follows renamed files, and it searches for moved lines in files that the same commit
 * changed. Anchors that it cannot check in time are missing from the result.
 */
export async function traceAnchors(given: Anchor[], now: CurrentCode): Promise<Map<Anchor, Drift>> {
  const { root } = now.code;
  const anchors = await withCommits(given, now);
  const paths = [...new Set(anchors.map(({ path }) => path))];
  const since = Math.min(...anchors.map(({ at }) => at)) - clockSlackMs;
  const history = await pathHistory(root, paths, since, now.remainingMs);
  const found = new Map<Anchor, Drift>();
  // This is not a git repository, or git did not answer in time.
  if (history === undefined) return found;
  const changesOf = ({ path, at }: Anchor) =>
    history.filter((change) => change.path === path && change.at >= at - clockSlackMs);
  const versions = createVersions(now);
  await versions.fetch(
    anchors.flatMap((anchor) => {
      const { path, commit, branch } = anchor;
      return [
        ...(commit === '' ? [] : [`${commit}:${path}`]),
        ...(branch === '' || branch === now.branch ? [] : [`refs/heads/${branch}:${path}`]),
        ...changesOf(anchor)
          .slice(0, commitsToSearch)
          .map((change) => `${change.commit}:${path}`),
      ];
    }),
  );
  for (const [at, anchor] of anchors.entries()) {
    const drift = await traceOne(anchor, changesOf(anchor), versions, now);
    // After a timeout, missing results from git look like negative results. Do not use them.
    if (now.remainingMs <= 0) break;
    if (drift !== undefined) found.set(given[at] as Anchor, drift);
  }
  return found;
}

/** An edit from a transcript has no commit. Before it was the version of the file's last commit. */
async function withCommits(anchors: Anchor[], now: CurrentCode): Promise<Anchor[]> {
  let lookedUp = 0;
  return Promise.all(
    anchors.map(async (anchor) => {
      const { path, commit, branch, lines, at } = anchor;
      const isOnBranch = branch === '' || branch === now.branch;
      if (commit !== '' || lines.kind !== 'hashes' || !isOnBranch || ++lookedUp > maxCommitsLookedUp)
        return anchor;
      const last = await lastChangeBefore(now.code.root, path, at, now.remainingMs);
      return last === undefined ? anchor : { ...anchor, commit: last };
    }),
  );
}

async function traceOne(
  anchor: Anchor,
  changes: PathChange[],
  versions: Versions,
  now: CurrentCode,
): Promise<Drift | undefined> {
  const { branch, path } = anchor;
  const found = findOldVersion(anchor, changes, versions, now);
  const isFromHere = branch === '' || branch === now.branch || found?.origin.text !== undefined;
  const text = isFromHere ? undefined : versions.get(`refs/heads/${branch}:${path}`);
  const block = text && blockIn(text, anchor, now);
  if (block !== undefined) return { state: 'elsewhere', branch, path, keptLines: 0, of: block.length };
  const drift =
    found === undefined
      ? withoutHistory(anchor, changes, now)
      : await follow(anchor, path, changes, found, versions, now, 0);
  // No commit of the current branch had the lines, so they did not go here. Their own branch may be gone by now.
  const isLost = drift?.state === 'gone' || (drift?.state === 'changed' && isMostlyGone(drift));
  if (!isFromHere && isLost) return { ...drift, state: 'elsewhere', branch };
  if (drift?.by !== uncommitted || !now.isAbsent(path)) return drift;
  // A file that no commit has, such as a scratch file, is not about to be removed by one.
  await versions.fetch([`HEAD:${path}`]);
  const { by: _, ...rest } = drift;
  return versions.get(`HEAD:${path}`) === undefined ? rest : drift;
}

/** Compares with the file on disk only, if no version with the lines was found. */
export function withoutHistory(
  { path, lines }: Anchor,
  changes: PathChange[],
  now: CurrentCode,
): Drift | undefined {
  const file = now.file(path);
  const by = changes.length === 0 ? { by: uncommitted } : {};
  if (lines.kind === 'span') {
    return file === undefined ? { state: 'gone', path, ...by, keptLines: 0, of: lines.count } : undefined;
  }
  const of = lines.hashes.length;
  // All lines are somewhere in the file, but they may be other lines with the same text.
  if (file !== undefined && file.find(lines.hashes).length > 0) return undefined;
  const found = lines.hashes.filter((hash) => {
    const [place] = file?.index.places.get(hash) ?? [];
    return place !== undefined && isDistinctive(file?.lines[place] as string);
  }).length;
  if (found === of) return undefined;
  return { state: found === 0 ? 'gone' : 'changed', path, ...by, keptLines: found, of };
}

async function follow(
  anchor: Anchor,
  path: string,
  changes: PathChange[],
  { origin, change }: Found,
  versions: Versions,
  now: CurrentCode,
  renames: number,
): Promise<Drift | undefined> {
  if (now.isUnread(path)) return undefined;
  const file = now.file(path);
  const result = file === undefined ? undefined : compareVersions(origin, file);
  if (file !== undefined && result === undefined) return undefined;
  const here = { path, ...(path === anchor.path ? {} : { was: anchor.path }) };
  if (result !== undefined && result.kind !== 'lost') {
    const isMoved = path !== anchor.path || result.kind === 'shifted';
    return { state: isMoved ? 'moved' : 'current', ...here, ...keptLines(result.block) };
  }
  const later = changes.slice(change + 1);
  const lost = result ?? allLost(origin);
  const by = await findLosingCommit(origin, path, later, versions, isMostlyGone(lost));
  const touched = by === undefined ? [] : await versions.touchedBy(by);
  const renamed =
    file !== undefined
      ? undefined
      : by === uncommitted
        ? findRenamed(origin, touched, now)
        : touched.find(({ previousPath }) => previousPath === path)?.path;
  if (renamed !== undefined && renames < maxRenames) {
    const since = anchor.at - clockSlackMs;
    const next = (await pathHistory(now.code.root, [renamed], since, now.remainingMs)) ?? [];
    // Continue with the new name from the renaming commit itself, because that commit may have changed the lines too.
    const found = { origin, change: next.findIndex(({ commit }) => commit === by) - 1 };
    return follow(anchor, renamed, next, found, versions, now, renames + 1);
  }
  const others = touched.map((each) => each.path).filter((each) => each !== path);
  const before = by === undefined || by === uncommitted ? 'HEAD' : `${by}^`;
  const moved = await findElsewhere(origin, others, before, versions, now);
  if (moved !== undefined) return { state: 'moved', was: anchor.path, ...moved };
  return {
    state: await stateOf(origin, path, lost, file, now),
    ...here,
    ...(by === undefined ? {} : { by }),
    keptLines: lost.keptLines,
    of: lost.of,
  };
}

/** The first commit after which lines are missing or, if most are gone now, after which most were gone. */
async function findLosingCommit(
  origin: OldVersion,
  path: string,
  later: PathChange[],
  versions: Versions,
  isMostlyLost: boolean,
): Promise<string | undefined> {
  // If the file has very many commits, only some are checked, so the result may be a later commit.
  const step = Math.max(1, Math.ceil(later.length / maxVersions));
  const checked = later.filter((_, at) => (later.length - 1 - at) % step === 0);
  await versions.fetch(checked.map(({ commit }) => `${commit}:${path}`));
  for (const { commit, status } of checked) {
    const text = versions.get(`${commit}:${path}`);
    if (text === undefined && status !== 'deleted') return undefined;
    const result = text === undefined ? allLost(origin) : compareVersions(origin, text);
    if (result?.kind === 'lost' && (!isMostlyLost || isMostlyGone(result))) return commit;
  }
  return uncommitted;
}

type Lost = Extract<Comparison, { kind: 'lost' }>;

const allLost = ({ block }: OldVersion): Lost => ({
  kind: 'lost',
  keptLines: 0,
  of: block.length,
  replacement: { lines: 0, similarity: 0, isDistinctive: false },
});

const isSimilarSize = ({ lines }: Lost['replacement'], of: number): boolean => Math.abs(lines - of) <= of / 4;

const isMostlyGone = ({ keptLines: kept, of }: Pick<Lost, 'keptLines' | 'of'>): boolean =>
  kept / of < minKeptShare;

/** Share of common words from which code counts as changed and not as gone, even if its symbol is no longer defined. */
const certainSimilarity = 0.5;
const minSimilarity = 0.3;
const minKeptShare = 0.34;

/** Whether lost code was changed or is gone, judged by what took its place and whether its symbol still exists. */
export async function stateOf(
  origin: OldVersion,
  path: string,
  lost: Lost,
  file: SourceText | undefined,
  now: CurrentCode,
): Promise<'changed' | 'gone'> {
  if (file === undefined) return 'gone';
  const { keptLines: kept, replacement } = lost;
  if (!isMostlyGone(lost) || replacement.similarity >= certainSimilarity) return 'changed';
  const isDefined = await isStillDefined(origin, path, file, now);
  if (isDefined === false) return 'gone';
  if (kept > 0) return 'changed';
  if (isDefined === true) return replacement.isDistinctive ? 'changed' : 'gone';
  // If only hashes of the old lines are known, words cannot be compared. Then the code counts as changed if about as
  // many new lines replaced it.
  if (origin.text === undefined)
    return replacement.isDistinctive && isSimilarSize(replacement, lost.of) ? 'changed' : 'gone';
  return replacement.isDistinctive && replacement.similarity >= minSimilarity ? 'changed' : 'gone';
}

const maxCandidates = 60;

interface Place {
  path: string;
  block: number[];
}

/** Finds lost lines in another file of the same commit. A file that had them before is a copy. */
async function findElsewhere(
  origin: OldVersion,
  paths: string[],
  before: string,
  versions: Versions,
  now: CurrentCode,
): Promise<({ path: string } & ReturnType<typeof keptLines>) | undefined> {
  const places = [...new Set(paths.slice(0, maxCandidates))].flatMap((path): Place[] => {
    const file = now.file(path);
    if (file === undefined) return [];
    const blocks = findMoved(origin, file.index);
    return blocks.filter((block) => isRecognisable(file, block)).map((block) => ({ path, block }));
  });
  if (places.length === 0) return undefined;
  await versions.fetch(places.map(({ path }) => `${before}:${path}`));
  const isNew = ({ path }: Place) => {
    const text = versions.get(`${before}:${path}`);
    return text === undefined || findMoved(origin, text.index).length === 0;
  };
  const fresh = places.find(isNew);
  return fresh && { path: fresh.path, ...keptLines(fresh.block) };
}

const minSharedLines = 0.5;

/** Finds the new name of a file after an uncommitted rename: the changed file with the most lines in common. */
export function findRenamed(
  origin: Pick<OldVersion, 'keys'>,
  touched: { path: string }[],
  now: CurrentCode,
): string | undefined {
  const lines = new Set(origin.keys);
  const shared = touched.slice(0, maxCandidates).map(({ path }) => {
    const places = now.file(path)?.index.places;
    return { path, share: [...lines].filter((line) => places?.has(line)).length / lines.size };
  });
  const best = shared.reduce((a, b) => (b.share > a.share ? b : a), { path: '', share: 0 });
  return best.share >= minSharedLines ? best.path : undefined;
}
