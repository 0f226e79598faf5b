import { isAttended } from './attended.ts';
import { ApiFailure } from './failure.ts';
import { chosenProject } from './project.ts';
import { jsonRequest, type Params, request, type Server } from './request.ts';
import type {
  Answer,
  Digests,
  EventPage,
  GraphAnswer,
  Health,
  Inbox,
  Note,
  NotePage,
  Overview,
  Projects,
  SessionStory,
  Spend,
  Stats,
} from './wire.ts';

// How the viewer reaches the local server. It exits when it is idle, so a failed request usually means that it has
// exited.
const server: Server = {
  away: new ApiFailure('ENDED', 'Backstory is no longer running.', 'backstory ui'),
  hintFor: (status) => (status === 401 ? 'backstory ui' : 'backstory doctor'),
  headers: () => (isAttended() ? {} : { 'x-backstory-unattended': '1' }),
};

const ask = <T>(path: string, params: Params = {}, init: RequestInit = {}): Promise<T> =>
  request(server, path, { project: chosenProject.value, ...params }, init);

const send = (method: string, path: string, body: object): Promise<unknown> =>
  ask(path, {}, jsonRequest(method, body));

const noteAt = (id: string): string => `notes/${encodeURIComponent(id)}`;

export interface SearchFilter {
  kind?: string;
  agent?: string;
  file?: string;
  since?: string;
}

/** The note and the revision that the user saw. The server rejects a decision if the note has changed since. */
type SeenRevision = Pick<Note, 'id' | 'rev'>;

/** Loads the first pages of the review inbox and joins them. */
async function inbox(pages: number): Promise<Inbox> {
  const first = await ask<Inbox>('review', { limit: 100 });
  const candidates = [...first.candidates];
  let cursor = first.next_cursor;
  for (let page = 1; page < pages && cursor !== undefined; page++) {
    const next = await ask<Inbox>('review', { limit: 100, cursor });
    candidates.push(...next.candidates);
    cursor = next.next_cursor;
  }
  return { ...first, candidates };
}

/** All API requests of the viewer. The link that opened the viewer has signed the browser in. */
export const api = {
  projects: () => ask<Projects>('projects'),
  overview: () => ask<Overview>('viewer/overview'),
  timeline: (params: { agent?: string; cursor?: string; limit?: number }) =>
    ask<Digests>('viewer/timeline', params),
  session: (id: string) => ask<SessionStory>(`viewer/sessions/${encodeURIComponent(id)}`),
  recall: async (query: string, filter: SearchFilter & { limit?: number }): Promise<Answer> => ({
    ...(await ask<Omit<Answer, 'asked'>>('recall', { query, ...filter })),
    asked: query,
  }),
  note: (id: string) => ask<NotePage>(`viewer/${noteAt(id)}`),
  event: (id: string) => ask<EventPage>(`viewer/events/${encodeURIComponent(id)}`),
  graph: (limit: number) => ask<GraphAnswer>('graph', { limit }),
  inbox,
  accept: ({ id, rev }: SeenRevision, against?: SeenRevision) =>
    send('POST', `${noteAt(id)}/accept`, { rev, ...(against === undefined ? {} : { against: against.id }) }),
  reject: ({ id, rev }: SeenRevision) => send('POST', `${noteAt(id)}/reject`, { rev }),
  /** Withdraws a note, or replaces it if `now` is not empty. */
  wrong: ({ id, rev }: SeenRevision, now: string) =>
    send('POST', `${noteAt(id)}/wrong`, { rev, ...(now === '' ? {} : { now }) }),
  edit: ({ id, rev }: SeenRevision, text: string) => send('PATCH', noteAt(id), { rev, text }),
  stats: (days: number) => ask<Stats>('stats', { days }),
  spend: (days: number) => ask<Spend>('spend', { days }),
  health: () => ask<Health>('health'),
};
