import type { Note } from '../../domain/note.ts';
import { withoutTopic } from '../../text/note-text.ts';
import { isStopWord, queryTerms } from '../../text/words.ts';
import { byAge } from './theme-note.ts';

/**
 * Which notes are about the same matter. Pure. A theme is what somebody would give a name to: all its notes have
 * the word that names it, and are near each other in meaning besides, so that a word with two meanings makes no
 * theme. Notes that belong to none are left alone; a heap of sentences that merely look alike helps nobody.
 */
export interface ThemeNote {
  note: Note;
  /** What a model makes of its text; without one, words alone decide. */
  vector?: Float32Array;
}

/** So many notes make a theme, and no theme grows beyond what can be read at a glance. */
export const minNotes = 3;
export const maxNotes = 12;

/** How near a note must be to the others on the whole. */
const near = 0.13;
const ofOneFile = 0.1;
/** Words count less where no model says whether they mean the same. */
const wordsAlone = 0.75;
/** A word that every fourth note has is the project's, not a theme's. */
const commonShare = 0.25;
const commonLeast = 6;
const commonMost = 40;
/** Among a handful of notes, a word that three of them have would seem common. */
const fewNotes = 50;

const naming =
  /^(?:\p{L}[\p{L}\p{N}_-]{2,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2})$/u;
/** Said about everything, so they name nothing. */
const namesNothing = new Set(
  queryTerms(
    `never always must only need want keep make made put come goes stay allow change instead every first last new
    old day week month year time thing way work run add remove fix start stop leave open call file name default
    please still again two three five value case call write read`,
  ).terms,
);

export interface ThemeFinder {
  /** What may be new themes among notes that are in none, oldest note first; not by one of these words. */
  found(free: ThemeNote[], misleading: ReadonlySet<string>): ThemeNote[][];
  /** Which of the themes a note belongs to, if to any. */
  join(one: ThemeNote, themes: ThemeNote[][]): ThemeNote[] | undefined;
  /** The words that name a theme, the most telling first, as they stand in its notes. */
  namesOf(members: ThemeNote[]): string[];
  /** What people are told it is about: the same, after words that all of its notes say in a row. */
  calledBy(members: ThemeNote[]): string[];
}

/** `all` are the notes that words are weighed by: one that few of them have says more. */
export function createThemeFinder(all: ThemeNote[]): ThemeFinder {
  const terms = new Map(all.map((one) => [one, termsOfNote(one.note)]));
  const termsOf = (one: ThemeNote): Set<string> => terms.get(one) ?? new Set();
  const having = new Map<string, number>();
  for (const own of terms.values()) for (const term of own) having.set(term, (having.get(term) ?? 0) + 1);
  const size = Math.max(fewNotes, all.length);
  const weight = (term: string): number => Math.log(1 + size / (having.get(term) ?? 1));
  const limit = Math.min(commonMost, Math.max(commonLeast, all.length * commonShare));
  const canName = (term: string): boolean =>
    (having.get(term) ?? 0) <= limit && naming.test(term) && !namesNothing.has(term);
  const likeness = createLikeness(termsOf, weight);

  /** How near one is to the others, on the whole. */
  const nearness = (one: ThemeNote, others: ThemeNote[]): number =>
    sum(others.map((other) => likeness(one, other))) / Math.max(1, others.length);

  const sharedTerms = (members: ThemeNote[]): string[] => {
    const [first, ...rest] = members.map(termsOf);
    return [...(first ?? [])]
      .filter((term) => canName(term) && rest.every((own) => own.has(term)))
      .sort((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1));
  };

  /** Of the notes with one word, those that are near each other: whoever is farthest goes, until none is far. */
  const core = (notes: ThemeNote[]): ThemeNote[] => {
    const left = notes.map((one) => ({
      one,
      total: sum(notes.map((other) => (other === one ? 0 : likeness(one, other)))),
    }));
    while (left.length >= minNotes) {
      const farthest = left.reduce((worst, each) => (each.total <= worst.total ? each : worst));
      if (farthest.total / (left.length - 1) >= near && left.length <= maxNotes) break;
      left.splice(left.indexOf(farthest), 1);
      for (const each of left) each.total -= likeness(each.one, farthest.one);
    }
    return left.map(({ one }) => one);
  };

  return {
    found(free, misleading) {
      const withTerm = new Map<string, ThemeNote[]>();
      for (const one of [...free].sort((a, b) => byAge(a.note, b.note)))
        for (const term of termsOf(one))
          if (canName(term) && !misleading.has(term))
            withTerm.set(term, [...(withTerm.get(term) ?? []), one]);
      const cores = new Map(
        [...withTerm].flatMap(([term, notes]): [string, ThemeNote[]][] =>
          notes.length >= minNotes ? [[term, core(notes)]] : [],
        ),
      );
      const themes: ThemeNote[][] = [];
      for (;;) {
        const [best] = [...cores]
          .filter(([, members]) => members.length >= minNotes)
          .sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1));
        if (best === undefined) return themes;
        const taken = new Set(best[1]);
        themes.push(best[1]);
        for (const [term, notes] of withTerm) {
          if (!notes.some((one) => taken.has(one))) continue;
          const left = notes.filter((one) => !taken.has(one));
          withTerm.set(term, left);
          cores.set(term, left.length >= minNotes ? core(left) : []);
        }
      }
    },
    join(one, themes) {
      const fitting = themes
        .filter((members) => members.length < maxNotes && sharedTerms([...members, one]).length > 0)
        .map((members) => ({ members, value: nearness(one, members) }))
        .filter(({ value }) => value >= near)
        .sort((a, b) => b.value - a.value);
      return fitting[0]?.members;
    },
    // Two terms of one word, as of `argon2id`, are one name.
    namesOf: (members) => [...new Set(sharedTerms(members).map((term) => spelled(term, members)))],
    calledBy(members) {
      const names = this.namesOf(members);
      const phrase = sharedPhrase(members, new Set(sharedTerms(members)));
      if (phrase === undefined) return names;
      const said = new Set(queryTerms(phrase).terms);
      return [phrase, ...names.filter((name) => !queryTerms(name).terms.some((term) => said.has(term)))];
    },
  };
}

/** From 0 to 1: half of it the words they share, the rarer the more; half of it what a model says. */
function createLikeness(termsOf: (one: ThemeNote) => Set<string>, weight: (term: string) => number) {
  const lengths = new Map<ThemeNote, number>();
  const lengthOf = (one: ThemeNote): number => {
    const length = lengths.get(one) ?? Math.sqrt(sum([...termsOf(one)].map((term) => weight(term) ** 2)));
    lengths.set(one, length);
    return length;
  };
  const known = new Map<ThemeNote, Map<ThemeNote, number>>();
  const compare = (one: ThemeNote, other: ThemeNote): number => {
    const others = termsOf(other);
    const shared = sum([...termsOf(one)].filter((term) => others.has(term)).map((term) => weight(term) ** 2));
    const words = shared / Math.max(1e-9, lengthOf(one) * lengthOf(other));
    const sense = meaning(one, other);
    const isOfOneFile = one.note.files.some((file) => other.note.files.includes(file));
    return (sense === undefined ? words * wordsAlone : (words + sense) / 2) + (isOfOneFile ? ofOneFile : 0);
  };
  return (a: ThemeNote, b: ThemeNote): number => {
    const [one, other] = a.note.id < b.note.id ? [a, b] : [b, a];
    const row = known.get(one) ?? new Map<ThemeNote, number>();
    known.set(one, row);
    const value = row.get(other) ?? compare(one, other);
    row.set(other, value);
    return value;
  };
}

/** Whether a note still has a word that names a theme. */
export function isNamedBy(note: Note, names: string[]): boolean {
  const terms = termsOfNote(note);
  return names.some((name) => {
    const own = queryTerms(name).terms;
    // Of words in a row, one alone says something else.
    return name.includes(' ') ? own.every((term) => terms.has(term)) : own.some((term) => terms.has(term));
  });
}

const termsOfNote = (note: Note): Set<string> => new Set(queryTerms(subjectOf(note)).terms);

/** As people write it, not as it is compared: `deploy`, not `deploi`, and `takeJob`, not `takejob`. */
function spelled(term: string, members: ThemeNote[]): string {
  const counts = new Map<string, number>();
  for (const { note } of members)
    for (const word of runsOf(note).flat())
      if (queryTerms(word).terms.includes(term)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const [best] = [...counts].sort(([a, m], [b, n]) => n - m || a.length - b.length || (a < b ? -1 : 1));
  return best?.[0] ?? term;
}

const maxWords = 6;

/** The longest run of words that all notes have, if a word that names the theme is among them: `row lock`, not `lock`. */
function sharedPhrase(members: ThemeNote[], naming: Set<string>): string | undefined {
  const [first, ...rest] = members.map(({ note }) => runsOf(note));
  const others = rest.map((runs) => runs.map((run) => ` ${run.join(' ').toLowerCase()} `));
  const isInAll = (phrase: string): boolean =>
    others.every((runs) => runs.some((run) => run.includes(` ${phrase.toLowerCase()} `)));
  const tells = (word = ''): boolean => !isStopWord(word.toLowerCase());
  for (let length = maxWords; length > 1; length--)
    for (const run of first ?? [])
      for (let at = 0; at + length <= run.length; at++) {
        const words = run.slice(at, at + length);
        if (!tells(words[0]) || !tells(words.at(-1))) continue;
        const phrase = words.join(' ');
        if (queryTerms(phrase).terms.some((term) => naming.has(term)) && isInAll(phrase)) return phrase;
      }
  return undefined;
}

const sentenceCase = /^\p{Lu}\p{Ll}+$/u;

/** Its words between full stops, commas and the like. A capital that only begins a sentence is none. */
const runsOf = (note: Note): string[][] =>
  subjectOf(note)
    .split(/[^\p{L}\p{N}_\-\s`'’]+|\n+/u)
    .map((run) => run.match(/[\p{L}\p{N}_-]+/gu) ?? [])
    .map(([first = '', ...others]) => [sentenceCase.test(first) ? first.toLowerCase() : first, ...others])
    .filter((run) => run[0] !== '');

export const subjectOf = ({ text, concepts }: Note): string => [withoutTopic(text), ...concepts].join('\n');

/** Undefined where the model cannot judge one of them, as in a language it does not know. */
function meaning({ vector: one }: ThemeNote, { vector: other }: ThemeNote): number | undefined {
  if (one === undefined || other === undefined || isBlank(one) || isBlank(other)) return undefined;
  let dot = 0;
  for (let at = 0; at < one.length; at++) dot += (one[at] as number) * (other[at] as number);
  return Math.max(0, dot);
}

const isBlank = (vector: Float32Array): boolean => vector.every((number) => number === 0);

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
