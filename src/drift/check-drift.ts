import { lineHash } from '../base/hash.ts';
import type { Anchor } from '../domain/anchor.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { commitLines } from '../git/commit-lines.ts';
import { type Evidence, withEvidence } from '../recall/evidence.ts';
import type { RecallLimits, RecallParts } from '../recall/with-index.ts';
import { isIndexDamage } from '../store/index-fault.ts';
import { isDistinctive } from '../text/line-index.ts';
import type { Drift, DriftState } from '../wire/answers/memory.ts';
import { compareWithDisk } from './compare-with-disk.ts';
import { type CheckedCode, CurrentCode } from './current-code.ts';
import { findAnchors, type Tie } from './find-anchors.ts';

/** Reads the files, and asks git once for all code that is not at its recorded position. */
export async function checkDrift(
  chunks: Chunk[],
  evidence: Evidence,
  code: CheckedCode,
): Promise<Map<Chunk, Drift>> {
  const checked = await checkPlaces(chunks, evidence, code);
  return new Map([...checked].map(([chunk, { drift }]) => [chunk, drift]));
}

/** As `checkDrift`, with the result for each block of code that a chunk refers to. */
export async function checkPlaces(
  chunks: Chunk[],
  evidence: Evidence,
  code: CheckedCode,
): Promise<Map<Chunk, CheckedPlaces>> {
  try {
    return await compareWithCode(chunks, evidence, code);
  } catch (error) {
    // Recall must answer even if the check fails. Only the error of a damaged index is passed on, because the caller
    // then rebuilds the index.
    if (isIndexDamage(error)) throw error;
    return new Map(chunks.map((chunk) => [chunk, { drift: unchecked, places: [] }]));
  }
}

export interface CheckedPlaces {
  drift: Drift;
  places: Drift[];
}

async function compareWithCode(
  chunks: Chunk[],
  evidence: Evidence,
  code: CheckedCode,
): Promise<Map<Chunk, CheckedPlaces>> {
  const now = new CurrentCode(code);
  const ties = await findAnchors(chunks, evidence);
  const ofCommits = await commitAnchors([...ties.values()], now);
  const anchorsOf = ({ anchors, commit }: Tie): Anchor[] =>
    commit === undefined ? anchors : (ofCommits.get(commit) ?? []);
  const drifts = await checkAnchors([...ties.values()].flatMap(anchorsOf), now);
  return new Map(
    [...ties].map(([chunk, tie]) => {
      const anchors = anchorsOf(tie);
      const isUnread = tie.commit !== undefined && !ofCommits.has(tie.commit);
      const places = isUnread ? [] : anchors.map((anchor) => drifts.get(anchor) ?? unchecked);
      const drift = isUnread ? unchecked : summarise(places);
      return [chunk, { drift, places }];
    }),
  );
}

const unchecked: Drift = { state: 'unchecked', keptLines: 0, of: 0 };

/** Checks anchors. Equal anchors are checked once. */
export async function checkAnchors(anchors: Anchor[], now: CurrentCode): Promise<Map<Anchor, Drift>> {
  const byText = Map.groupBy(anchors, (anchor) => JSON.stringify(anchor));
  const drifts = new Map<Anchor, Drift>();
  const open: Anchor[] = [];
  for (const [anchor] of byText.values()) {
    // The time limit also covers reading and hashing large files.
    if (anchor === undefined || now.remainingMs <= 0) break;
    const comparison = compareWithDisk(anchor, now);
    if (comparison !== undefined) drifts.set(anchor, comparison.drift);
    if (comparison?.isCertain !== true && !now.isUnread(anchor.path)) open.push(anchor);
  }
  for (const [anchor, drift] of await traceInGit(open, now)) drifts.set(anchor, drift);
  return new Map(
    [...byText.values()].flatMap((same) =>
      same.map((anchor) => [anchor, drifts.get(same[0] as Anchor) ?? unchecked]),
    ),
  );
}

async function traceInGit(anchors: Anchor[], now: CurrentCode): Promise<Map<Anchor, Drift>> {
  if (anchors.length === 0 || now.remainingMs <= 0) return new Map();
  // Without git, only a missing file can be detected.
  if (!now.isInGit) {
    const gone = anchors.filter(({ path }) => now.isAbsent(path));
    return new Map(gone.map((anchor) => [anchor, goneWithFile(anchor)]));
  }
  // Imported only if needed, because the module loads git and diff code.
  return (await import('./trace-anchors.ts')).traceAnchors(anchors, now);
}

const goneWithFile = ({ path, lines }: Anchor): Drift => ({
  state: 'gone',
  path,
  keptLines: 0,
  of: lines.kind === 'span' ? lines.count : lines.hashes.length,
});

/** Maximum number of code blocks of one commit that are checked. The largest are chosen. */
const maxPieces = 12;
const maxLines = 400;

async function commitAnchors(ties: Tie[], now: CurrentCode): Promise<Map<string, Anchor[]>> {
  const branches = new Map(
    ties.flatMap(({ commit, branch = '' }) => (commit ? [[commit, branch] as const] : [])),
  );
  const commits = [...branches.keys()];
  const [first] = commits;
  if (first === undefined) return new Map();
  const { commitLines } = await import('../git/commit-lines.ts');
  return anchorsOfCommits(await commitLines(now.code.root, commits, now.remainingMs), branches);
}

type CommitLines = Awaited<ReturnType<typeof commitLines>>[number];

/**
 * The blocks that commits added, the largest first, by the short hash that chunks have. A block of lines that occur in
 * every file identifies nothing.
 */
export const anchorsOfCommits = (
  commits: CommitLines[],
  branches: Map<string, string>,
): Map<string, Anchor[]> =>
  new Map(
    [...branches].flatMap(([hash, branch]) =>
      commits.flatMap((commit) =>
        commit.hash.startsWith(hash) ? [[hash, anchorsOfCommit(commit, branch)] as const] : [],
      ),
    ),
  );

const anchorsOfCommit = ({ hash, at, added }: CommitLines, branch: string): Anchor[] =>
  added
    .filter(({ lines }) => lines.some(isDistinctive))
    .sort((a, b) => b.lines.length - a.lines.length)
    .slice(0, maxPieces)
    .map(({ path, start, lines }) => ({
      path,
      start,
      lines: {
        kind: 'hashes',
        hashes: lines
          .filter((line) => line.trim() !== '')
          .slice(0, maxLines)
          .map(lineHash),
      },
      commit: hash,
      branch,
      at,
    }));

export const driftOfChunks = (
  parts: RecallParts,
  chunks: Chunk[],
  limits: RecallLimits,
  code: CheckedCode,
): Promise<Map<Chunk, Drift>> =>
  withEvidence(parts, limits, (evidence) => checkDrift(chunks, evidence, code));

/** Drift states, from the most to the least reliable memory. */
const order: DriftState[] = ['current', 'moved', 'unchecked', 'changed', 'elsewhere', 'gone'];

/**
 * The worst block is the example, and the numbers are those of its file. The state is `gone` only if all blocks are gone;
 * if some are, it is `changed`.
 */
export function summarise(drifts: Drift[]): Drift {
  const [first] = drifts;
  if (first === undefined) return { state: 'unanchored', keptLines: 0, of: 0 };
  const worst = drifts.reduce((a, b) => (order.indexOf(b.state) > order.indexOf(a.state) ? b : a));
  const ofFile = drifts.filter(({ path }) => path === worst.path);
  const sum = (key: 'keptLines' | 'of') => ofFile.reduce((total, drift) => total + drift[key], 0);
  const isLost = order.indexOf(worst.state) > order.indexOf('unchecked');
  const isAlike = drifts.every(({ state }) => state === worst.state);
  return {
    ...worst,
    state: isLost && !isAlike ? 'changed' : worst.state,
    keptLines: sum('keptLines'),
    of: sum('of'),
  };
}
