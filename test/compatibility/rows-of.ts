import type { Capability, Design, Kind, LaterPart, Row, Status } from './row.ts';

/** Their name, ours, and a sentence where it helps. */
type Renaming = readonly [item: string, ours: string, why?: string];

/** A bare name is kept as it is. */
export type Entry = string | Renaming;

interface Place {
  kind: Kind;
  capability: Capability;
}
interface Shown extends Place {
  test: string;
}
interface Departed extends Shown {
  adr: string;
}
interface Planned extends Place {
  comesWith?: LaterPart;
}

/** Short ways to write many rows of one design that share everything but their names. */
export function rowsOf(design: Design) {
  const write = (
    status: Status,
    common: Shown | Departed | Place,
    entries: readonly Entry[],
    part?: LaterPart,
  ): Row[] =>
    entries.map((entry) => {
      const [item, ours, reason] = typeof entry === 'string' ? [entry, entry] : entry;
      const why = [reason, part === undefined ? undefined : `Comes with ${part}.`].filter(
        (said) => said !== undefined,
      );
      return { design, status, ...common, item, ours, ...(why.length === 0 ? {} : { why: why.join(' ') }) };
    });
  return {
    same: (common: Shown, entries: readonly Entry[]) => write('same', common, entries),
    renamed: (common: Shown, entries: readonly Renaming[]) => write('renamed', common, entries),
    departed: (common: Departed, entries: readonly Renaming[]) => write('departed', common, entries),
    planned: ({ comesWith, ...common }: Planned, entries: readonly Entry[]) =>
      write('planned', common, entries, comesWith),
  };
}

/** Names inside a tool, a record or an envelope: `fieldsOf('find_files', ['limit'])` is `find_files.limit`. */
export function fieldsOf(owner: string, entries: readonly Renaming[]): Renaming[];
export function fieldsOf(owner: string, entries: readonly Entry[]): Entry[];
export function fieldsOf(owner: string, entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => {
    if (typeof entry === 'string') return `${owner}.${entry}`;
    const [item, ...rest] = entry;
    return [`${owner}.${item}`, ...rest];
  });
}

/** The same for the query string of a route. */
export const parametersOf = (routes: readonly string[], entries: readonly string[]): Entry[] =>
  routes.flatMap((route) => entries.map((name) => [`${route}?${name}`, `\`${name}\``] as const));
