import { isoTime } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { readJson, removeIfThere, tryReplaceUnsynced } from '../base/files.ts';
import { type Json, list, record, text } from '../base/json.ts';
import { activationOfProject } from '../memory/projects/activation.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import { keepSeenMemories } from '../memory/team-cache.ts';
import type { RecallQuery, TeamState } from '../recall/hit.ts';
import type { CachedMemory, TeamMemory } from '../wire/answers/team.ts';
import { teamMemoryOf } from '../wire/answers/team-memory.ts';
import { cacheOf, receivedMemory } from './cache-memories.ts';
import { type Membership, tokenFor } from './membership.ts';
import { type Request, requestServer } from './request-server.ts';
import { readState } from './sync-state.ts';

/** How long a question waits for the team's server, in addition to the local search. Hooks never ask it. */
export const teamWaitMs = 1_000;
/** After a question without an answer, the next ones are answered from the local copy for this time. */
const silenceMs = 60_000;
const maxQuestionLength = 1_000;
const maxTeamHits = 20;

/** What the team's server answered to a question, and whether it did. */
export interface TeamAnswer {
  state: TeamState['state'];
  memories: CachedMemory[];
}

/**
 * Asks the team's server what it knows about a question. It never fails and takes at most `teamWaitMs`: an unreachable,
 * slow or refusing server costs one question that time, and the local copy is used instead.
 */
export async function askTeam(
  parts: OpenProject,
  membership: Membership,
  query: Pick<RecallQuery, 'text' | 'wordings' | 'file'>,
): Promise<TeamAnswer> {
  if (query.text.trim() === '' || !activationOfProject(parts).on) return { state: 'not-asked', memories: [] };
  const redactor = projectRedactor(parts);
  const words = new URLSearchParams({
    query: redactor.redact(query.text.slice(0, maxQuestionLength)),
    limit: String(maxTeamHits),
    ...(query.file === undefined ? {} : { file: query.file }),
  });
  for (const wording of query.wordings ?? []) words.append('wordings', redactor.redact(wording));
  const { state, answer } = await ask(parts, membership, {
    method: 'GET',
    path: `/api/v1/projects/${membership.project}/recall?${words}`,
    timeoutMs: teamWaitMs,
  });
  const { teamMemories, teamSync } = parts.paths.project(parts.project);
  // Notes are synced as notes. One that the user has forgotten or rejected here must not come back in an answer.
  const synced = readState(teamSync).notes;
  const cache = cacheOf(teamMemories, membership);
  const memories = list(answer?.items)
    .map((item) => receivedMemory(teamMemoryOf(shownMemoryOf(record(item))), redactor))
    .filter(
      ({ id, source, sourceRef }) =>
        id !== '' && !cache.forgotten.includes(id) && !(source === 'note' && sourceRef in synced),
    );
  keepSeenMemories(teamMemories, cache, memories);
  return { state, memories };
}

/** A memory of the team with its whole text; undefined if the server does not answer in time. */
export async function wholeTeamMemory(
  parts: OpenProject,
  membership: Membership,
  { id }: Pick<CachedMemory, 'id'>,
): Promise<CachedMemory | undefined> {
  if (!activationOfProject(parts).on) return undefined;
  const { answer } = await ask(parts, membership, {
    method: 'GET',
    path: `/api/v1/memory/${encodeURIComponent(id)}`,
    timeoutMs: teamWaitMs,
  });
  const shown = record(answer?.memory);
  if (text(shown.documentId) !== id) return undefined;
  return receivedMemory(
    teamMemoryOf(shownMemoryOf({ ...shown, memory: shown, paths: shown.files }), Number.POSITIVE_INFINITY),
    projectRedactor(parts),
  );
}

/** The memory of a hit, from the fields of the hit and those that only a team has. */
function shownMemoryOf(hit: Json): TeamMemory {
  const memory = record(hit.memory);
  const strings = (value: unknown): string[] => list(value).map(text);
  return {
    ...(memory as unknown as TeamMemory),
    documentId: text(memory.documentId),
    metadata: record(memory.metadata),
    text: text(hit.text),
    files: strings(hit.paths),
    issues: strings(memory.issues),
    concepts: strings(hit.concepts),
  };
}

async function ask(
  { paths, project, clock }: OpenProject,
  { url }: Membership,
  request: Request,
): Promise<{ state: TeamState['state']; answer?: Json }> {
  const silence = paths.project(project).teamSilence;
  const last = readJson<{ since: string; state: TeamState['state'] }>(silence);
  if (last !== undefined && Math.abs(clock.now() - Date.parse(last.since)) < silenceMs)
    return { state: last.state };
  try {
    const answer = await requestServer<Json>({ url, token: tokenFor(paths, url) }, request);
    removeIfThere(silence);
    return { state: 'answered', answer };
  } catch (error) {
    const code = error instanceof AppError ? error.code : '';
    const state =
      code === 'UNAUTHORIZED' || code === 'FORBIDDEN' || code === 'NOT_FOUND' ? 'refused' : 'silent';
    tryReplaceUnsynced(silence, JSON.stringify({ since: isoTime(clock.now()), state }));
    return { state };
  }
}
