import type { Anchor } from '../domain/anchor.ts';
import { readObjects } from '../git/objects.ts';
import { filesTouchedBy, type PathChange, type TouchedFile } from '../git/path-history.ts';
import { changedFiles } from '../git/uncommitted-changes.ts';
import { linesHash } from '../text/file-lines.ts';
import { compareVersions, type OldVersion } from './compare-lines.ts';
import type { CurrentCode } from './current-code.ts';
import { findBlock, SourceText } from './source-text.ts';

export const uncommitted = 'uncommitted';

/** Versions of files from git, cached for one query. */
export function createVersions(now: CurrentCode) {
  const { root } = now.code;
  const texts = new Map<string, SourceText | undefined>();
  const touched = new Map<string, Promise<TouchedFile[]>>();
  const readTouched = async (commit: string): Promise<TouchedFile[]> => {
    if (commit !== uncommitted) return filesTouchedBy(root, commit, now.remainingMs);
    const paths = (await changedFiles(root, now.remainingMs)) ?? [];
    return paths.map((path) => ({ path, previousPath: undefined }));
  };
  return {
    /** Reads files as of commits, named `commit:path`, with one git process. */
    async fetch(names: string[]) {
      const missing = names.filter((name) => !texts.has(name));
      const found = await readObjects(root, missing, { timeoutMs: now.remainingMs });
      for (const name of missing) {
        const text = found.get(name);
        texts.set(name, text === undefined ? undefined : new SourceText(text));
      }
    },
    get: (name: string) => texts.get(name),
    /** The files that a commit changed or, for `uncommitted`, the files that differ from HEAD. */
    touchedBy(commit: string) {
      const known = touched.get(commit) ?? readTouched(commit);
      touched.set(commit, known);
      return known;
    },
  };
}

export type Versions = ReturnType<typeof createVersions>;

/** If the lines were ever committed, one of the first commits after the anchor has them. */
export const commitsToSearch = 3;

/** `change` is the index, in the file's later changes, of the commit with this version; -1 if it is older. */
export interface Found {
  origin: OldVersion;
  change: number;
}

/** Finds a version with the anchor's lines among later commits, or rebuilds it from the version before the edit. */
export function findOldVersion(
  anchor: Anchor,
  changes: PathChange[],
  versions: Versions,
  now: CurrentCode,
): Found | undefined {
  const candidates = [
    ...changes.slice(0, commitsToSearch).map(({ commit }, change) => ({ commit, change })),
    // The recorded commit of an edit is the one before it and lacks its lines. So that commit is searched only for
    // lines that an agent read.
    ...(anchor.lines.kind === 'span' ? [{ commit: anchor.commit, change: -1 }] : []),
  ];
  for (const { commit, change } of candidates) {
    const text = versions.get(`${commit}:${anchor.path}`);
    const block = text === undefined ? undefined : blockIn(text, anchor, now);
    if (text !== undefined && block !== undefined)
      return { origin: { keys: text.index.keys, block, text }, change };
  }
  return rebuild(anchor, versions, now);
}

export function blockIn(text: SourceText, { lines, start }: Anchor, now: CurrentCode): number[] | undefined {
  if (lines.kind === 'hashes') return nearest(text.find(lines.hashes), start);
  const span = text.lines.slice(start - 1, start - 1 + lines.count);
  if (span.length < lines.count) return undefined;
  if (lines.hash !== '' && linesHash(now.code.key, span) !== lines.hash) return undefined;
  const block = span.flatMap((line, at) => (line.trim() === '' ? [] : [start - 1 + at]));
  return block.length === 0 ? undefined : block;
}

/** The report of an edit does not say how many unchanged lines are above it, so all are tried. */
const possibleLinesAbove = [3, 2, 1, 0];

/** Rebuilds the file as it was after an edit that was never committed, from the version before it. */
function rebuild({ path, commit, lines }: Anchor, versions: Versions, now: CurrentCode): Found | undefined {
  const base = commit === '' ? undefined : versions.get(`${commit}:${path}`);
  if (base === undefined || lines.kind !== 'hashes' || lines.replaced === undefined) return undefined;
  const { replaced, hashes } = lines;
  const old = base.index.keys;
  const withEdit = (from: number, to: number): OldVersion => ({
    keys: [...old.slice(0, from), ...hashes, ...old.slice(to)],
    block: hashes.map((_, at) => from + at),
  });
  if (replaced.hashes.length > 0) {
    const gone = nearest(findBlock(replaced.hashes, base.index), replaced.start);
    return gone && { origin: withEdit(gone[0] as number, (gone.at(-1) as number) + 1), change: -1 };
  }
  const places = possibleLinesAbove.map((above) =>
    Math.min(old.length, Math.max(0, replaced.start - 1 + above)),
  );
  const file = now.file(path);
  const keptShare = (origin: OldVersion): number => {
    const result = file === undefined ? undefined : compareVersions(origin, file);
    return result?.kind === 'lost' ? result.keptLines / result.of : 1;
  };
  const origins = [...new Set(places)].map((from) => withEdit(from, from));
  return { origin: origins.reduce((a, b) => (keptShare(b) > keptShare(a) ? b : a)), change: -1 };
}

/** The block that starts nearest to a line, from 1. The line 0 means unknown; then that is the first block. */
function nearest(blocks: number[][], start: number): number[] | undefined {
  const distance = (block: number[]) => Math.abs((block[0] as number) - (start - 1));
  return [...blocks].sort((a, b) => distance(a) - distance(b))[0];
}
