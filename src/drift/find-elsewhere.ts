import { findAgain, type OldVersion } from './compare-lines.ts';
import { keptLines } from './compare-with-disk.ts';
import type { CurrentCode } from './current-code.ts';
import type { Versions } from './file-versions.ts';
import { isNoteworthy } from './source-text.ts';

const maxCandidates = 60;

interface Place {
  path: string;
  block: number[];
}

/** The lines in another file that was touched together with theirs; one that had them before holds a copy. */
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
    const blocks = findAgain(origin, file.indexed(origin.by));
    return blocks.filter((block) => isNoteworthy(file, block)).map((block) => ({ path, block }));
  });
  if (places.length === 0) return undefined;
  await versions.fetch(places.map(({ path }) => `${before}:${path}`));
  const isNew = ({ path }: Place) => {
    const text = versions.get(`${before}:${path}`);
    return text === undefined || findAgain(origin, text.indexed(origin.by)).length === 0;
  };
  const fresh = places.find(isNew);
  return fresh && placed(fresh);
}

const placed = ({ path, block }: Place) => ({ path, ...keptLines(block) });

const sameFileBonus = 0.5;

/** What a file is called now that was renamed and not committed yet: the one that has most of its lines. */
export function likeliest(
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
  return best.share >= sameFileBonus ? best.path : undefined;
}
