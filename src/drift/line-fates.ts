import { diffArrays } from 'diff';

const timeoutMs = 150;

/**
 * For each line of a text, where it stands in a later one, or -1; undefined where that takes too long to find out.
 * A deletion beside equal lines can be told in more than one way; of those the one that takes most of the block is
 * chosen, so that the end of a function next door does not pass for the end of the one that went.
 */
export function lineFates(then: string[], now: string[], block: number[]): number[] | undefined {
  const changes = diffArrays(then, now, { timeout: timeoutMs });
  if (changes === undefined) return undefined;
  const fates = new Array<number>(then.length).fill(-1);
  const runs: [from: number, to: number][] = [];
  let [old, fresh] = [0, 0];
  for (const [at, { added, removed, value }] of changes.entries()) {
    if (added) fresh += value.length;
    else if (removed) {
      const isReplaced = changes[at - 1]?.added === true || changes[at + 1]?.added === true;
      if (!isReplaced) runs.push([old, old + value.length]);
      old += value.length;
    } else for (let line = 0; line < value.length; line++) fates[old++] = fresh++;
  }
  const [first, last] = [block[0] ?? 0, block.at(-1) ?? 0];
  for (const run of runs) slide(run, then, fates, first, last);
  return fates;
}

function slide([from, to]: [number, number], lines: string[], fates: number[], first: number, last: number) {
  let [start, end] = [from, to];
  while (start < first && end <= last && lines[start] === lines[end] && fates[end] !== -1) {
    fates[start++] = fates[end] as number;
    fates[end++] = -1;
  }
  while (start > first && end > last + 1 && lines[start - 1] === lines[end - 1] && fates[start - 1] !== -1) {
    fates[--end] = fates[--start] as number;
    fates[start] = -1;
  }
}
