import { AppError } from '../base/errors.ts';
import type { Trust } from './event.ts';
import type { Match } from './match.ts';

export const noteKinds = [
  'decision',
  'fix',
  'rule',
  'failed',
  'preference',
  'fact',
  'open',
  'summary',
  'knowledge',
] as const;
export type NoteKind = (typeof noteKinds)[number];

export const noteStates = ['candidate', 'active', 'superseded', 'archived'] as const;
export type NoteState = (typeof noteStates)[number];
export const isNoteState = (value: string): value is NoteState =>
  (noteStates as readonly string[]).includes(value);

export const importances = ['high', 'low'] as const;
export type Importance = (typeof importances)[number];

/** A memory as a Markdown file: these fields are its front matter, `text` is the rest. */
export interface Note {
  id: string;
  kind: NoteKind;
  title: string;
  state: NoteState;
  trust: Trust;
  pinned: boolean;
  /** Tool calls that go against the note, as a person named or accepted them. The agent is told the note before one. */
  match?: Match;
  enforced?: true;
  /** What an agent proposes as `match`. It has no effect until a person accepts it. */
  proposedMatch?: Match;
  /** Ids of the projects whose sessions are not told it. Recall finds it there nevertheless. */
  mutedIn?: string[];
  concepts: string[];
  files: string[];
  created: string;
  updated: string;
  rev: number;
  /** Content hashes of the previous revisions. */
  parents: string[];
  author: string;
  visibility: 'private' | 'team';
  validFrom: string;
  validTo: string;
  /** Ids of the events and notes from which it was extracted. */
  derivedFrom: string[];
  /** The code to which it refers, one line each: `src/load.js:3-9 load @1a2b3c4d5e6f #9f31…`. */
  anchors?: string[];
  /** What the statement is about, in a few words: "package manager". */
  topic?: string;
  /** The user typed every word of the topic, or somebody confirmed it. Other topics are shown only when asked for. */
  isTopicConfirmed?: true;
  /** The user's own words on which the statement is based, if the text is not itself a quotation. */
  quote?: string;
  /** The sentence of the agent that the quote answers. If it is the text itself, the note is an exchange. */
  proposal?: string;
  /**
   * Ids of the notes that its writer says it replaces. They are closed only once a person or a confirming model agrees;
   * then `closedBy` of each names this note.
   */
  replaces?: string[];
  /** What closed the note: ids of notes or events, or `closedByUser`. Present only if the note is superseded. */
  closedBy?: string[];
  /**
   * Who confirmed that the text, its kind and its topic are what the user meant. Without it, the text is told only as the
   * user's words of a day, never as a rule.
   */
  confirmedBy?: 'person' | 'model';
  confirmedAt?: string;
  /** Why a model that compared the text with the user's words did not confirm it. */
  verdict?: Verdict;
  /** What had closed the note was forgotten. Since this time it may have changed, and nobody knows how. */
  doubtedSince?: string;
  /** How much goes wrong in a session that is not told it, as a model judged it; absent if that is neither. */
  importance?: Importance;
  /** The run of `backstory learn` that found it in a past session. */
  learnedIn?: string;
  /** The note is a statement of the user in every project. */
  everywhere?: true;
  /** Who in the team says that the note is wrong, oldest first. */
  disputes?: Dispute[];
  text: string;
}

/** A new note that is valid since `at`. What is not given is empty. The fields are in the order in which its file shows them. */
export const freshNote = (
  at: string,
  {
    id,
    kind,
    title,
    author,
    ...given
  }: Partial<Note> & Pick<Note, 'id' | 'kind' | 'title' | 'author' | 'text'>,
): Note => ({
  id,
  kind,
  title,
  state: 'candidate',
  trust: 0,
  pinned: false,
  concepts: [],
  files: [],
  created: at,
  updated: at,
  rev: 1,
  parents: [],
  author,
  visibility: 'private',
  validFrom: at,
  validTo: '',
  derivedFrom: [],
  ...given,
});

/** What a model finds that compares a wording with the user's words. `momentary`: the same, but not meant to last. */
export const verdicts = ['adds', 'drops', 'contradicts', 'momentary'] as const;
export type Verdict = (typeof verdicts)[number];

/** A closed note names this instead of an id if the user closed it without saying what takes its place. */
export const closedByUser = 'user';

/** A person says that a note of somebody else in the team is wrong. */
export interface Dispute {
  /** The person's name, which is data of the team. */
  by: string;
  at: string;
  /** The user is that person. */
  isYours?: true;
  /** The person silences too many notes that nobody else disputes, so sessions are still told this one. */
  isOverLimit?: true;
  /** Id of that person's own note that states what is right. This machine may not have it. */
  correction?: string;
  /** When the author answered that the note holds nevertheless, or the user accepted it nevertheless. */
  keptAt?: string;
}

/** Disputes that neither the author nor the user has answered. */
export const openDisputes = ({ disputes = [] }: Pick<Note, 'disputes'>): Dispute[] =>
  disputes.filter(({ keptAt }) => keptAt === undefined);

/** Open disputes that keep the note from sessions. */
export const silencingDisputes = (note: Pick<Note, 'disputes'>): Dispute[] =>
  openDisputes(note).filter(({ isOverLimit }) => isOverLimit !== true);

export const disputesOfOthers = ({ disputes = [] }: Pick<Note, 'disputes'>): Dispute[] =>
  disputes.filter(({ isYours }) => isYours !== true);

/** The user's own dispute, stated on any of their machines. */
export const ownDispute = ({ disputes = [] }: Pick<Note, 'disputes'>): Dispute | undefined =>
  disputes.find(({ isYours }) => isYours === true);

/** Whether the note is an exchange: the text is the agent's, and the quote is the user's whole answer. */
export const isExchange = ({ proposal, text, quote }: Pick<Note, 'proposal' | 'text' | 'quote'>): boolean =>
  proposal === text && quote !== undefined;

/** Whether the note is from a plan of the agent that the user accepted. The user typed none of it. */
export const isFromPlan = ({ proposal, quote }: Pick<Note, 'proposal' | 'quote'>): boolean =>
  proposal !== undefined && quote === undefined;

/**
 * Whether somebody confirmed that the note says what the user meant. The user's own notes, and notes of others that the
 * user approved, need no further confirmation. All other notes are told only as what was said on a day.
 */
export const isConfirmed = (note: Note): boolean =>
  note.trust === 3 ||
  note.confirmedBy !== undefined ||
  note.pinned ||
  note.enforced === true ||
  (isForeign(note) && note.trust >= 2);

/** Whether the note is the user's in every project. Such a note never goes to a repository or a team. */
export const isEverywhere = ({ everywhere }: Pick<Note, 'everywhere'>): boolean => everywhere !== undefined;

export const isMutedIn = ({ mutedIn = [] }: Pick<Note, 'mutedIn'>, project: string): boolean =>
  mutedIn.includes(project);

export const everywhereLabel = 'yours, in every project';

export const repoAuthor = 'repo/';
export const isFromRepository = ({ author }: Pick<Note, 'author'>): boolean => author.startsWith(repoAuthor);

export const isNoteKind = (value: string): value is NoteKind =>
  (noteKinds as readonly string[]).includes(value);

/** Marks a note that came from a team server, with its author. Approving the note does not remove the mark. */
const teamMark = 'team:';
export const teamOrigin = (author: string): string => `${teamMark}${author}`;
export const isFromTeam = ({ derivedFrom }: Pick<Note, 'derivedFrom'>): boolean =>
  derivedFrom[0]?.startsWith(teamMark) ?? false;
export const teammateOf = ({ derivedFrom }: Pick<Note, 'derivedFrom'>): string =>
  (derivedFrom[0] ?? '').slice(teamMark.length);
/** Repetition on this device never raises the trust of such a note. */
export const isForeign = (note: Pick<Note, 'author' | 'derivedFrom'>): boolean =>
  isFromRepository(note) || isFromTeam(note);

/**
 * Whether a note of a teammate is not told to sessions, because somebody in the team says that it is wrong. A dispute
 * does not silence what the user wrote or enforced: otherwise any member could switch off another's rules.
 */
export const isWithheld = (note: Pick<Note, 'derivedFrom' | 'disputes' | 'enforced'>): boolean =>
  isFromTeam(note) && note.enforced !== true && silencingDisputes(note).length > 0;

const plainId = (id: string): string => id.replace(/[^A-Za-z0-9]/g, '');

/**
 * The id of a note as shown to users. It is taken from the end of the UUIDv7, which is random; the start is a
 * timestamp. Other characters than letters and digits are dropped, because a note may come from an untrusted source.
 */
export const shortNoteId = (id: string): string => plainId(id).slice(-8);

/** Finds a note by its id, or by at least eight characters at the start or end of it. Throws if that is ambiguous. */
export function findNote<N extends Pick<Note, 'id'>>(notes: N[], name: string): N | undefined {
  const given = plainId(name);
  if (given.length < 8) return undefined;
  const found = new Map(notes.filter((note) => isNamed(note, given)).map((note) => [plainId(note.id), note]));
  const exact = found.get(given);
  if (exact !== undefined || found.size <= 1) return exact ?? [...found.values()][0];
  throw new AppError('INVALID_ARGUMENT', `${found.size} notes match the id ${name}`, {
    hint: `Give the full id, one of: ${[...found.values()]
      .slice(0, 3)
      .map(({ id }) => id)
      .join(', ')}`,
  });
}

function isNamed({ id }: Pick<Note, 'id'>, given: string): boolean {
  const own = plainId(id);
  return own.startsWith(given) || own.endsWith(given);
}
