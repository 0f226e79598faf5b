import type { Anchor, Drift } from '../domain/anchor.ts';
import { type PathChange, pathHistory } from '../git/path-history.ts';
import { isDistinctive } from '../text/distinctive-line.ts';
import { compare, type OldVersion } from './compare-lines.ts';
import { keptLines } from './compare-with-disk.ts';
import type { CurrentCode } from './current-code.ts';
import { isMostlyGone, stateOf, wholly } from './drift-state.ts';
import { createVersions, uncommitted, type Versions } from './file-versions.ts';
import { nearest } from './find-block.ts';
import { findElsewhere, likeliest } from './find-elsewhere.ts';
import { blockIn, type Found, findOldVersion, firstCommits } from './old-version.ts';

/** A commit comes after what it holds was written; git tells its time in whole seconds. */
const slackMs = 2_000;
const maxVersions = 16;
const maxRenames = 4;

/**
 * What has become of lines that do not simply stand where they stood. A version in which they do is looked up in git,
 * and what stands on disk is compared with that; a file that was renamed is followed, and lines that were moved are
 * looked for in what the same commit touched. What cannot be told in time is left out of the answer.
 */
export async function traceAnchors(anchors: Anchor[], now: CurrentCode): Promise<Map<Anchor, Drift>> {
  const { root } = now.code;
  const paths = [...new Set(anchors.map(({ path }) => path))];
  const since = Math.min(...anchors.map(({ at }) => at)) - slackMs;
  const history = await pathHistory(root, paths, since, now.left);
  const found = new Map<Anchor, Drift>();
  // Outside of git there is nothing to compare with; without time neither.
  if (history === undefined) return found;
  const changesOf = ({ path, at }: Anchor) =>
    history.filter((change) => change.path === path && change.at >= at - slackMs);
  const versions = createVersions(now);
  await versions.fetch(
    anchors.flatMap((anchor) => {
      const { path, commit, branch } = anchor;
      return [
        ...(commit === '' ? [] : [`${commit}:${path}`]),
        ...(branch === '' || branch === now.branch ? [] : [`refs/heads/${branch}:${path}`]),
        ...changesOf(anchor)
          .slice(0, firstCommits)
          .map((change) => `${change.commit}:${path}`),
      ];
    }),
  );
  for (const anchor of anchors) {
    const drift = await traceOne(anchor, changesOf(anchor), versions, now);
    // A question that git could not answer in time looks like one to which there is no answer.
    if (now.left <= 0) break;
    if (drift !== undefined) found.set(anchor, drift);
  }
  return found;
}

async function traceOne(
  anchor: Anchor,
  changes: PathChange[],
  versions: Versions,
  now: CurrentCode,
): Promise<Drift | undefined> {
  const found = findOldVersion(anchor, changes, versions, now);
  if (found === undefined || found.origin.by === 'hashes') {
    const branch = onItsBranch(anchor, versions, now);
    if (branch !== undefined) return branch;
  }
  const file = now.file(anchor.path);
  if (found?.origin.by === 'hashes' && file !== undefined && anchor.lines.kind === 'hashes') {
    const { hashes } = anchor.lines;
    const isThere = file.find(hashes).length > 0;
    const block = isThere ? undefined : nearest(file.findReindented(hashes), anchor.start);
    if (block !== undefined) return { state: 'current', path: anchor.path, ...keptLines(block) };
  }
  return found === undefined
    ? withoutHistory(anchor, changes, now)
    : follow(anchor, anchor.path, changes, found, versions, now, 0);
}

/** Never here, and whole on the branch it was written on. */
function onItsBranch(anchor: Anchor, versions: Versions, now: CurrentCode): Drift | undefined {
  const { branch, path } = anchor;
  if (branch === '' || branch === now.branch) return undefined;
  const text = versions.get(`refs/heads/${branch}:${path}`);
  const block = text === undefined ? undefined : blockIn(text, anchor, now);
  return block === undefined
    ? undefined
    : { state: 'elsewhere', branch, path, keptLines: 0, of: block.length };
}

/** Only what the file itself tells: it holds some of the lines, or none. */
function withoutHistory({ path, lines }: Anchor, changes: PathChange[], now: CurrentCode): Drift | undefined {
  const file = now.file(path);
  const by = changes.length === 0 ? { by: uncommitted } : {};
  if (lines.kind === 'span') {
    return file === undefined ? { state: 'gone', path, ...by, keptLines: 0, of: lines.count } : undefined;
  }
  const of = lines.hashes.length;
  // All of it stands somewhere, and nothing tells whether these are the same lines.
  if (file !== undefined && file.find(lines.hashes).length > 0) return undefined;
  const found = lines.hashes.filter((hash) => {
    const [place] = file?.indexed('hashes').places.get(hash) ?? [];
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
  const result = file === undefined ? undefined : compare(origin, file);
  if (file !== undefined && result === undefined) return undefined;
  const here = { path, ...(path === anchor.path ? {} : { was: anchor.path }) };
  if (result !== undefined && result.kind !== 'lost') {
    const isMoved = path !== anchor.path || result.kind === 'shifted';
    return { state: isMoved ? 'moved' : 'current', ...here, ...keptLines(result.block) };
  }
  const later = changes.slice(change + 1);
  const lost = result ?? wholly(origin);
  const by = await loser(origin, path, later, versions, isMostlyGone(lost));
  const touched = by === undefined ? [] : await versions.touchedBy(by);
  const renamed =
    file !== undefined
      ? undefined
      : by === uncommitted
        ? likeliest(origin, touched, now)
        : touched.find(({ previousPath }) => previousPath === path)?.path;
  if (renamed !== undefined && renames < maxRenames) {
    const since = anchor.at - slackMs;
    const next = (await pathHistory(now.code.root, [renamed], since, now.left)) ?? [];
    // The commit that renamed it may have changed it as well.
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

/**
 * The first commit after which the lines are not whole any more, or where hardly any is left, the one after which that
 * was so; `uncommitted` where none did it.
 */
async function loser(
  origin: OldVersion,
  path: string,
  later: PathChange[],
  versions: Versions,
  hardlyAny: boolean,
): Promise<string | undefined> {
  // Those in between are passed over in a file that changed very often; then one of its neighbours is named.
  const step = Math.max(1, Math.ceil(later.length / maxVersions));
  const looked = later.filter((_, at) => (later.length - 1 - at) % step === 0);
  await versions.fetch(looked.map(({ commit }) => `${commit}:${path}`));
  for (const { commit, status } of looked) {
    const text = versions.get(`${commit}:${path}`);
    if (text === undefined && status !== 'deleted') return undefined;
    const result = text === undefined ? wholly(origin) : compare(origin, text);
    if (result?.kind === 'lost' && (!hardlyAny || isMostlyGone(result))) return commit;
  }
  return uncommitted;
}
