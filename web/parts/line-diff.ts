/** One row of a side-by-side diff. */
export interface DiffRow {
  past?: { line: number; text: string };
  now?: { line: number; text: string };
  isSame: boolean;
}

/** Only the first lines are compared, because the table grows with the product of both lengths. */
const maxLines = 1_500;

export function diffLines(past: string[], now: string[], thenStart: number, nowStart: number): DiffRow[] {
  const [a, b] = [past.slice(0, maxLines), now.slice(0, maxLines)];
  const lengths = commonLengths(a, b);
  const rows: DiffRow[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const old = { line: thenStart + i, text: a[i] ?? '' };
    const fresh = { line: nowStart + j, text: b[j] ?? '' };
    if (i < a.length && j < b.length && a[i] === b[j]) {
      rows.push({ past: old, now: fresh, isSame: true });
      i += 1;
      j += 1;
    } else if (
      j >= b.length ||
      (i < a.length && at(lengths, b.length, i + 1, j) >= at(lengths, b.length, i, j + 1))
    ) {
      rows.push({ past: old, isSame: false });
      i += 1;
    } else {
      rows.push({ now: fresh, isSame: false });
      j += 1;
    }
  }
  return pairUp(rows);
}

/** Lengths of the longest common subsequence of the remaining lines, for every pair of positions. */
function commonLengths(a: string[], b: string[]): Uint16Array {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i * width + j] =
        a[i] === b[j]
          ? at(table, b.length, i + 1, j + 1) + 1
          : Math.max(at(table, b.length, i + 1, j), at(table, b.length, i, j + 1));
  return table;
}

const at = (table: Uint16Array, columns: number, i: number, j: number): number =>
  table[i * (columns + 1) + j] ?? 0;

/** Joins a removed line and the line added in its place into one row. */
function pairUp(rows: DiffRow[]): DiffRow[] {
  const out: DiffRow[] = [];
  for (let from = 0; from < rows.length; ) {
    if (rows[from]?.isSame === true) {
      out.push(rows[from] as DiffRow);
      from += 1;
      continue;
    }
    let to = from;
    while (to < rows.length && rows[to]?.isSame === false) to += 1;
    const removed = rows.slice(from, to).flatMap(({ past }) => past ?? []);
    const added = rows.slice(from, to).flatMap(({ now }) => now ?? []);
    for (let place = 0; place < Math.max(removed.length, added.length); place++) {
      const [past, now] = [removed[place], added[place]];
      out.push({
        ...(past === undefined ? {} : { past }),
        ...(now === undefined ? {} : { now }),
        isSame: false,
      });
    }
    from = to;
  }
  return out;
}
