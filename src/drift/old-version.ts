import type { Anchor } from '../domain/anchor.ts';
import type { PathChange } from '../git/path-history.ts';
import { linesHash } from '../text/file-lines.ts';
import { compare, type OldVersion } from './compare-lines.ts';
import type { CurrentCode } from './current-code.ts';
import type { Versions } from './file-versions.ts';
import { findBlock, nearest } from './find-block.ts';
import type { SourceText } from './source-text.ts';

/** The commit that brought an anchor's lines is among the first after it, if there is one. */
export const firstCommits = 3;

/** A version that has the lines, and which of the changes of its file brought it: -1 for one from before them. */
export interface Found {
  origin: OldVersion;
  change: number;
}

/** Looked for in what was committed since, and where that has it not, made of what was there before. */
export const findOldVersion = (
  anchor: Anchor,
  changes: PathChange[],
  versions: Versions,
  now: CurrentCode,
): Found | undefined =>
  findCommitted(anchor, changes, versions, now) ??
  findReindented(anchor, changes, versions) ??
  rebuilt(anchor, versions, now);

function findCommitted(
  anchor: Anchor,
  changes: PathChange[],
  versions: Versions,
  now: CurrentCode,
): Found | undefined {
  const candidates = [
    ...changes.slice(0, firstCommits).map(({ commit }, change) => ({ commit, change })),
    // What an edit was made on does not have its lines, unless somebody had written the same before.
    ...(anchor.lines.kind === 'span' ? [{ commit: anchor.commit, change: -1 }] : []),
  ];
  for (const { commit, change } of candidates) {
    const text = versions.get(`${commit}:${anchor.path}`);
    const block = text === undefined ? undefined : blockIn(text, anchor, now);
    if (text !== undefined && block !== undefined) return { origin: versionOf(text, block), change };
  }
  return undefined;
}

const versionOf = (text: SourceText, block: number[]): OldVersion => ({
  keys: text.indexed('text').keys,
  block,
  by: 'text',
  text,
});

/** The same where a formatter was at work between the edit and its commit. */
function findReindented(anchor: Anchor, changes: PathChange[], versions: Versions): Found | undefined {
  const { lines, start, path } = anchor;
  const text = changes[0] && versions.get(`${changes[0].commit}:${path}`);
  if (lines.kind !== 'hashes' || text === undefined) return undefined;
  const block = nearest(text.findReindented(lines.hashes), start);
  return block && { origin: versionOf(text, block), change: 0 };
}

/** Where the lines of an anchor stand in a text. */
export function blockIn(text: SourceText, { lines, start }: Anchor, now: CurrentCode): number[] | undefined {
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
function rebuilt({ path, commit, lines }: Anchor, versions: Versions, now: CurrentCode): Found | undefined {
  const base = commit === '' ? undefined : versions.get(`${commit}:${path}`);
  if (base === undefined || lines.kind !== 'hashes' || lines.replaced === undefined) return undefined;
  const { replaced, hashes } = lines;
  const index = base.indexed('hashes');
  const old = index.keys;
  const built = (from: number, to: number): OldVersion => ({
    keys: [...old.slice(0, from), ...hashes, ...old.slice(to)],
    block: hashes.map((_, at) => from + at),
    by: 'hashes',
  });
  if (replaced.hashes.length > 0) {
    const gone = nearest(findBlock(replaced.hashes, index), replaced.start);
    const [first, last] = [gone?.[0], gone?.at(-1)];
    return first === undefined || last === undefined
      ? undefined
      : { origin: built(first, last + 1), change: -1 };
  }
  const places = linesAbove.map((above) => Math.min(old.length, Math.max(0, replaced.start - 1 + above)));
  const file = now.file(path);
  const stands = (origin: OldVersion): number => {
    const result = file === undefined ? undefined : compare(origin, file);
    return result?.kind === 'lost' ? result.keptLines / result.of : 1;
  };
  const origins = [...new Set(places)].map((from) => built(from, from));
  return { origin: origins.reduce((a, b) => (stands(b) > stands(a) ? b : a)), change: -1 };
}
