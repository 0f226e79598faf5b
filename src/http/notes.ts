import { z } from 'zod';
import { cursorShape, idShape } from '../api/shapes.ts';
import { AppError } from '../base/errors.ts';
import type { Caller } from '../domain/caller.ts';
import { type Note, type NoteKind, noteKinds, noteStates } from '../domain/note.ts';
import { anchorsFromUser } from '../drift/anchors-from-user.ts';
import { reopenStatement } from '../memory/notes/closing.ts';
import { correctNote } from '../memory/notes/correct-note.ts';
import { forget } from '../memory/notes/forget.ts';
import { editNote, muteNote, type NoteParts, pinNote, rememberOnce } from '../memory/notes/remember.ts';
import { acceptNote, rejectNote } from '../memory/notes/review.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { redactionLine } from '../memory/redact/redacted-kinds.ts';
import { refreshPrelude } from '../memory/refresh-prelude.ts';
import { openHit } from '../memory/sessions/open-hit.ts';
import { quickLimits } from '../recall/with-index.ts';
import { shareWithTeam } from '../remote/share-with-team.ts';
import * as memoryAnswers from '../wire/answers/memory.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import { pageOf } from './cursor.ts';
import { decideOn } from './decisions.ts';
import { contextFor, notePartsFor, placeOf, type RequestedProject } from './parts.ts';
import { projectRoute, type Route } from './route.ts';

const text = z.string().min(1).max(20_000);
const rev = z
  .int()
  .min(1)
  .optional()
  .describe('The revision you read; if the note has changed since, the request fails with 409');

const against = z.string().max(100).optional().describe('Id of a note that the accepted one replaces');

const oneRevision = { ...idShape, rev };

type Change<Result> = (parts: NoteParts, note: Note, project: OpenProject) => Promise<Result>;

/** What a person may do with a note, by the last segment of the path. */
const verbs: Record<string, { summary: string; needsPerson: string; change: Change<Note> }> = {
  pin: {
    summary: 'Puts a note at the top of every prelude.',
    needsPerson: 'Pinning a note',
    change: (parts, note) => pinNote(parts, note, true),
  },
  unpin: {
    summary: 'Unpins a note.',
    needsPerson: 'Unpinning a note',
    change: (parts, note) => pinNote(parts, note, false),
  },
  mute: {
    summary: 'Keeps a note out of what sessions of this project are told. Recall still finds it.',
    needsPerson: 'Muting a note',
    change: (parts, note) => muteNote(parts, note, true),
  },
  unmute: {
    summary: 'Tells a muted note to sessions again.',
    needsPerson: 'Unmuting a note',
    change: (parts, note) => muteNote(parts, note, false),
  },
  reopen: { summary: 'Makes a closed note valid again.', needsPerson: 'Reopening a note', change: reopen },
  share: {
    summary: 'Sends a note to the team that the project has joined, now or when its server is reachable.',
    needsPerson: 'Sharing a note with your team',
    change: (parts, note, project) => shareWithTeam(project, parts, note, true),
  },
  unshare: {
    summary: 'Makes a note private again and removes it from the team.',
    needsPerson: 'Taking a note back from your team',
    change: (parts, note, project) => shareWithTeam(project, parts, note, false),
  },
};

export const noteRoutes: Route[] = [
  projectRoute({
    path: '/api/v1/notes',
    name: 'listNotes',
    answers: memoryAnswers.notePage,
    summary: 'Notes, most recently changed first.',
    params: {
      state: z.enum(noteStates).optional(),
      kind: z.enum(noteKinds).optional(),
      concept: z.string().optional(),
      file: z.string().optional().describe('A path, or the end of one'),
      pinned: z.boolean().optional(),
      ...cursorShape,
    },
    async answer({ parts }, { limit, cursor, ...wanted }) {
      const notes = await parts.notes.list();
      const found = notes.filter((note) => matchesFilter(note, wanted)).sort(newestFirst);
      return pageOf(found, { cursor, limit }, ({ updated, id }) => ({ at: timeOf(updated), id }));
    },
  }),
  projectRoute({
    method: 'POST',
    path: '/api/v1/notes',
    name: 'createNote',
    status: 201,
    location: ({ id }) => `/api/v1/notes/${id}`,
    answers: memoryAnswers.createdNote,
    summary:
      'Writes a note. If a person signed in to the viewer writes it, new agent sessions get it; with the API token it waits for review.',
    needsPerson: false,
    params: {
      text,
      kind: z.enum(noteKinds).default('decision'),
      concepts: z.array(z.string().max(200)).max(50).default([]),
      files: z.array(z.string().max(4_000)).max(50).default([]).describe('FILE or FILE:FROM-TO'),
    },
    answer: writeNote,
  }),
  projectRoute({
    method: 'PATCH',
    path: '/api/v1/notes/:id',
    name: 'editNote',
    answers: memoryAnswers.note,
    summary: 'Changes the text of a note, which makes you its author.',
    needsPerson: 'Editing a note',
    params: { ...oneRevision, text },
    answer: (named, { text: newText, ...seen }) =>
      changeNote(named, seen, (parts, note) => editNote(parts, note, newText)),
  }),
  projectRoute({
    method: 'DELETE',
    path: '/api/v1/notes/:id',
    name: 'forgetNote',
    answers: memoryAnswers.forgotten,
    summary: 'Deletes a note permanently, with the events it was extracted from; see `backstory forget`.',
    needsPerson: 'Forgetting a note',
    params: idShape,
    async answer(named, { id }) {
      const { note } = await findNote(named, id);
      return forget(named.parts, { ids: [note.id] }, contextFor(named));
    },
  }),
  projectRoute({
    method: 'POST',
    path: '/api/v1/notes/:id/wrong',
    name: 'correctNote',
    answers: memoryAnswers.correction,
    summary: 'Withdraws a note that is wrong, or replaces it by the text `now`. It stays as history.',
    needsPerson: 'Correcting a note',
    params: { ...oneRevision, now: text.optional() },
    answer: (named, { now, ...seen }) =>
      changeNote(named, seen, (parts, note) => correctNote(parts, note, now)),
  }),
  projectRoute({
    method: 'POST',
    path: '/api/v1/notes/:id/reject',
    name: 'rejectNote',
    answers: projectAnswers.rejected,
    summary: 'Rejects a note. It is not proposed again.',
    needsPerson: 'Rejecting a note',
    params: oneRevision,
    answer: (named, seen) =>
      changeNote(named, seen, async (parts, note, { device }) => {
        await rejectNote(parts, note, { device, context: parts.context });
        return { rejected: note.id };
      }),
  }),
  projectRoute({
    method: 'POST',
    path: '/api/v1/notes/:id/accept',
    name: 'acceptNote',
    answers: memoryAnswers.note,
    summary: 'Accepts a note, so that new sessions may get it.',
    needsPerson: 'Accepting a note',
    params: { ...oneRevision, against },
    async answer(named, { against: other, ...seen }) {
      const replaced = other === undefined ? [] : [(await findNote(named, other)).note];
      return changeNote(named, seen, (parts, note) => acceptNote(parts, note, replaced));
    },
  }),
  ...Object.entries(verbs).map(([verb, { change, ...about }]) =>
    projectRoute({
      method: 'POST',
      path: `/api/v1/notes/:id/${verb}`,
      name: `${verb}Note`,
      ...about,
      answers: memoryAnswers.note,
      params: oneRevision,
      answer: (named, seen) => changeNote(named, seen, change),
    }),
  ),
];

/** Author of notes written with the API token, by a program or an agent. */
const apiAuthor = 'api';

/** Writes a note for every HTTP route. Only a note written by a person is trusted; any other waits for review. */
export async function writeNote(
  named: RequestedProject,
  { files, ...wanted }: { text: string; kind: NoteKind; concepts: string[]; files: string[] },
  caller: Caller,
): Promise<Note & { redaction?: string }> {
  const parts = notePartsFor(named);
  const { root, head } = placeOf(named);
  // `FILE:FROM-TO` anchors the note to those lines.
  const anchors = await anchorsFromUser(files, named.http.checkedCode(root), head);
  const written =
    caller.kind === 'person'
      ? ({ trust: 3, author: parts.context.actor } as const)
      : ({ trust: 1, author: apiAuthor } as const);
  const { note } = await rememberOnce(parts, { ...wanted, ...anchors, ...written });
  const redaction = redactionLine(wanted.text, note.text);
  return redaction === '' ? note : { ...note, redaction };
}

const timeOf = (iso: string): number => Date.parse(iso) || 0;
const newestFirst = (a: Note, b: Note): number =>
  timeOf(b.updated) - timeOf(a.updated) || (a.id < b.id ? -1 : 1);

type NoteFilter = { [Name in 'state' | 'kind' | 'concept' | 'file']?: string | undefined } & {
  pinned?: boolean | undefined;
};

const matchesFilter = (note: Note, { state, kind, concept, file, pinned }: NoteFilter): boolean =>
  (state === undefined || note.state === state) &&
  (kind === undefined || note.kind === kind) &&
  (concept === undefined || note.concepts.includes(concept)) &&
  (file === undefined || note.files.some((path) => path === file || path.endsWith(`/${file}`))) &&
  (pinned === undefined || note.pinned === pinned);

export async function findNote({ parts }: RequestedProject, id: string) {
  const opened = await openHit(parts, id, quickLimits);
  if (opened.kind === 'note') return opened;
  const { agentSession } = opened.event;
  throw new AppError('NOT_FOUND', `${id} is an event of a session, not a note`, {
    hint:
      agentSession === ''
        ? 'GET /api/v1/recall returns the full text'
        : `GET /api/v1/agent-sessions/${agentSession}`,
  });
}

/** Throws if an agent or a drain (background indexing) has changed the note since the client read it. */
function checkRevision(note: Note, revision: number | undefined): Note {
  if (revision === undefined || revision === note.rev) return note;
  throw new AppError('CONFLICT', `the note is at revision ${note.rev}, not ${revision}`, {
    hint: `GET /api/v1/notes/${note.id}`,
  });
}

/** Changes the revision of a note that the client has seen. The next session is told of it. */
async function changeNote<Result>(
  named: RequestedProject,
  { id, rev: seen }: { id: string; rev?: number | undefined },
  change: Change<Result>,
): Promise<Result> {
  const note = checkRevision((await findNote(named, id)).note, seen);
  const parts = notePartsFor(named);
  const changed = await decideOn(parts, note.id, () => change(parts, note, named.parts));
  await refreshPrelude(named.parts);
  return changed;
}

async function reopen(parts: NoteParts, note: Note): Promise<Note> {
  if (note.state === 'superseded') return reopenStatement(parts, note);
  throw new AppError('CONFLICT', `the note is ${note.state}, not closed`, {
    hint: `GET /api/v1/notes/${note.id}`,
  });
}
