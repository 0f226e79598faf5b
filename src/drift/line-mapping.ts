import { diffArrays } from 'diff';
import { oncePer } from '../base/once-per.ts';

const timeoutMs = 150;

/** The index in `now` of each line of `then`; -1 if it is gone. Undefined if the diff takes too long. */
export function mapLines(then: string[], now: string[]): number[] | undefined {
  const changes = diffFrom(then)(now);
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

/** Many notes refer to the same two versions of a file, and a diff of long ones takes tens of milliseconds. */
const diffFrom = oncePer((then: string[]) =>
  oncePer((now: string[]) => diffArrays(then, now, { timeout: timeoutMs })),
);
