import { z } from 'zod';
import { cursorShape, idShape } from '../api/shapes.ts';
import { AppError } from '../base/errors.ts';
import { isMutedIn, type Note } from '../domain/note.ts';
import { earlierStatements } from '../memory/notes/closing.ts';
import { findForgettable } from '../memory/notes/forget.ts';
import { findSources, maxSources, sourceFrom } from '../memory/notes/note-sources.ts';
import { acceptNote, inboxOf, inboxOrder, rejectNote } from '../memory/notes/review.ts';
import { readPrelude } from '../memory/prelude/prelude-file.ts';
import { readTopics } from '../memory/prompt-context/topic-table.ts';
import { refreshPrelude } from '../memory/refresh-prelude.ts';
import { standingsOf } from '../recall/possible-changes.ts';
import {
  decidedNotes,
  forgettable,
  reviewDesk,
  type TopicList,
  topicLists,
  topicPage,
  undoneDecisions,
} from '../wire/answers/memory.ts';
import { pageOf } from './cursor.ts';
import { decideOn, undoDecision } from './decisions.ts';
import { notePartsFor } from './parts.ts';
import { projectRoute, type Route } from './route.ts';

const maxTextLength = 400;
const maxFiles = 5;
const maxAtOnce = 200;

const several = z
  .array(z.object({ id: z.string().min(8).max(200), rev: z.int().min(1) }))
  .min(1)
  .max(maxAtOnce)
  .describe('The notes, each with the revision you read');

/** Routes for the pages Topics and Review, and for forgetting with a preview. */
export const topicRoutes: Route[] = [
  projectRoute({
    path: '/api/v1/viewer/topics',
    name: 'listTopics',
    answers: topicPage,
    summary: 'All notes by whether they hold, most recently changed first.',
    params: {
      words: z
        .string()
        .max(500)
        .optional()
        .describe('Words that the statement, its topic or its files contain'),
      list: z
        .enum(topicLists)
        .optional()
        .describe('What holds, if absent. Each note is in one list, and in `told` too'),
      ...cursorShape,
    },
    async answer({ http, parts, project }, { words = '', list = 'holds', ...page }) {
      const all = await parts.notes.list();
      const lines = readPrelude(http.paths, project.id)?.lines ?? [];
      const toldIds = new Set(lines.flatMap(({ note }) => note ?? []));
      const rendered = readTopics(http.paths.project(project.id).topics);
      const standing = standingsOf(all);
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
      const byList = Map.groupBy(all, listOf);
      byList.set(
        'told',
        all.filter(({ id }) => toldIds.has(id)),
      );
      const found = (byList.get(list) ?? [])
        .filter((note) => hasWords(note, wanted))
        .sort((a, b) => timeOf(b) - timeOf(a) || (a.id < b.id ? -1 : 1));
      const { items, ...rest } = pageOf(found, page, (note) => ({ at: timeOf(note), id: note.id }));
      return {
        items: items.map((note) => ({
          ...standing(note),
          id: note.id,
          rev: note.rev,
          kind: note.kind,
          topic: note.topic ?? '',
          text: note.text.slice(0, maxTextLength),
          pinned: note.pinned,
          trust: note.trust,
          updated: note.updated,
          files: note.files.slice(0, maxFiles),
          earlier: earlierStatements(note, all).length,
          code: rendered.get(note.id)?.code,
          isTold: toldIds.has(note.id),
          isMuted: isMutedIn(note, project.id),
        })),
        ...rest,
        counts: Object.fromEntries([...byList].map(([name, notes]) => [name, notes.length])),
      };
    },
  }),
  projectRoute({
    path: '/api/v1/review',
    name: 'listReview',
    answers: reviewDesk,
    summary:
      'Notes that wait for review, first those from your own words, each with the event it was made from; and pairs of a statement and a later one that may have changed it.',
    params: cursorShape,
    async answer({ parts }, page) {
      const { candidates, changes } = inboxOf(await parts.notes.list());
      const { items, ...rest } = pageOf(candidates, page, (note) => ({ at: inboxOrder(note), id: note.id }));
      const sources = await findSources(
        parts,
        items.flatMap(({ derivedFrom }) => derivedFrom.slice(0, maxSources)),
      );
      return {
        items: items.map((note) => ({ note, ...sourceFrom(sources, note) })),
        ...rest,
        changes,
      };
    },
  }),
  ...(['accept', 'reject'] as const).map((verb) =>
    projectRoute({
      method: 'POST',
      path: `/api/v1/review/${verb}`,
      name: `${verb}Notes`,
      answers: decidedNotes,
      summary: `${verb === 'accept' ? 'Accepts' : 'Rejects'} several notes at once. Those that have changed are left as they are.`,
      needsPerson: `${verb === 'accept' ? 'Accepting' : 'Rejecting'} notes`,
      params: { notes: several },
      async answer(named, { notes: wanted }) {
        const parts = notePartsFor(named);
        const known = new Map((await parts.notes.list()).map((note) => [note.id, note]));
        const changed: string[] = [];
        for (const { id, rev } of wanted) {
          const note = known.get(id);
          if (note === undefined || note.rev !== rev) changed.push(id);
          else
            await decideOn(parts, id, () =>
              verb === 'accept'
                ? acceptNote(parts, note)
                : rejectNote(parts, note, { device: named.parts.device, context: parts.context }),
            );
        }
        await refreshPrelude(named.parts);
        return { decided: wanted.length - changed.length, changed };
      },
    }),
  ),
  projectRoute({
    method: 'POST',
    path: '/api/v1/review/undo',
    name: 'undoDecisions',
    answers: undoneDecisions,
    summary:
      'Takes back the last decision on each of these notes, as long as the server that got it runs. Notes that have changed since are left as they are.',
    needsPerson: 'Taking back a decision',
    params: { ids: z.array(z.string().min(8).max(200)).min(1).max(maxAtOnce).describe('Ids of notes') },
    async answer(named, { ids }) {
      const notes: { id: string; rev: number }[] = [];
      // The newest decision first, because a later one may have changed a note of an earlier one.
      for (const id of ids.toReversed()) {
        const note = await undoDecision(named, id);
        if (note !== undefined) notes.push({ id, rev: note.rev });
      }
      await refreshPrelude(named.parts);
      return { notes, changed: ids.filter((id) => !notes.some((note) => note.id === id)) };
    },
  }),
  projectRoute({
    path: '/api/v1/viewer/notes/:id/forget',
    name: 'previewForget',
    answers: forgettable,
    summary: 'What forgetting a note would delete: notes, and events by kind.',
    params: idShape,
    async answer({ parts }, { id }) {
      if ((await parts.notes.get(id)) === undefined)
        throw new AppError('NOT_FOUND', `no note has the id ${id}`, { hint: 'GET /api/v1/notes' });
      const { notes, derived, events } = await findForgettable(parts, { ids: [id] });
      const byKind = Map.groupBy(events, ({ kind }) => kind);
      return {
        notes: [...notes, ...derived].map(({ id: own, kind, title }) => ({ id: own, kind, title })),
        events: [...byKind].map(([kind, own]) => ({ kind, count: own.length })),
      };
    },
  }),
];

const listOf = ({ state, kind }: Note): TopicList => {
  if (state === 'candidate') return 'proposed';
  if (state !== 'active') return 'closed';
  return kind === 'summary' ? 'summaries' : 'holds';
};

const timeOf = ({ updated }: Note): number => Date.parse(updated) || 0;

function hasWords({ text, topic = '', kind, files, concepts }: Note, words: string[]): boolean {
  if (words.length === 0) return true;
  const searched = [text, topic, kind, ...files, ...concepts].join('\n').toLowerCase();
  return words.every((word) => searched.includes(word));
}
