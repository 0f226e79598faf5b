import { isAttended } from './attended.ts';
import { chosenProject } from './project.ts';
import type {
  Answer,
  Digests,
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

/** Every question the viewer asks, in one place. The address it was opened with has signed it in. */
export class ApiFailure extends Error {
  readonly code: string;
  readonly hint: string;
  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

type Params = Record<string, string | number | undefined>;

async function ask<T>(path: string, params: Params = {}, init: RequestInit = {}): Promise<T> {
  const given = Object.entries({ project: chosenProject.value, ...params }).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  let response: Response;
  try {
    response = await fetch(`/api/${path}${query === '' ? '' : `?${query}`}`, {
      ...init,
      headers: {
        accept: 'application/json',
        ...(isAttended() ? {} : { 'x-backstory-unattended': '1' }),
        ...init.headers,
      },
    });
  } catch {
    // It ends when nobody has asked for a while, so that nothing of ours keeps running unseen.
    throw new ApiFailure('ENDED', 'Backstory is not running any more.', 'backstory ui');
  }
  const body = (await response.json().catch(() => undefined)) as
    | { error?: { code: string; message: string; suggested_action?: string } }
    | undefined;
  if (response.ok && body !== undefined) return body as T;
  const {
    code = 'BACKEND_FAILURE',
    message = `The answer was ${response.status}.`,
    suggested_action,
  } = body?.error ?? {};
  throw new ApiFailure(
    code,
    message,
    suggested_action ?? (response.status === 401 ? 'backstory ui' : 'backstory doctor'),
  );
}

const tell = (method: string, path: string, body: object): Promise<unknown> =>
  ask(
    path,
    {},
    {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      // A decision made just before the page is left still arrives.
      keepalive: true,
    },
  );

const noteAt = (id: string): string => `notes/${encodeURIComponent(id)}`;

export interface SearchFilter {
  kind?: string;
  agent?: string;
  file?: string;
  since?: string;
}

/** Decisions name the revision that was looked at: what has changed since is not decided on unseen. */
type Seen = Pick<Note, 'id' | 'rev'>;

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
  graph: (limit: number) => ask<GraphAnswer>('graph', { limit }),
  inbox: () => ask<Inbox>('review', { limit: 100 }),
  accept: ({ id, rev }: Seen) => tell('POST', `${noteAt(id)}/accept`, { rev }),
  reject: ({ id, rev }: Seen) => tell('POST', `${noteAt(id)}/reject`, { rev }),
  edit: ({ id, rev }: Seen, text: string) => tell('PATCH', noteAt(id), { rev, text }),
  stats: (days: number) => ask<Stats>('stats', { days }),
  spend: (days: number) => ask<Spend>('spend', { days }),
  health: () => ask<Health>('health'),
};
