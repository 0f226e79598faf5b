import { ApiFailure } from '../failure.ts';
import { chosenProject } from '../project.ts';
import { jsonRequest, type Params, request, type Server } from '../request.ts';
import type { Answer, GraphAnswer } from '../wire.ts';
import { signedOut } from './signed-in.ts';
import type { Me, OpenedMemory, Session, TeamHit, TeamProject, TeamStats, TeamTimeline } from './wire.ts';

const server: Server = {
  away: new ApiFailure('AWAY', 'The team server cannot be reached.', 'Try again in a moment.'),
  hintFor: () => 'Try again in a moment.',
  headers: () => ({}),
};

/** Sends a request with the session cookie. If the session has ended, shows the sign-in page. */
async function ask<T>(path: string, params: Params = {}, init: RequestInit = {}): Promise<T> {
  try {
    return await request<T>(server, path, params, init);
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'UNAUTHORIZED') signedOut();
    throw error;
  }
}

const inProject = (path: string): string => `projects/${chosenProject.value}/${path}`;

export interface TeamFilter {
  kind?: string;
  source?: string;
  author?: string;
  file?: string;
  since?: string;
}

/** All API requests of the team viewer. */
export const teamApi = {
  session: () => request<Session>(server, 'session'),
  signIn: (token: string) => request<unknown>(server, 'session', {}, jsonRequest('POST', { token })),
  signOut: () => request<unknown>(server, 'session', {}, { method: 'DELETE' }),
  me: () => ask<Me>('me'),
  projects: async () => (await ask<{ projects: TeamProject[] }>('projects')).projects,
  recall: async (query: string, filter: TeamFilter & { limit: number }): Promise<Answer<TeamHit>> => ({
    ...(await ask<Omit<Answer<TeamHit>, 'asked'>>(inProject('recall'), {
      query,
      format: 'index',
      ...filter,
    })),
    asked: query,
  }),
  /** Memories changed before `anchor`: a time, or a memory, which is then included. */
  before: (anchor: string, source: string, count: number) =>
    ask<TeamTimeline>(inProject('timeline'), { anchor, source, depth_before: count, depth_after: 0 }),
  memory: (id: string) => ask<OpenedMemory>(`memory/${encodeURIComponent(id)}`),
  remove: (id: string) => ask<unknown>(`memory/${encodeURIComponent(id)}`, {}, jsonRequest('DELETE', {})),
  graph: (limit: number) => ask<GraphAnswer>(inProject('graph'), { limit }),
  stats: (days: number) => ask<TeamStats>(inProject('stats'), { days }),
  reindex: () => ask<unknown>(inProject('memory/reindex'), {}, jsonRequest('POST', {})),
  reindexCode: () => ask<unknown>(inProject('knowledge/wanted'), {}, jsonRequest('POST', {})),
};
