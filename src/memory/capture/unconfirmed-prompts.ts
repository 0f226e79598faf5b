import { localDay } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import { unconfirmedConcept } from '../../domain/chunk.ts';
import { type EventEnvelope, type Terminal, unconfirmed } from '../../domain/event.ts';
import { withOriginalTime } from '../../store/events/event-log.ts';
import type { LogIndex } from '../../store/store.ts';
import { distilMark } from '../notes/distil-mark.ts';
import type { InstallRecord } from '../projects/install-records.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { readRows } from '../sessions/session-turns.ts';
import { waitForWriter } from '../wait-for-writer.ts';
import { nextSeq } from './capture.ts';
import type { PastTranscripts } from './past-transcripts.ts';

export type UnconfirmedPrompt = Extract<EventEnvelope, { kind: 'prompt' }> & {
  /** Whether a hook saw other events of its session. */
  isSeenSession: boolean;
};

/** The prompts of a project of which a person can still say whether they are theirs, oldest first. */
export async function readUnconfirmed({
  access,
  log,
}: Pick<OpenProject, 'access' | 'log'>): Promise<UnconfirmedPrompt[]> {
  const reading = access.forReading();
  if (reading === undefined) return [];
  try {
    const { index } = reading;
    const waiting = { source: 'event', kinds: ['prompt'], concept: unconfirmedConcept } as const;
    const chunks = await index.list({ ...waiting, kinds: [...waiting.kinds] }, Number.MAX_SAFE_INTEGER);
    const rows = await index.events([...new Set(chunks.map(({ sourceId }) => sourceId))]);
    const seen = await sessionsWithHooks(index, new Set(chunks.map(({ agentSession }) => agentSession)));
    return [...readRows(log, [...rows.values()]).values()]
      .filter((event) => event.kind === 'prompt')
      .map((event) => ({ ...event, isSeenSession: seen.has(event.agentSession) }))
      .sort((a, b) => (a.at < b.at ? -1 : 1));
  } finally {
    await reading.close();
  }
}

/** Events of hooks name the agent's process. */
async function sessionsWithHooks(index: LogIndex, sessions: Set<string>): Promise<Set<string>> {
  const seen = new Set<string>();
  for (const session of sessions) {
    const rows = await index.eventsOfSession(session, Number.MAX_SAFE_INTEGER);
    if (rows.some(({ clientPid }) => clientPid !== 0)) seen.add(session);
  }
  return seen;
}

export interface InstallHistory {
  past: PastTranscripts | undefined;
  installs: InstallRecord[];
  /** The agents whose hook does not work now. */
  deadHooks: string[];
}

/** Says why no hook reported a prompt, as far as Backstory knows. */
export function whyUnconfirmed(
  prompt: UnconfirmedPrompt,
  { past, installs, deadHooks }: InstallHistory,
): string {
  const { agent, body, isSeenSession, at } = prompt;
  if (body.untyped === unconfirmed.importedByAgent) return 'An agent imported them.';
  if (isSeenSession) return 'Hooks saw their sessions, but not these prompts.';
  if (past === undefined || Date.parse(at) <= past.at)
    return past?.isByAgent === true
      ? 'An agent installed Backstory, so they do not count as your past.'
      : 'Their transcripts were not here when Backstory was installed.';
  const repairedAt = installs.find((install) => install.agent === agent)?.repairedAt;
  if (repairedAt !== undefined && at <= repairedAt)
    return `The hook of ${agent} did not work until ${localDay(repairedAt)}.`;
  if (deadHooks.includes(agent)) return `The hook of ${agent} does not work: backstory doctor`;
  return `No hook of ${agent} saw them, as on another device, in an editor or in the cloud.`;
}

const lockWaitMs = 30_000;

/**
 * Stores what a person said about prompts: each gets an event that replaces its own. Their sessions are searched for
 * statements again. Returns false, and stores nothing, if another process holds the index.
 */
export async function answerUnconfirmed(
  parts: OpenProject,
  prompts: UnconfirmedPrompt[],
  { isYours, terminal }: { isYours: boolean; terminal: Terminal | undefined },
): Promise<boolean> {
  const writing = await waitForWriter(parts, lockWaitMs);
  if (writing === undefined) return false;
  try {
    // First, because a session that is read again without need does no harm.
    for (const session of new Set(prompts.map(({ agentSession }) => agentSession)))
      await writing.index.setProgressMark(distilMark(session), '');
    parts.log.append(
      prompts.map(({ isSeenSession: _, ...prompt }) => ({
        ...answered(withOriginalTime(prompt) as typeof prompt, isYours),
        seq: nextSeq(parts.clock),
        ...(terminal === undefined ? {} : { terminal }),
      })),
    );
  } finally {
    await writing.close();
  }
  return true;
}

/** The text is copied as it was stored, with the blocks that were decided when it was captured. */
function answered(
  event: Omit<UnconfirmedPrompt, 'isSeenSession'>,
  isYours: boolean,
): Omit<UnconfirmedPrompt, 'isSeenSession'> {
  const { untyped: _, ...body } = event.body;
  const supersedes = [...(body.supersedes ?? []), event.id];
  const id = hashId('whose', event.id, String(isYours));
  if (!isYours)
    return {
      ...event,
      id,
      origin: 'unconfirmed',
      body: { ...body, supersedes, untyped: unconfirmed.declined },
    };
  const typist = body.isPlan === true ? ({ origin: 'assistant', trust: 1 } as const) : typedByPerson;
  return { ...event, ...typist, id, body: { ...body, supersedes } };
}

const typedByPerson = { origin: 'user', trust: 2 } as const;
