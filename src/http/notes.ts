import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { Caller } from '../domain/caller.ts';
import { type Note, type NoteKind, noteKinds, noteStates } from '../domain/note.ts';
import { anchorsFromUser } from '../drift/anchors-from-user.ts';
import { forget } from '../memory/notes/forget.ts';
import { editNote, pinNote, rememberOnce } from '../memory/notes/remember.ts';
import { acceptNote, rejectNote } from '../memory/notes/review.ts';
import { openHit } from '../memory/sessions/open-hit.ts';
import { quickLimits } from '../recall/with-index.ts';
import { pageOf } from './cursor.ts';
import { type HttpParts, type NamedProject, notePartsFor, placeOf, projectFor } from './parts.ts';
import { type Route, route } from './route.ts';
import { cursorShape, idShape, projectShape } from './shapes.ts';

const oneNote = z.object({ ...idShape, ...projectShape });
const text = z.string().min(1).max(20_000);
const rev = z
  .int()
  .min(1)
  .optional()
  .describe('The revision you looked at; when the note has changed since, nothing is done');

const against = z
  .string()
  .max(100)
  .optional()
  .describe('The id of a note that cannot hold beside it, which is superseded');

const verbs = {
  accept: {
    summary: 'You have read it and stand by it: it may be told to new sessions.',
    needsPerson: 'Accepting a note',
  },
  reject: { summary: 'It goes, and is not proposed again.', needsPerson: 'Rejecting a note' },
  pin: { summary: 'Keeps it at the top of every prelude.', needsPerson: 'Pinning a note' },
  unpin: { summary: 'Takes it from there again.', needsPerson: 'Unpinning a note' },
};
type Verb = keyof typeof verbs;

export const noteRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/notes',
    summary: 'Notes, the one that was changed last first.',
    asks: z.object({
      ...projectShape,
      state: z.enum(noteStates).optional(),
      kind: z.enum(noteKinds).optional(),
      concept: z.string().optional(),
      file: z.string().optional().describe('A path, or the end of one'),
      pinned: z.boolean().optional(),
      ...cursorShape,
    }),
    async answer(http, { project, limit, cursor, ...wanted }) {
      const notes = await projectFor(http, project).parts.notes.list();
      const found = notes.filter((note) => isWanted(note, wanted)).sort(newestFirst);
      return pageOf(found, { cursor, limit }, ({ updated, id }) => ({ at: timeOf(updated), id }));
    },
  }),
  route({
    method: 'POST',
    path: '/api/notes',
    summary:
      'Writes a note. From a viewer that a person signed in, it is told to every new agent session; with the API token it waits for review.',
    needsPerson: false,
    asks: z.object({
      ...projectShape,
      text,
      kind: z.enum(noteKinds).default('decision'),
      concepts: z.array(z.string().max(200)).max(50).default([]),
      files: z.array(z.string().max(4_000)).max(50).default([]).describe('FILE or FILE:FROM-TO'),
    }),
    answer: (http, { project, ...wanted }, caller) =>
      writeNote(http, projectFor(http, project), wanted, caller),
  }),
  route({
    method: 'GET',
    path: '/api/notes/:id',
    summary: 'A note in full, with what it was drawn from.',
    asks: oneNote,
    async answer(http, { project, id }) {
      const named = projectFor(http, project);
      const { note, path } = await theNote(named, id);
      return { note, path, evidence: await evidenceOf(named, note) };
    },
  }),
  route({
    method: 'PATCH',
    path: '/api/notes/:id',
    summary: 'Changes the text of a note, which makes it yours.',
    needsPerson: 'Editing a note',
    asks: z.object({ ...idShape, ...projectShape, text, rev }),
    async answer(http, { project, id, text: said, rev: seen }) {
      const named = projectFor(http, project);
      return editNote(notePartsFor(http, named), asSeen((await theNote(named, id)).note, seen), said);
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/notes/:id',
    summary: 'Forgets a note for good, and what it was drawn from; see `backstory forget`.',
    needsPerson: 'Forgetting a note',
    asks: oneNote,
    async answer(http, { project, id }) {
      const named = projectFor(http, project);
      const { note } = await theNote(named, id);
      return forget(named.parts, { ids: [note.id] }, contextOf(http, named));
    },
  }),
  ...(Object.keys(verbs) as Verb[]).map((verb) =>
    route({
      method: 'POST',
      path: `/api/notes/:id/${verb}`,
      ...verbs[verb],
      asks: z.object({ ...idShape, ...projectShape, rev, ...(verb === 'accept' ? { against } : {}) }),
      answer: (http, { project, id, rev: seen, ...more }) =>
        decide(http, project, id, { verb, seen, other: (more as { against?: string }).against }),
    }),
  ),
];

/** The author of notes that arrive with the API token, from a program or an agent. */
const apiAuthor = 'api';

/** The only way a note is written over HTTP. Only a person's note counts as the user's word; any other waits for review. */
export async function writeNote(
  http: HttpParts,
  named: NamedProject,
  { files, ...wanted }: { text: string; kind: NoteKind; concepts: string[]; files: string[] },
  caller: Caller,
): Promise<Note> {
  const parts = notePartsFor(http, named);
  const { root, head } = placeOf(http, named.project);
  // `FILE:FROM-TO` ties a note to those lines, as everywhere a note is written.
  const tied = await anchorsFromUser(files, http.checkedCode(root), head);
  const written =
    caller.kind === 'person'
      ? ({ trust: 3, author: parts.context.actor } as const)
      : ({ trust: 1, author: apiAuthor } as const);
  return (await rememberOnce(parts, { ...wanted, ...tied, ...written })).note;
}

const timeOf = (iso: string): number => Date.parse(iso) || 0;
const newestFirst = (a: Note, b: Note): number =>
  timeOf(b.updated) - timeOf(a.updated) || (a.id < b.id ? -1 : 1);

interface WantedNotes {
  state?: string | undefined;
  kind?: string | undefined;
  concept?: string | undefined;
  file?: string | undefined;
  pinned?: boolean | undefined;
}

const isWanted = (note: Note, { state, kind, concept, file, pinned }: WantedNotes): boolean =>
  (state === undefined || note.state === state) &&
  (kind === undefined || note.kind === kind) &&
  (concept === undefined || note.concepts.includes(concept)) &&
  (file === undefined || note.files.some((path) => path === file || path.endsWith(`/${file}`))) &&
  (pinned === undefined || note.pinned === pinned);

async function theNote({ parts }: NamedProject, id: string): Promise<{ note: Note; path: string }> {
  const opened = await openHit(parts, id, quickLimits);
  if (opened.kind === 'note') return opened;
  const { agentSession } = opened.event;
  throw new AppError('NOT_FOUND', `${id} is no note but what was said or done in a session`, {
    hint:
      agentSession === ''
        ? 'format=full gives the whole text of what a search finds'
        : `GET /api/agent-sessions/${agentSession} has it in full`,
  });
}

/** Somebody thinks for a while, and an agent or a drain goes on: nobody decides on what they have not seen. */
function asSeen(note: Note, seen: number | undefined): Note {
  if (seen === undefined || seen === note.rev) return note;
  throw new AppError('CONFLICT', `the note is at revision ${note.rev}, not ${seen}`, {
    hint: `GET /api/notes/${note.id}`,
  });
}

const contextOf = (http: HttpParts, { project }: NamedProject) => http.context(placeOf(http, project), true);

async function decide(
  http: HttpParts,
  project: string | undefined,
  id: string,
  { verb, seen, other }: { verb: Verb; seen: number | undefined; other: string | undefined },
): Promise<Note | { rejected: string }> {
  const named = projectFor(http, project);
  const parts = notePartsFor(http, named);
  const note = asSeen((await theNote(named, id)).note, seen);
  switch (verb) {
    case 'accept':
      return acceptNote(parts, note, other === undefined ? [] : [(await theNote(named, other)).note]);
    case 'reject':
      await rejectNote(parts, note, { device: named.parts.device, context: parts.context });
      return { rejected: note.id };
    default:
      return pinNote(parts, note, verb === 'pin');
  }
}

const maxEvidence = 20;
const evidenceLength = 2_000;

/** What was said and done when it was drawn; what was forgotten since is missing. */
async function evidenceOf({ parts }: NamedProject, { derivedFrom }: Note) {
  const found = await Promise.all(
    derivedFrom.slice(0, maxEvidence).map((id) =>
      openHit(parts, id, quickLimits).catch((error) => {
        if (error instanceof AppError) return undefined;
        throw error;
      }),
    ),
  );
  return found.flatMap((opened) =>
    opened?.kind === 'event'
      ? [{ ...opened.chunk, id: opened.event.id, text: opened.chunk.text.slice(0, evidenceLength) }]
      : [],
  );
}
