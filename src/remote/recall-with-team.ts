import type { Chunk } from '../domain/chunk.ts';
import { isFromTeam, teammateOf } from '../domain/note.ts';
import { checkedRecall } from '../drift/checked-recall.ts';
import { type CheckedCode, headOf } from '../drift/current-code.ts';
import { observedChunks } from '../memory/prelude/command-lines.ts';
import { readPrelude, recapText } from '../memory/prelude/prelude-file.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { checkoutId } from '../memory/projects/projects.ts';
import { withSession } from '../memory/sessions/agent-sessions.ts';
import { chunksOfMemory, type TeamCache } from '../memory/team-cache.ts';
import type { Hit, RecallAnswer, RecallQuery } from '../recall/hit.ts';
import { wantsObservations } from '../recall/observed-hits.ts';
import { type Exact, type FilterText, parseFilter, questionOf } from '../recall/parse-filter.ts';
import { withStandings } from '../recall/possible-changes.ts';
import { asksForLastWork, lastWorkQuestion } from '../recall/question.ts';
import { recall } from '../recall/recall.ts';
import type { RecallLimits, RecallParts } from '../recall/with-index.ts';
import type { CachedMemory } from '../wire/answers/team.ts';
import { askTeam } from './ask-team.ts';
import { cacheOf } from './cache-memories.ts';
import { membershipOf } from './membership.ts';
import { readState } from './sync-state.ts';

export interface RecallText extends FilterText {
  query?: string | undefined;
  wordings?: string[] | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

export interface Asking {
  limits: RecallLimits;
  /** Without it, hits have no drift. */
  code: CheckedCode | undefined;
  askingSessions?: string[];
}

/** Like `recallWithTeam`, for a question as users, agents and programs write it. */
export async function askRecall<Given extends RecallText>(
  project: OpenProject,
  given: Exact<RecallText, Given>,
  { limits, code, askingSessions }: Asking,
): Promise<RecallAnswer> {
  const { query, wordings, limit, offset = 0, ...filterText }: RecallText = given;
  const now = project.clock.now();
  const filter = await withSession(project, parseFilter(filterText, now));
  const asked = {
    ...filter,
    ...questionOf({ text: query, wordings }, filter),
    now,
    offset,
    ...(limit === undefined ? {} : { limit }),
    ...(askingSessions === undefined ? {} : { askingSessions }),
  };
  return recallWithTeam(project, asked, limits, code);
}

/**
 * Recall over this machine's memory and the team's, in one ranking. The index has the local copy of the team's
 * memories; hits of the server that are not in the copy are candidates like events that are not indexed yet. In a
 * project without a team it is local recall. Without code, hits are not checked for drift.
 */
export async function recallWithTeam(
  project: OpenProject,
  query: RecallQuery,
  limits: RecallLimits,
  code: CheckedCode | undefined,
): Promise<RecallAnswer> {
  const answer = await recallEverywhere(project, query, limits, code);
  // Who asks for observations wants turns, and who asks for more has read the recap.
  if (wantsObservations(query) || (query.offset ?? 0) > 0) return answer;
  if (!(await asksForLastWork(project.embedder, query.text))) return answer;
  const { paths, project: id } = project;
  const here = code && { ...headOf(code.root), checkout: checkoutId(code.root) };
  const recap = readPrelude(paths, id, here)?.recap;
  // Without a question, hits are arbitrary; with one, those that are only the nearest are no answer beside the recap.
  const isOpen = query.text === lastWorkQuestion;
  const hits =
    isOpen || (recap !== undefined && answer.match !== 'good') ? { hits: [], truncated: false } : {};
  return {
    ...answer,
    ...hits,
    ...(recap === undefined ? {} : { recap: recapText(recap.long.map(({ text }) => text)) }),
  };
}

async function recallEverywhere(
  project: OpenProject,
  query: RecallQuery,
  limits: RecallLimits,
  code: CheckedCode | undefined,
): Promise<RecallAnswer> {
  const run = async (parts: RecallParts): Promise<RecallAnswer> => {
    const answer = await (code === undefined
      ? recall(parts, query, limits)
      : checkedRecall(parts, query, limits, code));
    const hasNotes = answer.hits.some(({ chunk }) => chunk.source === 'note');
    return hasNotes ? { ...answer, hits: withStandings(answer.hits, await notes.list()) } : answer;
  };
  const membership = membershipOf(project.paths, project.project);
  const { log, notes, access, embedder } = project;
  const own = project.paths.project(project.project);
  const partsWith = (team: Chunk[]): RecallParts => ({
    log,
    notes,
    access,
    project: project.project,
    ...(embedder === undefined ? {} : { embedder }),
    // A list of events needs no observation.
    besideIndex: query.text === '' ? team : [...observedChunks(own, project.project), ...team],
  });
  if (membership === undefined) return run(partsWith([]));
  // The server is asked before the index is opened, so that no other process waits for the lock of the index meanwhile.
  const { state, memories } = await askTeam(project, membership, query);
  const cache = cacheOf(own.teamMemories, membership);
  const answer = await run(partsWith(chunksOf(project.project, cache, memories)));
  const { syncedAt } = readState(own.teamSync);
  return {
    ...answer,
    hits: await Promise.all(answer.hits.map((hit) => withSource(hit, project, cache))),
    team: { name: membership.name, state, ...(syncedAt === undefined ? {} : { syncedAt }) },
  };
}

/** Chunks of the hits that the index does not have. */
function chunksOf(project: string, { memories: cached, name }: TeamCache, answered: CachedMemory[]): Chunk[] {
  const revisions = new Map(cached.map(({ id, revision }) => [id, revision]));
  return answered
    .filter(({ id, revision }) => revisions.get(id) !== revision)
    .flatMap((memory) => chunksOfMemory(memory, project, name))
    .map((chunk) =>
      chunk.team === undefined ? chunk : { ...chunk, team: { ...chunk.team, isOnServer: true } },
    );
}

/** Adds the source to a hit of the team. The index has only the text. */
async function withSource(hit: Hit, { notes }: OpenProject, { memories, name }: TeamCache): Promise<Hit> {
  const { chunk } = hit;
  if (chunk.source !== 'note' || chunk.origin !== 'teammate' || chunk.team !== undefined) return hit;
  const memory = memories.find(({ id }) => id === chunk.sourceId);
  const note = memory === undefined ? await notes.get(chunk.sourceId) : undefined;
  const source = memory?.source ?? 'note';
  const author = memory?.author ?? (note !== undefined && isFromTeam(note) ? teammateOf(note) : '');
  return { ...hit, chunk: { ...chunk, team: { name, source, author } } };
}
