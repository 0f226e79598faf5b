import { openEnd } from '../../distil/distiller.ts';
import { isEverywhere, type Note } from '../../domain/note.ts';
import { parseNoteText, withoutTopic } from '../../text/note-text.ts';
import { queryTerms } from '../../text/words.ts';
import { distilAuthor } from './distil-mark.ts';

/**
 * Rules for the lifecycle of notes: repetition, superseding, contradiction and expiry. Pure; callers write the notes and
 * events.
 */
const isLive = ({ state }: Note): boolean => state === 'active' || state === 'candidate';

/** Decisions and conventions are compared with each other: "we use pnpm" may be extracted as either. */
const comparableKind = ({ kind }: Note): string => (kind === 'convention' ? 'decision' : kind);

/** Overlap of terms (Jaccard) from which two notes say the same. */
const minSameOverlap = 0.7;

/** Negation must be compared separately, because "always X" and "never X" share nearly all words. */
const negative =
  /(?<![\p{L}])(?:never|not|no|don'?t|do not|without|nie|niemals|kein\w*|jamais|nunca|никогда|не)(?![\p{L}])|不/iu;

/**
 * Terms of a note without the line that names the session's topic, which often has little to do with the statement.
 */
const termsOfNote = ({ text }: Note): Set<string> => new Set(queryTerms(withoutTopic(text)).terms);

const termsCache = new WeakMap<Note, Set<string>>();
const negationCache = new WeakMap<Note, boolean>();

/**
 * Whether the statement of a note is negative. Its question does not count: "Why does it not load" does not negate the
 * note.
 */
function isNegative(note: Note): boolean {
  const is = negationCache.get(note) ?? negative.test(parseNoteText(note.text).statement.join('\n'));
  negationCache.set(note, is);
  return is;
}

/** Terms of the statement alone. The question and the topic of a note may be the same for many notes of a session. */
function statementTerms(note: Note): Set<string> {
  const terms =
    termsCache.get(note) ?? new Set(queryTerms(parseNoteText(note.text).statement.join(' ')).terms);
  termsCache.set(note, terms);
  return terms;
}

function overlap(one: Set<string>, other: Set<string>): number {
  let shared = 0;
  for (const term of one) if (other.has(term)) shared += 1;
  return shared / Math.max(1, one.size + other.size - shared);
}

/** Compares the sizes first: sets of very different size cannot overlap enough, and there may be thousands of notes. */
const overlapsBy = (share: number, one: Set<string>, other: Set<string>): boolean =>
  Math.min(one.size, other.size) >= share * Math.max(one.size, other.size) && overlap(one, other) >= share;

/** Finds a note that says the same. Summaries are never the same. */
export const findSame = (note: Note, notes: Note[]): Note | undefined =>
  notes.find((other) => isLive(other) && saysSame(note, other));

/** Whether two notes of comparable kinds have nearly the same words, negation and numbers. */
export function saysSame(note: Note, other: Note): boolean {
  if (note.kind === 'summary' || other.id === note.id) return false;
  if (comparableKind(other) !== comparableKind(note)) return false;
  const own = statementTerms(note);
  if (own.size < 3 || !overlapsBy(minSameOverlap, own, statementTerms(other))) return false;
  return isNegative(other) === isNegative(note) && numbersOf(other) === numbersOf(note);
}

/** Numbers are compared separately, because "the limit is 10 MB" and "the limit is 25 MB" share nearly all words. */
const numbersOf = (note: Note): string => numbersIn(parseNoteText(note.text).statement.join(' '));

export const numbersIn = (text: string): string => (text.match(/\d+(?:[.,]\d+)*/g) ?? []).join(' ');

/**
 * Finds a superseded or withdrawn note that says the same as a proposed one. Such a proposal is not made a note again.
 * Only if the user says it once more, after the old note was closed, does it count as a new statement.
 */
export const findClosed = (note: Note, notes: Note[]): Note | undefined =>
  notes.find(
    (other) =>
      other.state === 'superseded' &&
      (note.trust < 2 || note.validFrom <= other.validTo) &&
      (other.text.trim() === note.text.trim() || saysSame(note, other)),
  );

/**
 * The changes to a note that is stated again. Its evidence grows, and with evidence from two sessions a candidate
 * becomes active. If the user repeats an agent's statement, the user's words replace the agent's.
 */
export function addEvidence(
  note: Note,
  again: Note,
  sessionOf: (event: string) => string,
): Partial<Note> | undefined {
  const derivedFrom = [...new Set([...note.derivedFrom, ...again.derivedFrom])];
  if (derivedFrom.length === note.derivedFrom.length) return undefined;
  const sessions = new Set(derivedFrom.map(sessionOf).filter((session) => session !== ''));
  const isByUser = again.trust >= 2 && note.trust < 2;
  return {
    derivedFrom,
    ...(isByUser ? { text: again.text, title: again.title, trust: again.trust } : {}),
    ...(isByUser || sessions.size > 1 ? { state: 'active' as const } : {}),
  };
}

const thing = '([\\p{L}\\p{N}][^,.;:!?]{0,40}?)';
const end = '(?=\\s+(?:to|with|by|for|in|on|since|because|and|as)\\s|[,.;:!?\\n]|$)';
/** Phrases that name what a decision abandons. */
const abandonPhrases = [
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

const abandonedCache = new WeakMap<Note, string[]>();

/** Terms of what the note abandons, such as "cron" in "SQS instead of cron". */
function abandonedTerms(note: Note): string[] {
  const known = abandonedCache.get(note);
  if (known !== undefined) return known;
  const text = parseNoteText(note.text).statement.join('\n');
  const phrase = abandonPhrases
    .map((pattern) => pattern.exec(text)?.[1])
    .find((found) => found !== undefined);
  const terms = phrase === undefined ? [] : queryTerms(phrase).terms.slice(0, 4);
  abandonedCache.set(note, terms);
  return terms;
}

/** Words that occur in decisions about anything. */
const decisionWords = new Set(
  queryTerms('instead rather must going keep take switch switched move moved drop dropped').terms,
);

/**
 * Two notes are about the same subject if they share at least this part of the shorter note's subject terms. Fewer
 * common words are a coincidence.
 */
const minSharedSubject = 0.2;

/** The notes that a new one supersedes: older ones about the same subject that state what it abandons. */
export function closedBy(note: Note, notes: Note[]): Note[] {
  if (note.trust < 2 || note.state === 'candidate' || comparableKind(note) !== 'decision') return [];
  const gone = abandonedTerms(note);
  if (gone.length === 0) return [];
  return notes.filter((old) => {
    if (old.state !== 'active' || old.pinned || comparableKind(old) !== 'decision') return false;
    // What the user says in one project does not end what they said for every project.
    if (isEverywhere(old)) return false;
    if (old.id === note.id || old.validFrom >= note.validFrom) return false;
    const terms = termsOfNote(old);
    if (!gone.every((term) => terms.has(term))) return false;
    // An older note that already abandoned the same thing stays open: a repeated "SQS instead of cron" does not
    // supersede the first one.
    const goneBefore = abandonedTerms(old);
    if (gone.every((term) => goneBefore.includes(term))) return false;
    const isSubject = (term: string): boolean =>
      !gone.includes(term) && !goneBefore.includes(term) && !decisionWords.has(term);
    const [own, other] = [termsOfNote(note), terms].map((all) => [...all].filter(isSubject)) as [
      string[],
      string[],
    ];
    const shared = own.filter((term) => terms.has(term)).length;
    return shared > 0 && shared >= minSharedSubject * Math.min(own.length, other.length);
  });
}

/** Overlap of terms from which a positive and a negative note contradict each other. */
const minContradictionOverlap = 0.5;

/** At most this many contradictions are returned; nobody reviews more. */
const maxContradictions = 200;
/**
 * Two notes are compared only if they share a term that occurs in at most this many notes. More frequent terms say
 * little, and comparing all notes that have them would take minutes.
 */
const maxNotesPerTerm = 20;

/**
 * The notes of the last call and their contradictions. The server asks after every change, and active notes seldom
 * change.
 */
let lastSettled: Note[] = [];
let lastFound: [Note, Note][] = [];

/** Pairs of active notes that contradict each other. The user decides between them. */
export function contradictions(notes: Note[]): [Note, Note][] {
  const settled = notes.filter((note) => note.state === 'active' && comparableKind(note) === 'decision');
  const isUnchanged =
    settled.length === lastSettled.length && settled.every((note, at) => note === lastSettled[at]);
  if (!isUnchanged) [lastSettled, lastFound] = [settled, findContradictions(settled)];
  return [...lastFound];
}

function findContradictions(settled: Note[]): [Note, Note][] {
  const place = new Map(settled.map((note, at) => [note, at]));
  const rarest = rarestTerms(settled);
  const yes = new Map<string, Note[]>();
  for (const note of settled.filter((one) => !isNegative(one)))
    for (const term of rarest(note)) {
      const known = yes.get(term);
      if (known === undefined) yes.set(term, [note]);
      else if (known.length < maxNotesPerTerm) known.push(note);
    }
  return settled
    .filter(isNegative)
    .flatMap((no) =>
      [...new Set(rarest(no).flatMap((term) => yes.get(term) ?? []))]
        // A project may deviate from what the user said for every project.
        .filter((other) => isEverywhere(no) === isEverywhere(other))
        .filter((other) => overlapsBy(minContradictionOverlap, statementTerms(no), statementTerms(other)))
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
 * Two notes that share half of their terms share at least one of the rarer half. So only notes with a common rare term
 * have to be compared; even among thousands of notes these are few.
 */
export function rarestTerms(notes: Note[]): (note: Note) => string[] {
  const having = new Map<string, number>();
  for (const note of notes)
    for (const term of statementTerms(note)) having.set(term, (having.get(term) ?? 0) + 1);
  const count = (term: string): number => having.get(term) ?? 0;
  return (note) => {
    const terms = [...statementTerms(note)].sort((a, b) => count(a) - count(b) || (a < b ? -1 : 1));
    return terms.slice(0, terms.length - Math.ceil(terms.length * minContradictionOverlap) + 1);
  };
}

const dayMs = 24 * 60 * 60 * 1000;
const maxCandidateDays = 90;
const maxActiveDays = 365;
const maxOpenEndDays = 60;

/**
 * Whether a note was unused for so long that it is archived. Only extracted notes expire. What the user stated,
 * approved or pinned does not, except postponed work, which expires soonest of all. Recall still finds archived notes.
 */
export function isExpired(note: Note, lastUsed: number, now: number): boolean {
  if (note.pinned || !isLive(note) || note.author !== distilAuthor) return false;
  const since = Math.max(Date.parse(note.updated) || now, lastUsed);
  const days = (now - since) / dayMs;
  if (note.concepts.includes(openEnd)) return days > maxOpenEndDays;
  if (note.trust >= 2 && note.state !== 'candidate' && note.kind !== 'summary') return false;
  return days > (note.state === 'candidate' ? maxCandidateDays : maxActiveDays);
}
