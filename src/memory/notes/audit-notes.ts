import { isEverywhere, type Note } from '../../domain/note.ts';
import { contradictions, rarestTerms, saysSame } from './note-lifecycle.ts';
import { statesSame } from './same-statement.ts';
import { activeOnTopic } from './topic.ts';

/** What a person could tidy up in a store of notes. Finding it changes nothing. */
export interface NoteAudit {
  /** Notes that say the same. The first is the one to keep. */
  duplicates: [Note, ...Note[]][];
  /** Pairs of active notes that contradict each other, the one to keep first. */
  contradictions: [Note, Note][];
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

export async function auditNotes(notes: Note[], use: NoteUse | undefined): Promise<NoteAudit> {
  const duplicates = duplicatesIn(notes);
  const extra = new Set(duplicates.flatMap(([, ...others]) => others));
  // A note that is a duplicate anyway is listed once.
  const others = notes.filter((note) => !extra.has(note));
  return {
    duplicates,
    contradictions: conflictsIn(others),
    unused: use === undefined ? [] : await unusedIn(others, use),
  };
}

const isLive = ({ state }: Note): boolean => state === 'active' || state === 'candidate';

/** The order in which notes are kept: pinned, approved by the user, active, most recent. */
const byWorth = (a: Note, b: Note): number =>
  Number(b.pinned) - Number(a.pinned) ||
  b.trust - a.trust ||
  Number(b.state === 'active') - Number(a.state === 'active') ||
  (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.id < b.id ? -1 : 1);

/** More frequent terms say little, and comparing all notes that have them would take minutes. */
const maxNotesPerTerm = 50;

function duplicatesIn(notes: Note[]): [Note, ...Note[]][] {
  const live = notes.filter((note) => isLive(note) && note.kind !== 'summary').sort(byWorth);
  const rarest = rarestTerms(live);
  const known = new Map<string, Note[]>();
  const groups = new Map<Note, [Note, ...Note[]]>();
  for (const note of live) {
    const near = new Set(rarest(note).flatMap((term) => known.get(term) ?? []));
    const same = [...near].find(
      (other) =>
        isEverywhere(other) === isEverywhere(note) && (saysSame(note, other) || statesSame(note, other)),
    );
    if (same !== undefined) {
      groups.get(same)?.push(note);
      continue;
    }
    groups.set(note, [note]);
    for (const term of rarest(note)) {
      const having = known.get(term);
      if (having === undefined) known.set(term, [note]);
      else if (having.length < maxNotesPerTerm) having.push(note);
    }
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** Notes with opposite statements, and several active statements on one topic, of which only one should be active. */
function conflictsIn(notes: Note[]): [Note, Note][] {
  const found = new Map<string, [Note, Note]>();
  const add = (one: Note, other: Note): void => {
    const pair: [Note, Note] = byWorth(one, other) <= 0 ? [one, other] : [other, one];
    found.set(pair.map(({ id }) => id).join(' '), pair);
  };
  for (const [one, other] of contradictions(notes)) add(one, other);
  for (const note of notes) {
    if (note.topic === undefined || note.state !== 'active') continue;
    for (const other of activeOnTopic(note.topic, notes)) if (other.id !== note.id) add(note, other);
  }
  return [...found.values()];
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
