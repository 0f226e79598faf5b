import type { HashedFile } from '../text/hashed-file.ts';

/** An edit leaves out what did not change, so the next of its lines may stand a little further on. */
export const editGap = 8;
/** More occurrences of one line than anybody would compare. */
const maxPlaces = 60;

/** A file by whatever tells its lines apart. */
export type KeyedFile = Pick<HashedFile, 'hashes' | 'places'>;

/**
 * Where all of these lines stand, in order and close together: for each such place the index of every line, from 0.
 * The rarest of them is looked up and the others are sought from there.
 */
export function findBlock(lines: string[], file: KeyedFile, gap = editGap): number[][] {
  const occurrences = (line: string) => file.places.get(line)?.length ?? 0;
  let rarest = 0;
  for (const [at, line] of lines.entries()) {
    if (occurrences(line) === 0) return [];
    if (occurrences(line) < occurrences(lines[rarest] as string)) rarest = at;
  }
  const starts = (file.places.get(lines[rarest] ?? '') ?? []).slice(0, maxPlaces);
  return starts.flatMap((place) => {
    const before = walk(lines.slice(0, rarest).reverse(), file, place, -1, gap);
    const after = walk(lines.slice(rarest + 1), file, place, 1, gap);
    return before === undefined || after === undefined ? [] : [[...before.reverse(), place, ...after]];
  });
}

function walk(
  lines: string[],
  file: KeyedFile,
  from: number,
  step: 1 | -1,
  gap: number,
): number[] | undefined {
  const found: number[] = [];
  let here = from;
  for (const line of lines) {
    let next = here + step;
    while (Math.abs(next - here) <= gap && file.hashes[next] !== line) next += step;
    if (file.hashes[next] !== line) return undefined;
    found.push(next);
    here = next;
  }
  return found;
}

/** How far apart the lines of a block stand at most. */
export const widestGap = (block: number[]): number =>
  block.reduce((widest, at, index) => Math.max(widest, at - (block[index - 1] ?? at)), 1);

/** The one that begins nearest to a line, from 1; the first where that is not known. */
export function nearest(blocks: number[][], start: number): number[] | undefined {
  const away = (block: number[]) => Math.abs((block[0] as number) - (start - 1));
  return start === 0 ? blocks[0] : [...blocks].sort((a, b) => away(a) - away(b))[0];
}

export function placesOf(keys: string[]): KeyedFile {
  const places = new Map<string, number[]>();
  for (const [at, key] of keys.entries()) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [at]);
    else known.push(at);
  }
  return { hashes: keys, places };
}
