import { isoTime } from '../base/clock.ts';
import { isEverywhere } from '../domain/note.ts';
import { isIdle } from '../memory/notes/distil-with-model.ts';
import { sessionHash } from '../memory/notes/tombstones.ts';
import { recordFailure } from '../memory/projects/failures.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import { listAgentSessions } from '../memory/sessions/agent-sessions.ts';
import { outcomesOf, type SessionOutcome } from '../memory/sessions/session-outcomes.ts';
import { quickLimits, withIndex, withoutMeaning } from '../recall/with-index.ts';
import type { LogIndex } from '../store/store.ts';
import type { AgentSession } from '../wire/answers/memory.ts';
import { joinTeam, type Membership, membershipOf, tokenFor } from './membership.ts';
import { isUnreachable, requestServer } from './request-server.ts';
import { readState, writeState } from './sync-state.ts';

const timeoutMs = 5_000;
/** How many sessions one run reports, and how many it looks at. The next run continues. */
const maxReports = 5;
const maxSessions = 50;
const maxListed = 200;
const maxTitleLength = 300;

/** Turns reports of finished sessions on or off. Sessions from before are never reported. */
export function setReporting(parts: Pick<OpenProject, 'paths' | 'project' | 'clock'>, isOn: boolean): void {
  const membership = membershipOf(parts.paths, parts.project);
  if (membership === undefined || isOn === (membership.reportsSince !== undefined)) return;
  const { reportsSince: _, ...rest } = membership;
  joinTeam(parts.paths, parts.project, isOn ? { ...rest, reportsSince: isoTime(parts.clock.now()) } : rest);
}

/**
 * Reports finished agent sessions to the team as jobs, if the user has turned that on: what was asked, decided and
 * changed, and the commits. A session that goes on after its report is reported again under the same id. If something
 * of a reported session was forgotten since, its job is removed from the team. Returns how many were reported.
 */
export async function reportJobs(parts: OpenProject): Promise<number> {
  const membership = membershipOf(parts.paths, parts.project);
  if (membership === undefined) return 0;
  const path = parts.paths.project(parts.project).teamSync;
  let count = 0;
  try {
    await withdrawForgotten(parts, membership);
    if (membership.reportsSince === undefined) return 0;
    const { reported = {} } = readState(path);
    const due = await finishedSessions(parts, Date.parse(membership.reportsSince), reported);
    const outcomes = await outcomesOf(parts, due);
    for (const session of due) {
      const outcome = outcomes.get(session.id);
      if (outcome !== undefined && session.files.length + outcome.commits.length > 0) {
        await sendReport(parts, membership, session, await withoutEverywhere(parts, outcome));
        count += 1;
      }
      const state = readState(path);
      writeState(path, { ...state, reported: { ...state.reported, [session.id]: session.lastAt } });
    }
  } catch (error) {
    // The next drain tries again.
    if (!isUnreachable(error)) recordFailure(parts.paths.failures, 'team report', error, parts.clock);
  }
  return count;
}

/** Removes the jobs of sessions of which something was forgotten. If the server does not answer, the next run does. */
async function withdrawForgotten(parts: OpenProject, membership: Membership): Promise<void> {
  const path = parts.paths.project(parts.project).teamSync;
  const ids = Object.keys(readState(path).reported ?? {});
  const forgotten =
    ids.length === 0
      ? []
      : await withIndex(withoutMeaning(parts), quickLimits, (index) => forgottenSessions(parts, index, ids));
  for (const id of forgotten) {
    const updatedAt = isoTime(parts.clock.now());
    await sendEvent(parts, membership, id, { event: 'job:deleted', updatedAt, metadata: {} });
    const { reported: { [id]: _, ...reported } = {}, ...state } = readState(path);
    writeState(path, { ...state, reported });
  }
}

async function forgottenSessions(
  { device }: OpenProject,
  index: LogIndex | undefined,
  ids: string[],
): Promise<string[]> {
  const forgotten: string[] = [];
  for (const id of ids) if (await index?.isTombstoned(sessionHash(device, id))) forgotten.push(id);
  return forgotten;
}

/**
 * Sessions that have ended or were idle for a while, and have not been reported as they are now, oldest first. A session
 * of which something was forgotten is left out.
 */
async function finishedSessions(
  parts: OpenProject,
  since: number,
  reported: Record<string, number>,
): Promise<AgentSession[]> {
  const { sessions } = await listAgentSessions(parts, { since }, maxSessions);
  const news = sessions.filter(({ id, firstAt, lastAt }) => firstAt >= since && lastAt > (reported[id] ?? 0));
  if (news.length === 0) return [];
  return withIndex(withoutMeaning(parts), quickLimits, async (index) => {
    const due: AgentSession[] = [];
    const ids = news.map(({ id }) => id);
    const forgotten = new Set(await forgottenSessions(parts, index, ids));
    for (const session of news.filter(({ id }) => !forgotten.has(id)).reverse()) {
      const state = { agentSession: session.id, last: session.lastAt };
      if (due.length < maxReports && index !== undefined && (await isIdle(parts, index, state)))
        due.push(session);
    }
    return due;
  });
}

/** A note for every project goes to no team. */
async function withoutEverywhere({ notes }: OpenProject, outcome: SessionOutcome): Promise<SessionOutcome> {
  const everywhere = new Set((await notes.list()).filter(isEverywhere).map(({ id }) => id));
  return { ...outcome, decisions: outcome.decisions.filter(({ id }) => !everywhere.has(id)) };
}

const isReported = ({ kind, state }: SessionOutcome['decisions'][number]): boolean =>
  state === 'active' && (kind === 'decision' || kind === 'rule' || kind === 'fix');

async function sendReport(
  parts: OpenProject,
  membership: Membership,
  { id, agent, lastAt, title, files }: AgentSession,
  { decisions, commits }: SessionOutcome,
): Promise<void> {
  const own = commits.slice(0, maxListed);
  await sendEvent(parts, membership, id, {
    event: 'job:completed',
    updatedAt: isoTime(lastAt),
    title: title.slice(0, maxTitleLength) || `A session of ${agent}`,
    sessionContext: {
      decisions: decisions.filter(isReported).map((decision) => decision.title),
      filesModified: files.slice(0, maxListed),
    },
    ...(own.length === 0
      ? {}
      : {
          toolResults: [
            {
              tool: 'Commits',
              output: own
                .map(
                  ({ hash, subject, isByTime }) =>
                    `${hash} ${subject}${isByTime ? ' (by time and file)' : ''}`,
                )
                .join('\n'),
            },
          ],
        }),
    metadata: { agent, commits: own.map(({ hash }) => hash) },
  });
}

async function sendEvent(
  parts: OpenProject,
  { url, project }: Membership,
  session: string,
  event: Record<string, unknown>,
): Promise<void> {
  const sourceRef = `session/${parts.device.id}/${session}`.slice(0, 500);
  await requestServer(
    { url, token: tokenFor(parts.paths, url) },
    {
      method: 'POST',
      path: `/api/v1/projects/${project}/lifecycle`,
      body: projectRedactor(parts).redactDeep({ ...event, sourceRef }),
      timeoutMs,
    },
  );
}
