import { diffArrays } from 'diff/lib/diff/array.js';

interface Line {
  line: number;
  text: string;
}

/** One row of a side-by-side diff. */
export interface DiffRow {
  past?: Line | undefined;
  now?: Line | undefined;
  isSame: boolean;
}

/** Compares lines. A removed line and the line added in its place share a row. */
export function diffLines(past: string[], now: string[], pastStart: number, nowStart: number): DiffRow[] {
  const rows: DiffRow[] = [];
  let [pastLine, nowLine] = [pastStart, nowStart];
  let [old, fresh]: [Line[], Line[]] = [[], []];
  const pairUp = (isSame: boolean) => {
    for (let at = 0; at < Math.max(old.length, fresh.length); at++)
      rows.push({ past: old[at], now: fresh[at], isSame });
    [old, fresh] = [[], []];
  };
  for (const { value, added, removed } of diffArrays(past, now)) {
    const isSame = !added && !removed;
    if (isSame) pairUp(false);
    for (const text of value) {
      if (!added) old.push({ line: pastLine++, text });
      if (!removed) fresh.push({ line: nowLine++, text });
    }
    if (isSame) pairUp(true);
  }
  pairUp(false);
  return rows;
}
