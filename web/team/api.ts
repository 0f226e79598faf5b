import * as team from '../../client/generated/team.ts';
import type { TeamHit } from '../../client/generated/types.ts';
import type { CallOptions } from '../../client/request.ts';
import type { Answer } from '../api.ts';
import { ApiFailure } from '../failure.ts';
import { chosenProject } from '../project.ts';
import { bare, callerOf, filled, lasting, type Operation } from '../request.ts';
import { signedOut } from './signed-in.ts';

const call = callerOf({
  away: new ApiFailure('AWAY', 'The team server cannot be reached.', 'Try again in a moment.'),
  hintFor: () => 'Try again in a moment.',
  headers: () => ({}),
});

/** Calls an operation with the session cookie. If the session has ended, shows the sign-in page. */
async function ask<Params, Answer>(
  operation: Operation<Params, Answer>,
  params: Params,
  options?: CallOptions,
): Promise<Answer> {
  try {
    return await call(operation, params, options);
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'UNAUTHORIZED') signedOut();
    throw error;
  }
}

const inProject = <Params extends { id: string }, Answer>(
  operation: Operation<Params, Answer>,
  params: Omit<Params, 'id'>,
  options?: CallOptions,
): Promise<Answer> =>
  ask(operation, { ...filled(params), id: chosenProject.value } as unknown as Params, options);

export interface TeamFilter
  extends Pick<team.RecallParams, 'kind' | 'author' | 'file' | 'since' | 'until' | 'cursor'> {
  source?: string | undefined;
}

/** A source that the address of the page names. The server refuses one that it does not know. */
const onlyOf = (source = ''): team.RecallParams['source'] =>
  source === '' ? undefined : ([source] as team.RecallParams['source']);

/** All API requests of the team viewer. */
export const teamApi = {
  session: () => call(bare(team.getSession), {}),
  signIn: (token: string) => call(team.signIn, { token }, lasting),
  signOut: () => call(bare(team.signOut), {}),
  me: () => ask(bare(team.getMe), {}),
  projects: async () => (await ask(bare(team.listProjects), {})).items,
  recall: async (
    query: string,
    { source, ...filter }: TeamFilter & { limit: number },
  ): Promise<Answer<TeamHit>> => ({
    ...(await inProject(team.recall, { query, format: 'index', ...filter, source: onlyOf(source) })),
    asked: query,
  }),
  /** Memories changed before `anchor`: a time, or a memory, which is then included. */
  before: (anchor: string, source: string, count: number) =>
    inProject(team.timeline, { anchor, source: onlyOf(source), depthBefore: count, depthAfter: 0 }),
  memory: (id: string) => ask(team.getMemory, { id }),
  remove: (id: string) => ask(team.deleteMemory, { id }, lasting),
  stats: (days: number) => inProject(team.getStats, { days }),
  reindex: () => inProject(team.reindexMemory, {}, lasting),
  reindexCode: () => inProject(team.requestKnowledge, {}, lasting),
};
