import { idShape } from '../api/shapes.ts';
import { AppError } from '../base/errors.ts';
import { isEverywhere, isFromTeam, isMutedIn, type Note } from '../domain/note.ts';
import { historyOf } from '../memory/notes/note-history.ts';
import { sourcesOf } from '../memory/notes/note-sources.ts';
import { topicStory } from '../memory/notes/topic-story.ts';
import { driftText } from '../recall/drift-text.ts';
import { membershipOf } from '../remote/membership.ts';
import { codeOfNote, type ShownCode } from '../why/code-of-note.ts';
import { noteView } from '../wire/answers/sessions.ts';
import { findNote } from './notes.ts';
import { checkedCodeOf, placeOf, type RequestedProject } from './parts.ts';
import { projectRoute, type Route } from './route.ts';

export const notePageRoutes: Route[] = [
  projectRoute({
    path: '/api/v1/notes/:id',
    name: 'getNote',
    answers: noteView,
    summary:
      'A note in full: whether it holds, its code then and now, its sources, its history and related notes.',
    params: idShape,
    async answer(named, { id }) {
      const { note, path, earlier, standing } = await findNote(named, id);
      const notes = await named.parts.notes.list();
      const shown = shownCode(named);
      // Without a checkout there is no code to compare the note with, so its drift is unknown.
      const { drift, code } =
        shown === undefined ? { drift: unchecked, code: [] } : await codeOfNote(named.parts, shown, note);
      return {
        note,
        path,
        ...standing,
        freshness: drift.state,
        drift: driftText(drift),
        code,
        sources: await sourcesOf(named.parts, note),
        history: await historyOf(named.parts, note),
        story: await topicStory(named.parts, note, notes),
        isMuted: isMutedIn(note, named.project.id),
        ...teamOfNote(note, named),
        related: relatedTo(note, notes).filter(
          ({ id: other }) => other !== standing.closedBy?.id && earlier.every((one) => one.id !== other),
        ),
      };
    },
  }),
];

const unchecked = { state: 'unchecked', keptLines: 0, of: 0 } as const;

/** Reads a file with the function of the code routes, so that files which git ignores are not shown. */
export function shownCode(named: RequestedProject): ShownCode | undefined {
  const checked = checkedCodeOf(named);
  if (checked === undefined) return undefined;
  return {
    checked,
    async lines(path, span) {
      try {
        const found = await (await named.http.code(placeOf(named))).lines({ path, ...span });
        // `lines` also accepts the end of a path and may have found another file.
        return found.path === path ? found.lines : undefined;
      } catch (error) {
        if (error instanceof AppError) return undefined;
        throw error;
      }
    },
  };
}

const maxRelated = 6;

/** Returns the notes that this one was made from or that were made from it, then notes about the same files. */
function relatedTo(note: Note, notes: Note[]) {
  const files = new Set(note.files);
  return notes
    .filter((other) => other.id !== note.id && other.kind !== 'summary')
    .map((other) => ({
      other,
      relation: relationOf(note, other),
      shared: other.files.filter((path) => files.has(path)).length,
    }))
    .filter(({ relation, shared }) => relation !== undefined || shared > 0)
    .sort(
      (a, b) =>
        Number(b.relation !== undefined) - Number(a.relation !== undefined) ||
        b.shared - a.shared ||
        (a.other.updated < b.other.updated ? 1 : -1),
    )
    .slice(0, maxRelated)
    .map(({ other: { id, kind, title, state }, relation }) => ({
      id,
      kind,
      title,
      state,
      relation: relation ?? 'same-files',
    }));
}

function relationOf(note: Note, other: Note): 'made-from' | 'part-of' | 'closed-by' | 'earlier' | undefined {
  if (other.closedBy?.includes(note.id)) return 'earlier';
  if (note.closedBy?.includes(other.id)) return 'closed-by';
  if (note.derivedFrom.includes(other.id)) return 'made-from';
  return other.derivedFrom.includes(note.id) ? 'part-of' : undefined;
}

/** A note for every project, and one of a teammate, is not the user's to share. */
function teamOfNote(note: Note, { parts }: RequestedProject): { team?: string } {
  const team = membershipOf(parts.paths, parts.project)?.name;
  return team === undefined || isEverywhere(note) || isFromTeam(note) ? {} : { team };
}
