import { openEnd } from '../../distil/distiller.ts';
import type { Note } from '../../domain/note.ts';
import { parseNoteText, withoutTopic } from '../../text/note-text.ts';
import { queryTerms } from '../../text/words.ts';
import { distilAuthor } from './distil-mark.ts';
import { isTheme } from './theme-note.ts';

/**
 * What happens to a note between being written and being forgotten: it is said again, a later one closes it, it
 * is contradicted, it falls out of use. Pure; who calls this writes the notes and the events.
 */
const live = ({ state }: Note): boolean => state === 'active' || state === 'candidate';

/** Settled matters of either kind say the same things: "we use pnpm" is a decision to one and a rule to another. */
const familyOf = ({ kind }: Note): string => (kind === 'convention' ? 'decision' : kind);

const sameness = 0.7;

/** Yes or no: "always X" and "never X" have nearly all words in common. */
const negative =
  /(?<![\p{L}])(?:never|not|no|don'?t|do not|without|nie|niemals|kein\w*|jamais|nunca|никогда|не)(?![\p{L}])|不/iu;

/** The words that carry a note's meaning; the piece of work in which it was said may have been any. */
const termsOfNote = ({ text }: Note): Set<string> => new Set(queryTerms(withoutTopic(text)).terms);

const known = new WeakMap<Note, Set<string>>();
const denying = new WeakMap<Note, boolean>();

/** "Why does it not load" as what a note was said to makes no denial of it. */
function isNegative(note: Note): boolean {
  const is = denying.get(note) ?? negative.test(parseNoteText(note.text).statement.join('\n'));
  denying.set(note, is);
  return is;
}

/** Of what was said alone: what it was said to is the same for all that was said in one session. */
function saidTerms(note: Note): Set<string> {
  const terms = known.get(note) ?? new Set(queryTerms(parseNoteText(note.text).statement.join(' ')).terms);
  known.set(note, terms);
  return terms;
}

function overlap(one: Set<string>, other: Set<string>): number {
  let shared = 0;
  for (const term of one) if (other.has(term)) shared += 1;
  return shared / Math.max(1, one.size + other.size - shared);
}

/** Sets of very different size cannot overlap so far; with thousands of notes it pays to see that first. */
const overlapsBy = (share: number, one: Set<string>, other: Set<string>): boolean =>
  Math.min(one.size, other.size) >= share * Math.max(one.size, other.size) && overlap(one, other) >= share;

/** The note that says the same, if there is one. Summaries of two sessions are never the same. */
export function findSame(note: Note, notes: Note[]): Note | undefined {
  if (note.kind === 'summary') return undefined;
  const own = saidTerms(note);
  if (own.size < 3) return undefined;
  return notes.find((other) => {
    if (!live(other) || other.id === note.id || familyOf(other) !== familyOf(note)) return false;
    const terms = saidTerms(other);
    return isNegative(other) === isNegative(note) && overlapsBy(sameness, own, terms);
  });
}

/**
 * What a repetition changes: the evidence grows, and what two sessions say need not wait any longer. When the
 * user says what an agent had said, the user's words take the place of the agent's.
 */
export function addEvidence(
  note: Note,
  again: Note,
  sessionOf: (event: string) => string,
): Partial<Note> | undefined {
  const derivedFrom = [...new Set([...note.derivedFrom, ...again.derivedFrom])];
  if (derivedFrom.length === note.derivedFrom.length) return undefined;
  const sessions = new Set(derivedFrom.map(sessionOf).filter((session) => session !== ''));
  const isOwnWord = again.trust >= 2 && note.trust < 2;
  return {
    derivedFrom,
    ...(isOwnWord ? { text: again.text, title: again.title, trust: again.trust } : {}),
    ...(isOwnWord || sessions.size > 1 ? { state: 'active' as const } : {}),
  };
}

const thing = '([\\p{L}\\p{N}][^,.;:!?]{0,40}?)';
const end = '(?=\\s+(?:to|with|by|for|in|on|since|because|and|as)\\s|[,.;:!?\\n]|$)';
/** What is left behind, in the words in which people say that it is. */
const leaving = [
  new RegExp(
    `\\b(?:mov|switch|migrat|chang|port|convert)\\w*\\s.{0,60}?\\bfrom\\s+${thing}\\s+(?:to|over)\\b`,
    'iu',
  ),
  new RegExp(
    `\\b(?:dropping|dropped|drop|no longer us\\w+|stopped using|got rid of|get rid of|away from)\\s+${thing}${end}`,
    'iu',
  ),
  new RegExp(`\\breplac\\w+\\s+${thing}\\s+(?:with|by)\\b`, 'iu'),
  new RegExp(`\\b(?:instead of|rather than)\\s+${thing}${end}`, 'iu'),
  new RegExp(`(?<!\\p{L})(?:statt|au lieu de|en (?:vez|lugar) de|em vez de|вместо)\\s+${thing}${end}`, 'iu'),
];

const abandoned = new WeakMap<Note, string[]>();

function leftBehind(note: Note): string[] {
  const known = abandoned.get(note);
  if (known !== undefined) return known;
  const text = parseNoteText(note.text).statement.join('\n');
  const left = leaving.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined);
  const terms = left === undefined ? [] : queryTerms(left).terms.slice(0, 4);
  abandoned.set(note, terms);
  return terms;
}

/** In every decision, whatever it is about. */
const choosing = new Set(
  queryTerms('instead rather must going keep take switch switched move moved drop dropped').terms,
);

/** Of what the shorter of two notes is about; less is a word by chance: "every change", "nobody changes them". */
const sameMatter = 0.2;

/** The notes that a new one closes: older ones about the same matter that hold what it leaves behind. */
export function closedBy(note: Note, notes: Note[]): Note[] {
  if (note.trust < 2 || note.state === 'candidate' || familyOf(note) !== 'decision') return [];
  const gone = leftBehind(note);
  if (gone.length === 0) return [];
  return notes.filter((old) => {
    if (old.state !== 'active' || old.pinned || familyOf(old) !== 'decision') return false;
    if (old.id === note.id || old.validFrom >= note.validFrom) return false;
    const terms = termsOfNote(old);
    if (!gone.every((term) => terms.has(term))) return false;
    // Who left the same behind says the same, and does not hold it: "SQS instead of cron" twice closes nothing.
    const leftBefore = leftBehind(old);
    if (gone.every((term) => leftBefore.includes(term))) return false;
    const isMatter = (term: string): boolean =>
      !gone.includes(term) && !leftBefore.includes(term) && !choosing.has(term);
    const [own, other] = [termsOfNote(note), terms].map((all) => [...all].filter(isMatter)) as [
      string[],
      string[],
    ];
    const shared = own.filter((term) => terms.has(term)).length;
    return shared > 0 && shared >= sameMatter * Math.min(own.length, other.length);
  });
}

const opposed = 0.5;

/** More of them than anybody goes through are a sign of something else. */
const maxContradictions = 200;
/** What more notes than this have in common says nothing of any two, and comparing them all would take minutes. */
const maxWithTerm = 20;

/** A server is asked after every change of anything, and these notes seldom change. */
let lastSettled: Note[] = [];
let lastFound: [Note, Note][] = [];

/** Pairs that say yes and no to the same thing; the user decides, so both are shown. */
export function contradictions(notes: Note[]): [Note, Note][] {
  const settled = notes.filter((note) => note.state === 'active' && familyOf(note) === 'decision');
  const isAsBefore =
    settled.length === lastSettled.length && settled.every((note, at) => note === lastSettled[at]);
  if (!isAsBefore) [lastSettled, lastFound] = [settled, opposedAmong(settled)];
  return [...lastFound];
}

function opposedAmong(settled: Note[]): [Note, Note][] {
  const place = new Map(settled.map((note, at) => [note, at]));
  const rarest = rarestTerms(settled);
  const yes = new Map<string, Note[]>();
  for (const note of settled.filter((one) => !isNegative(one)))
    for (const term of rarest(note)) {
      const known = yes.get(term);
      if (known === undefined) yes.set(term, [note]);
      else if (known.length < maxWithTerm) known.push(note);
    }
  return settled
    .filter(isNegative)
    .flatMap((no) =>
      [...new Set(rarest(no).flatMap((term) => yes.get(term) ?? []))]
        .filter((other) => overlapsBy(opposed, saidTerms(no), saidTerms(other)))
        .map((other): [Note, Note] =>
          (place.get(no) ?? 0) < (place.get(other) ?? 0) ? [no, other] : [other, no],
        ),
    )
    .sort(
      ([a, b], [c, d]) =>
        (place.get(a) ?? 0) - (place.get(c) ?? 0) || (place.get(b) ?? 0) - (place.get(d) ?? 0),
    )
    .slice(0, maxContradictions);
}

/**
 * Two notes that share half of their words share one of the rarer half: only notes that do need comparing, and
 * with thousands of them those are few.
 */
function rarestTerms(notes: Note[]): (note: Note) => string[] {
  const having = new Map<string, number>();
  for (const note of notes) for (const term of saidTerms(note)) having.set(term, (having.get(term) ?? 0) + 1);
  const count = (term: string): number => having.get(term) ?? 0;
  return (note) => {
    const terms = [...saidTerms(note)].sort((a, b) => count(a) - count(b) || (a < b ? -1 : 1));
    return terms.slice(0, terms.length - Math.ceil(terms.length * opposed) + 1);
  };
}

const dayMs = 24 * 60 * 60 * 1000;
const candidateDays = 90;
const activeDays = 365;
const openEndDays = 60;

/**
 * Whether a note has been out of use for so long that it is put away. Only what was distilled, and of that never
 * what the user said, approved or pinned; what is left to do goes sooner. Put away is not gone: recall finds it.
 */
export function isFaded(note: Note, lastUsed: number, now: number): boolean {
  // A theme goes by its notes.
  if (note.pinned || !live(note) || note.author !== distilAuthor || isTheme(note)) return false;
  const since = Math.max(Date.parse(note.updated) || now, lastUsed);
  const days = (now - since) / dayMs;
  if (note.concepts.includes(openEnd)) return days > openEndDays;
  if (note.trust >= 2 && note.state !== 'candidate' && note.kind !== 'summary') return false;
  return days > (note.state === 'candidate' ? candidateDays : activeDays);
}
