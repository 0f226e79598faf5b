import type { Anchor, Drift } from '../domain/anchor.ts';
import { changedFiles } from '../git/changed-files.ts';
import { readObjects } from '../git/objects.ts';
import { type PathChange, pathHistory, touchedBy } from '../git/path-history.ts';
import { linesHash } from '../text/file-lines.ts';
import type { CodeNow } from './code-now.ts';
import { type Comparison, compare, type OldVersion } from './compare.ts';
import { findBlock, nearest } from './find-block.ts';
import { standing } from './look-on-disk.ts';
import { isDistinct, SourceText } from './source-text.ts';
import { isStillDefined } from './still-defined.ts';

/** A commit comes after what it holds was written; git tells its time in whole seconds. */
const slackMs = 2_000;
/** The commit that brought an anchor's lines is among the first after it, if there is one. */
const firstCommits = 3;
const maxVersions = 16;
const maxCandidates = 60;
const maxRenames = 4;

/**
 * What has become of lines that do not simply stand where they stood. A version in which they do is looked up in git,
 * and what stands on disk is compared with that; a file that was renamed is followed, and lines that were moved are
 * looked for in what the same commit touched. What cannot be told in time is left out of the answer.
 */
export async function traceAnchors(anchors: Anchor[], now: CodeNow): Promise<Map<Anchor, Drift>> {
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
    if (now.left <= 0) break;
    const drift = await traceOne(anchor, changesOf(anchor), versions, now);
    if (drift !== undefined) found.set(anchor, drift);
  }
  return found;
}

/** Files as commits have them, by `commit:path`. */
interface Versions {
  fetch(names: string[]): Promise<void>;
  get(name: string): SourceText | undefined;
}

function createVersions(now: CodeNow): Versions {
  const texts = new Map<string, SourceText | undefined>();
  return {
    async fetch(names) {
      const missing = names.filter((name) => !texts.has(name));
      const found = await readObjects(now.code.root, missing, now.left);
      for (const name of missing) {
        const text = found.get(name);
        texts.set(name, text === undefined ? undefined : new SourceText(text));
      }
    },
    get: (name) => texts.get(name),
  };
}

/** A version that has the lines, and which of the changes of its file brought it: -1 for one from before them. */
interface Found {
  origin: OldVersion;
  change: number;
}

async function traceOne(
  anchor: Anchor,
  changes: PathChange[],
  versions: Versions,
  now: CodeNow,
): Promise<Drift | undefined> {
  const found = findThen(anchor, changes, versions, now) ?? rebuilt(anchor, versions, now);
  if (found === undefined || found.origin.by === 'hashes') {
    const branch = onItsBranch(anchor, versions, now);
    if (branch !== undefined) return branch;
  }
  return found === undefined
    ? withoutHistory(anchor, changes, now)
    : follow(anchor, anchor.path, changes, found, versions, now, 0);
}

function findThen(
  anchor: Anchor,
  changes: PathChange[],
  versions: Versions,
  now: CodeNow,
): Found | undefined {
  const candidates = [
    ...changes.slice(0, firstCommits).map(({ commit }, change) => ({ commit, change })),
    // What an edit was made on does not have its lines, unless somebody had written the same before.
    ...(anchor.lines.kind === 'span' ? [{ commit: anchor.commit, change: -1 }] : []),
  ];
  for (const { commit, change } of candidates) {
    const text = versions.get(`${commit}:${anchor.path}`);
    const block = text === undefined ? undefined : blockIn(text, anchor, now);
    if (text !== undefined && block !== undefined)
      return { origin: { keys: text.keyed.hashes, block, by: 'text', text }, change };
  }
  return undefined;
}

function blockIn(text: SourceText, { lines, start }: Anchor, now: CodeNow): number[] | undefined {
  if (lines.kind === 'hashes') return nearest(text.find(lines.hashes), start);
  const span = text.lines.slice(start - 1, start - 1 + lines.count);
  if (span.length < lines.count) return undefined;
  if (lines.hash !== '' && linesHash(now.code.key, span) !== lines.hash) return undefined;
  const block = span.flatMap((line, at) => (line.trim() === '' ? [] : [start - 1 + at]));
  return block.length === 0 ? undefined : block;
}

/** Agents report a few unchanged lines above those they wrote; how many is not known. */
const linesAbove = [3, 2, 1, 0];

/** The file right after an edit that is in no commit: as it was before, with the edit in it. */
function rebuilt({ path, commit, lines }: Anchor, versions: Versions, now: CodeNow): Found | undefined {
  const base = commit === '' ? undefined : versions.get(`${commit}:${path}`);
  if (base === undefined || lines.kind !== 'hashes' || lines.replaced === undefined) return undefined;
  const { replaced, hashes } = lines;
  const old = base.hashed.hashes;
  const built = (from: number, to: number): OldVersion => ({
    keys: [...old.slice(0, from), ...hashes, ...old.slice(to)],
    block: hashes.map((_, at) => from + at),
    by: 'hashes',
  });
  if (replaced.hashes.length > 0) {
    const gone = nearest(findBlock(replaced.hashes, base.hashed), replaced.start);
    const [first, last] = [gone?.[0], gone?.at(-1)];
    return first === undefined || last === undefined
      ? undefined
      : { origin: built(first, last + 1), change: -1 };
  }
  const places = linesAbove.map((above) => Math.min(old.length, Math.max(0, replaced.start - 1 + above)));
  const file = now.file(path);
  const stands = (origin: OldVersion): number => {
    const result = file === undefined ? undefined : compare(origin, file);
    return result?.kind === 'lost' ? result.standing / result.of : 1;
  };
  const origins = [...new Set(places)].map((from) => built(from, from));
  return { origin: origins.reduce((a, b) => (stands(b) > stands(a) ? b : a)), change: -1 };
}

/** Never here, and whole on the branch it was written on. */
function onItsBranch(anchor: Anchor, versions: Versions, now: CodeNow): Drift | undefined {
  const { branch, path } = anchor;
  if (branch === '' || branch === now.branch) return undefined;
  const text = versions.get(`refs/heads/${branch}:${path}`);
  const block = text === undefined ? undefined : blockIn(text, anchor, now);
  return block === undefined
    ? undefined
    : { state: 'elsewhere', branch, path, standing: 0, of: block.length };
}

/** Only what the file itself tells: it holds some of the lines, or none. */
function withoutHistory({ path, lines }: Anchor, changes: PathChange[], now: CodeNow): Drift | undefined {
  const file = now.file(path);
  const by = changes.length === 0 ? { by: 'uncommitted' } : {};
  if (lines.kind === 'span') {
    return file === undefined ? { state: 'gone', path, ...by, standing: 0, of: lines.count } : undefined;
  }
  const of = lines.hashes.length;
  const found = lines.hashes.filter((hash) => {
    const [place] = file?.hashed.places.get(hash) ?? [];
    return place !== undefined && file?.hashed.isTelling[place] === true;
  }).length;
  if (found === of) return undefined;
  return { state: found === 0 ? 'gone' : 'changed', path, ...by, standing: found, of };
}

async function follow(
  anchor: Anchor,
  path: string,
  changes: PathChange[],
  { origin, change }: Found,
  versions: Versions,
  now: CodeNow,
  renames: number,
): Promise<Drift | undefined> {
  const file = now.file(path);
  const result = file === undefined ? undefined : compare(origin, file);
  if (file !== undefined && result === undefined) return undefined;
  const here = { path, ...(path === anchor.path ? {} : { was: anchor.path }) };
  if (result !== undefined && result.kind !== 'lost') {
    const isMoved = path !== anchor.path || result.kind === 'shifted';
    return { state: isMoved ? 'moved' : 'current', ...here, ...standing(result.block) };
  }
  const later = changes.slice(change + 1);
  const lost = result ?? wholly(origin);
  const by = await loser(origin, path, later, versions, hardlyStands(lost));
  const touched =
    by === 'uncommitted'
      ? ((await changedFiles(now.code.root)) ?? []).map((each) => ({ path: each, was: undefined }))
      : by === undefined
        ? []
        : await touchedBy(now.code.root, by, now.left);
  const renamed =
    file !== undefined
      ? undefined
      : by === 'uncommitted'
        ? likeliest(origin, touched, now)
        : touched.find(({ was }) => was === path)?.path;
  const moved = findElsewhere(
    origin,
    [...(renamed === undefined ? [] : [renamed]), ...touched.map((each) => each.path)].filter(
      (each) => each !== path,
    ),
    now,
  );
  if (moved !== undefined) return { state: 'moved', was: anchor.path, ...moved };
  if (renamed !== undefined && renames < maxRenames) {
    const since = anchor.at - slackMs;
    const next = (await pathHistory(now.code.root, [renamed], since, now.left)) ?? [];
    const found = { origin, change: next.findIndex(({ commit }) => commit === by) };
    return follow(anchor, renamed, next, found, versions, now, renames + 1);
  }
  return {
    state: await stateOf(origin, path, lost, file, now),
    ...here,
    ...(by === undefined ? {} : { by }),
    standing: lost.standing,
    of: lost.of,
  };
}

const sameFile = 0.5;

/** What a file is called now that was renamed and not committed yet: the one that has most of its lines. */
function likeliest(origin: OldVersion, touched: { path: string }[], now: CodeNow): string | undefined {
  const lines = new Set(origin.keys.filter((key) => key.length > 3));
  const shared = touched.slice(0, maxCandidates).map(({ path }) => {
    const file = now.file(path);
    const places = (origin.by === 'text' ? file?.keyed : file?.hashed)?.places;
    return { path, share: [...lines].filter((line) => places?.has(line)).length / Math.max(1, lines.size) };
  });
  const best = shared.reduce((a, b) => (b.share > a.share ? b : a), { path: '', share: 0 });
  return best.share >= sameFile ? best.path : undefined;
}

type Lost = Extract<Comparison, { kind: 'lost' }>;

const wholly = ({ block }: OldVersion): Lost => ({
  kind: 'lost',
  standing: 0,
  of: block.length,
  replacement: { lines: 0, likeness: 0, isTelling: false },
});

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
    if (result?.kind === 'lost' && (!hardlyAny || hardlyStands(result))) return commit;
  }
  return 'uncommitted';
}

/** The lines in another file that was touched together with theirs. */
function findElsewhere(
  origin: OldVersion,
  paths: string[],
  now: CodeNow,
): ({ path: string } & ReturnType<typeof standing>) | undefined {
  const lines = origin.block.map((at) => origin.keys[at] as string);
  for (const path of new Set(paths.slice(0, maxCandidates))) {
    const file = now.file(path);
    if (file === undefined) continue;
    const blocks = findBlock(lines, origin.by === 'text' ? file.keyed : file.hashed);
    const block = blocks.find((each) => isDistinct(file, each));
    if (block !== undefined) return { path, ...standing(block) };
  }
  return undefined;
}

const isOfSize = ({ lines }: Lost['replacement'], of: number): boolean => Math.abs(lines - of) <= of / 4;

const hardlyStands = ({ standing: kept, of }: Lost): boolean => kept / of < hardlyStanding;

/** Some of it stands: then it was changed. Of nothing that stands, what is there instead has to tell. */
const alike = 0.5;
const hardlyAlike = 0.3;
const hardlyStanding = 0.34;

async function stateOf(
  origin: OldVersion,
  path: string,
  lost: Lost,
  file: SourceText | undefined,
  now: CodeNow,
): Promise<'changed' | 'gone'> {
  if (file === undefined) return 'gone';
  const { standing: kept, replacement } = lost;
  if (!hardlyStands(lost) || replacement.likeness >= alike) return 'changed';
  const isDefined = await isStillDefined(origin, path, file, now);
  if (isDefined === false) return 'gone';
  if (kept > 0) return 'changed';
  if (isDefined === true) return replacement.isTelling ? 'changed' : 'gone';
  // Of lines that are known by their hashes alone, no word can be compared: as many others are another version of them.
  if (origin.by === 'hashes')
    return replacement.isTelling && isOfSize(replacement, lost.of) ? 'changed' : 'gone';
  return replacement.isTelling && replacement.likeness >= hardlyAlike ? 'changed' : 'gone';
}
