import { diffArrays } from 'diff';

const timeoutMs = 150;

/**
 * Maps the index of each line in an old text to its index in a later text, or to -1 if the line is gone. Returns
 * undefined if the diff takes too long.
 */
export function mapLines(then: string[], now: string[]): number[] | undefined {
  const changes = diffOnce(then, now);
  if (changes === undefined) return undefined;
  const mapping = new Array<number>(then.length).fill(-1);
  let [old, fresh] = [0, 0];
  for (const { added, removed, value } of changes) {
    if (added) fresh += value.length;
    else if (removed) old += value.length;
    else for (let line = 0; line < value.length; line++) mapping[old++] = fresh++;
  }
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
