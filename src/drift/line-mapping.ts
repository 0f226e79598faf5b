import { diffArrays } from 'diff';

const timeoutMs = 150;

/**
 * Maps the index of each line in an old text to its index in a later text, or to -1 if the line is gone. Returns
 * undefined if the diff takes too long. If deleted lines are next to equal lines, several diffs are correct. Then the
 * one is chosen whose deletion covers most of the block, so that the end of the next function is not mistaken for the
 * end of the deleted one.
 */
export function mapLines(then: string[], now: string[], block: number[]): number[] | undefined {
  const changes = diffOnce(then, now);
  if (changes === undefined) return undefined;
  const mapping = new Array<number>(then.length).fill(-1);
  const runs: [from: number, to: number][] = [];
  let [old, fresh] = [0, 0];
  for (const [at, { added, removed, value }] of changes.entries()) {
    if (added) fresh += value.length;
    else if (removed) {
      const isReplaced = changes[at - 1]?.added === true || changes[at + 1]?.added === true;
      if (!isReplaced) runs.push([old, old + value.length]);
      old += value.length;
    } else for (let line = 0; line < value.length; line++) mapping[old++] = fresh++;
  }
  const [first, last] = [block[0] ?? 0, block.at(-1) ?? 0];
  for (const run of runs) slide(run, then, mapping, first, last);
  return mapping;
}

const diffs = new WeakMap<string[], WeakMap<string[], ReturnType<typeof diffArrays<string>> | undefined>>();

/** Many notes refer to the same two versions of a file, and a diff of long ones takes tens of milliseconds. */
function diffOnce(then: string[], now: string[]): ReturnType<typeof diffArrays<string>> | undefined {
  const known = diffs.get(then) ?? new WeakMap();
  diffs.set(then, known);
  if (!known.has(now)) known.set(now, diffArrays(then, now, { timeout: timeoutMs }));
  return known.get(now);
}

function slide(
  [from, to]: [number, number],
  lines: string[],
  mapping: number[],
  first: number,
  last: number,
) {
  let [start, end] = [from, to];
  while (start < first && end <= last && lines[start] === lines[end] && mapping[end] !== -1) {
    mapping[start++] = mapping[end] as number;
    mapping[end++] = -1;
  }
  while (
    start > first &&
    end > last + 1 &&
    lines[start - 1] === lines[end - 1] &&
    mapping[start - 1] !== -1
  ) {
    mapping[--end] = mapping[--start] as number;
    mapping[start] = -1;
  }
}
