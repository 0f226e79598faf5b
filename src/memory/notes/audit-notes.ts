import { isEverywhere, type Note } from '../../domain/note.ts';
import { wordsOf } from './note-lifecycle.ts';

/** What a person could tidy up in a store of notes. Finding it changes nothing. */
export interface NoteAudit {
  /** Notes that say the same. The first is the one to keep. */
  duplicates: [Note, ...Note[]][];
  /** Notes that nobody has used for long, the longest unused first. */
  unused: { note: Note; lastUsed: number }[];
}

export interface NoteUse {
  now: number;
  unusedDays: number;
  /** Time at which an agent last opened the note; 0 if it never did. */
  lastUsed(note: Note): Promise<number>;
  /** Whether new sessions are told the note. */
  isTold(note: Note): boolean;
}

export async function auditNotes(notes: Note[], use: NoteUse): Promise<NoteAudit> {
  const duplicates = duplicatesIn(notes);
  const extra = new Set(duplicates.flatMap(([, ...others]) => others));
  // A note that is a duplicate anyway is listed once.
  return {
    duplicates,
    unused: await unusedIn(
      notes.filter((note) => !extra.has(note)),
      use,
    ),
  };
}

const isLive = ({ state }: Note): boolean => state === 'active' || state === 'candidate';

/** The order in which notes are kept: pinned, approved by the user, active, most recent. */
const byWorth = (a: Note, b: Note): number =>
  Number(b.pinned) - Number(a.pinned) ||
  b.trust - a.trust ||
  Number(b.state === 'active') - Number(a.state === 'active') ||
  (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.id < b.id ? -1 : 1);

function duplicatesIn(notes: Note[]): [Note, ...Note[]][] {
  const live = notes.filter((note) => isLive(note) && note.kind !== 'summary').sort(byWorth);
  const groups = Map.groupBy(live, (note) => `${isEverywhere(note)} ${wordsOf(note)}`);
  return [...groups.values()].filter((group): group is [Note, ...Note[]] => group.length > 1);
}

const dayMs = 24 * 60 * 60 * 1000;

async function unusedIn(
  notes: Note[],
  { now, unusedDays, lastUsed, isTold }: NoteUse,
): Promise<NoteAudit['unused']> {
  const before = now - unusedDays * dayMs;
  const found: NoteAudit['unused'] = [];
  for (const note of notes) {
    if (!isLive(note) || note.pinned || note.enforced === true || isEverywhere(note) || isTold(note))
      continue;
    if ((Date.parse(note.updated) || now) >= before) continue;
    const at = await lastUsed(note);
    if (at < before) found.push({ note, lastUsed: at });
  }
  const sinceOf = ({ note, lastUsed: at }: NoteAudit['unused'][number]): number =>
    Math.max(at, Date.parse(note.updated));
  return found.sort((a, b) => sinceOf(a) - sinceOf(b));
}
