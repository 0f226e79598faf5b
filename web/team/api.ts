import type { CallOptions, Method } from '../../client/request.ts';
import type {
  BrowserSession,
  Me,
  OpenedMemory,
  Queued,
  RemovedMemory,
  SavedMemory,
  TeamHit,
  TeamProjects,
  TeamRecallPage,
  TeamStats,
  TeamTimeline,
} from '../../src/wire/answers/team.ts';
import type { Answer, SearchFilter } from '../api.ts';
import { ApiFailure } from '../failure.ts';
import { chosenProject } from '../project.ts';
import { callerOf, filled, lasting } from '../request.ts';
import { signedOut } from './signed-in.ts';

const call = callerOf({
  away: new ApiFailure('AWAY', 'The team server cannot be reached.', 'Try again in a moment.'),
  hintFor: () => 'Try again in a moment.',
  headers: () => ({}),
});

/** Calls an operation with the session cookie. If the session has ended, shows the sign-in page. */
async function ask<Answer>(
  operation: `${Method} ${string}`,
  params: object = {},
  options?: CallOptions,
): Promise<Answer> {
  try {
    return await call<Answer>(operation, params, options);
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'UNAUTHORIZED') signedOut();
    throw error;
  }
}

const ofProject = (params: object = {}) => ({ ...filled(params), id: chosenProject.value });

export interface TeamFilter extends SearchFilter {
  author?: string | undefined;
  source?: string | undefined;
}

/** All API requests of the team viewer. */
export const teamApi = {
  session: () => call<BrowserSession>('GET /api/v1/session'),
  signIn: (token: string) => call<BrowserSession>('POST /api/v1/session', { token }, lasting),
  signOut: () => call<BrowserSession>('DELETE /api/v1/session'),
  me: () => ask<Me>('GET /api/v1/me'),
  projects: async () => (await ask<TeamProjects>('GET /api/v1/projects')).items,
  recall: async (query: string, filter: TeamFilter): Promise<Answer<TeamHit>> => ({
    ...(await ask<TeamRecallPage>(
      'GET /api/v1/projects/{id}/recall',
      ofProject({ query, format: 'index', ...filter }),
    )),
    asked: query,
  }),
  /** The memories changed last, up to and with the memory `anchor`. The default is after all: this clock may be slow. */
  newest: (
    filter: { source?: string; kind?: string; disputed?: true },
    count: number,
    anchor = '9999-12-31',
  ) =>
    ask<TeamTimeline>(
      'GET /api/v1/projects/{id}/timeline',
      ofProject({ anchor, ...filter, depthBefore: count, depthAfter: 0 }),
    ),
  create: async (text: string, kind: string): Promise<string> => {
    const params = ofProject({ text, metadata: { kind } });
    await ask<SavedMemory>('POST /api/v1/projects/{id}/memory', params, lasting);
    return 'Saved for the team.';
  },
  memory: (id: string) => ask<OpenedMemory>('GET /api/v1/memory/{id}', { id }),
  remove: (id: string) => ask<RemovedMemory>('DELETE /api/v1/memory/{id}', { id }, lasting),
  stats: (days: number) => ask<TeamStats>('GET /api/v1/projects/{id}/stats', ofProject({ days })),
  reindex: () => ask<Queued>('POST /api/v1/projects/{id}/memory/reindex', ofProject(), lasting),
};
