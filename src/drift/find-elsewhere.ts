import { findMoved, type OldVersion } from './compare-lines.ts';
import { keptLines } from './compare-with-disk.ts';
import type { CurrentCode } from './current-code.ts';
import type { Versions } from './file-versions.ts';
import { isRecognisable } from './source-text.ts';

const maxCandidates = 60;

interface Place {
  path: string;
  block: number[];
}

/**
 * Finds lines that disappeared from a file in another file that the same commit changed. A file that already had the
 * lines before the commit is a copy and does not count.
 */
export async function findElsewhere(
  origin: OldVersion,
  paths: string[],
  before: string,
  versions: Versions,
  now: CurrentCode,
): Promise<({ path: string } & ReturnType<typeof keptLines>) | undefined> {
  const places = [...new Set(paths.slice(0, maxCandidates))].flatMap((path): Place[] => {
    const file = now.file(path);
    if (file === undefined) return [];
    const blocks = findMoved(origin, file.indexed(origin.by));
    return blocks.filter((block) => isRecognisable(file, block)).map((block) => ({ path, block }));
  });
  if (places.length === 0) return undefined;
  await versions.fetch(places.map(({ path }) => `${before}:${path}`));
  const isNew = ({ path }: Place) => {
    const text = versions.get(`${before}:${path}`);
    return text === undefined || findMoved(origin, text.indexed(origin.by)).length === 0;
  };
  const fresh = places.find(isNew);
  return fresh && { path: fresh.path, ...keptLines(fresh.block) };
}

const minSharedLines = 0.5;

/** Finds the new name of a file after an uncommitted rename: the changed file with the most lines in common. */
export function findRenamed(
  origin: OldVersion,
  touched: { path: string }[],
  now: CurrentCode,
): string | undefined {
  const lines = new Set(origin.keys.filter((key) => key.length > 3));
  const shared = touched.slice(0, maxCandidates).map(({ path }) => {
    const file = now.file(path);
    const places = file?.indexed(origin.by).places;
    return { path, share: [...lines].filter((line) => places?.has(line)).length / Math.max(1, lines.size) };
  });
  const best = shared.reduce((a, b) => (b.share > a.share ? b : a), { path: '', share: 0 });
  return best.share >= minSharedLines ? best.path : undefined;
}
