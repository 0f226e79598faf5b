import * as serve from '../client/generated/serve.ts';
import type { Hit, Note, RecallPage, ReviewDesk, SessionDigestPage } from '../client/generated/types.ts';
import type { CallOptions } from '../client/request.ts';
import { isAttended } from './attended.ts';
import { ApiFailure } from './failure.ts';
import type { DayRange } from './parts/asked-day.ts';
import { startOfDay } from './parts/days.ts';
import { chosenProject } from './project.ts';
import { bare, callerOf, filled, lasting, type Operation } from './request.ts';

// How the viewer reaches the local server. It exits when it is idle, so a failed request usually means that it has
// exited.
const call = callerOf({
  away: new ApiFailure('ENDED', 'Backstory is no longer running.', 'backstory ui'),
  hintFor: (status) => (status === 401 ? 'backstory ui' : 'backstory doctor'),
  headers: () => (isAttended() ? {} : { 'x-backstory-unattended': '1' }),
});

interface OfProject {
  project?: string | undefined;
}

/** Calls an operation for the chosen project. */
const inProject = <Params extends OfProject, Answer>(
  operation: Operation<Params, Answer>,
  params: Omit<Params, 'project'>,
  options?: CallOptions,
): Promise<Answer> =>
  call(operation, { ...params, project: chosenProject.value || undefined } as Params, options);

const ask = <Params extends OfProject, Answer>(
  operation: Operation<Params, Answer>,
  params: Omit<Params, 'project'>,
): Promise<Answer> => inProject(operation, filled(params));

const change = <Params extends OfProject, Answer>(
  operation: Operation<Params, Answer>,
  params: Omit<Params, 'project'>,
): Promise<Answer> => inProject(operation, params, lasting);

export type SearchFilter = Pick<
  serve.RecallParams,
  'kind' | 'agent' | 'file' | 'since' | 'until' | 'limit' | 'cursor'
>;
export type TimelineQuery = Omit<serve.ListSessionDigestsParams, 'project'>;

/** A hit as far as the viewer shows it. The whole text is on the page of the hit. */
export type ShownHit = Omit<Hit, 'text'>;

/** An answer of recall with the question. */
export type Answer<H extends ShownHit = ShownHit> = Omit<RecallPage, 'items'> & { items: H[]; asked: string };

/** The note and the revision that the user saw. The server rejects a decision if the note has changed since. */
type SeenRevision = Pick<Note, 'id' | 'rev'>;

/** Loads the first pages of the review inbox and joins them. */
async function inbox(pages: number): Promise<ReviewDesk> {
  const first = await ask(serve.getReviewDesk, { limit: 100 });
  const items = [...first.items];
  let cursor = first.nextCursor;
  for (let page = 1; page < pages && cursor !== undefined; page++) {
    const next = await ask(serve.getReviewDesk, { limit: 100, cursor });
    items.push(...next.items);
    cursor = next.nextCursor;
  }
  return { ...first, items };
}

const maxSessionPages = 5;
const isoTime = (at: number): string => new Date(at).toISOString();

/** All agent sessions of a range of days. If there are more than 500, `total` says how many. */
async function sessionsOf({ from, to }: DayRange, agent = ''): Promise<SessionDigestPage> {
  const asked = { agent, since: isoTime(startOfDay(from)), before: isoTime(startOfDay(to, 1)), limit: 100 };
  const first = await api.timeline(asked);
  const items = [...first.items];
  let cursor = first.nextCursor;
  for (let page = 1; page < maxSessionPages && cursor !== undefined; page++) {
    const next = await api.timeline({ ...asked, cursor });
    items.push(...next.items);
    cursor = next.nextCursor;
  }
  return { items, total: first.total };
}

/** All API requests of the viewer. The link that opened the viewer has signed the browser in. */
export const api = {
  projects: () => call(bare(serve.listProjects), {}),
  overview: () => ask(serve.getOverview, {}),
  today: () => ask(serve.getToday, {}),
  activity: () => ask(serve.getActivity, {}),
  timeline: (params: TimelineQuery) => ask(serve.listSessionDigests, params),
  sessionsOf,
  session: (id: string) => ask(serve.getSessionStory, { id }),
  recall: async (query: string, filter: SearchFilter): Promise<Answer<Hit>> => ({
    ...(await ask(serve.recall, { query, ...filter })),
    asked: query,
  }),
  note: (id: string) => ask(serve.getNoteView, { id }),
  event: (id: string) => ask(serve.getEventView, { id }),
  /** A file, now or as of a commit. */
  file: (path: string, commit: string) => ask(serve.getFilePage, { path, commit }),
  fileStory: (path: string, commit: string) => ask(serve.getFileStory, { path, commit }),
  files: async (query: string, limit: number): Promise<string[]> =>
    (await ask(serve.findFiles, { query, limit })).items.map(({ path }) => path),
  diff: (id: string) => ask(serve.getEditDiff, { id }),
  inbox,
  accept: ({ id, rev }: SeenRevision, against?: SeenRevision) =>
    change(serve.acceptNote, { id, rev, against: against?.id }),
  reject: ({ id, rev }: SeenRevision) => change(serve.rejectNote, { id, rev }),
  /** Accepts or rejects several notes. Throws if one of them has changed since; the others are decided. */
  decideAll: async (verb: 'accept' | 'reject', seen: SeenRevision[]): Promise<void> => {
    const notes = seen.map(({ id, rev }) => ({ id, rev }));
    const { changed } = await change(verb === 'accept' ? serve.acceptNotes : serve.rejectNotes, { notes });
    if (changed.length > 0) throw new ApiFailure('CONFLICT', 'Some notes have changed', '');
  },
  topics: (params: Omit<serve.ListTopicsParams, 'project'>) => ask(serve.listTopics, params),
  forgettable: (id: string) => ask(serve.previewForget, { id }),
  forget: (id: string) => change(serve.forgetNote, { id }),
  /** Withdraws a note, or replaces it if `now` is not empty. */
  wrong: ({ id, rev }: SeenRevision, now: string) =>
    change(serve.correctNote, { id, rev, now: now || undefined }),
  edit: ({ id, rev }: SeenRevision, text: string) => change(serve.editNote, { id, rev, text }),
  pin: ({ id, rev }: SeenRevision, isOn: boolean) =>
    change(isOn ? serve.pinNote : serve.unpinNote, { id, rev }),
  /** Keeps a note out of what sessions of this project are told, or tells it again. */
  reopen: ({ id, rev }: SeenRevision) => change(serve.reopenNote, { id, rev }),
  mute: ({ id, rev }: SeenRevision, isOn: boolean) =>
    change(isOn ? serve.muteNote : serve.unmuteNote, { id, rev }),
  stats: (days: number) => ask(serve.getStats, { days }),
  spend: (days: number) => call(serve.getSpend, { days }),
  health: () => ask(serve.getHealth, {}),
};
