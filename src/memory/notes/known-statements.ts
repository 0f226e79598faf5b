import { isoTime } from '../../base/clock.ts';
import type { Turn } from '../../distil/distiller.ts';
import type { KnownStatement } from '../../distil/session-record.ts';
import { isEverywhere, isForeign, type Note } from '../../domain/note.ts';
import { isTopicKind } from '../../domain/topic-kind.ts';
import type { LogIndex, NoteStore } from '../../store/store.ts';
import { queryTerms } from '../../text/words.ts';
import { type Consent, coversNote } from './model-consent.ts';

export interface ReadSession {
  turns: Turn[];
  until: number;
  consent: Consent;
  /** What this run found counts as well while it waits, so that it is not found again. */
  learnedIn?: string;
}

/**
 * The active statements that a model may be shown with a session, the closest first. A statement is left out if the
 * consent does not cover it. Statements of other people and those for every project are left out too.
 */
export async function knownStatements(
  notes: NoteStore,
  index: LogIndex,
  session: ReadSession,
): Promise<KnownStatement[]> {
  const until = isoTime(session.until);
  const isFound = ({ state, learnedIn }: Note): boolean =>
    state === 'candidate' && learnedIn !== undefined && learnedIn === session.learnedIn;
  const valid = (await notes.list()).filter(
    (note) => (note.state === 'active' || isFound(note)) && !isForeign(note) && !isEverywhere(note),
  );
  const sources = await index.events([...new Set(valid.flatMap(({ derivedFrom }) => derivedFrom))]);
  // What was extracted from this very session is judged by the call that confirms, not by the one that writes.
  const own = new Set(session.turns.flatMap(eventsOf));
  const isFromSession = ({ derivedFrom }: Note): boolean =>
    derivedFrom.length > 0 && derivedFrom.every((event) => own.has(event));
  const known = valid.filter((note) => coversNote(session.consent, note, sources) && !isFromSession(note));
  return byCloseness(known, session.turns).flatMap(({ id, kind, topic = '', text, validFrom }) =>
    isTopicKind(kind)
      ? [
          {
            note: id,
            kind,
            topic,
            text,
            day: validFrom.slice(0, 10),
            ...(validFrom > until ? { isLater: true as const } : {}),
          },
        ]
      : [],
  );
}

const eventsOf = ({ prompt, acts }: Turn): string[] => [
  ...(prompt === undefined ? [] : [prompt.event]),
  ...acts.map(({ event }) => event),
];

/** Sorts by the words that a note shares with the session; a word that few notes have counts more. Then newest first. */
function byCloseness(notes: Note[], turns: Turn[]): Note[] {
  const said = new Set(turns.flatMap((turn) => queryTerms(textOf(turn)).terms));
  const termsOf = new Map(
    notes.map((note) => [note, new Set(queryTerms(`${note.topic ?? ''} ${note.text}`).terms)] as const),
  );
  const having = new Map<string, number>();
  for (const terms of termsOf.values())
    for (const term of terms) having.set(term, (having.get(term) ?? 0) + 1);
  const score = new Map(
    [...termsOf].map(([note, terms]) => [
      note,
      [...terms].reduce((sum, term) => sum + (said.has(term) ? 1 / (having.get(term) ?? 1) : 0), 0),
    ]),
  );
  return notes.toSorted(
    (a, b) => (score.get(b) ?? 0) - (score.get(a) ?? 0) || (a.validFrom < b.validFrom ? 1 : -1),
  );
}

const textOf = ({ prompt, acts }: Turn): string =>
  [
    prompt?.text ?? '',
    ...acts.map((act) => (act.kind === 'answer' ? act.text : act.kind === 'edit' ? act.path : '')),
  ].join('\n');
