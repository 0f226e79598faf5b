import { monthOf } from '../base/clock.ts';
import type { EventEnvelope, NoteAction } from '../domain/event.ts';
import { quickLimits, withIndex } from '../recall/with-index.ts';
import type { AgentTurn } from '../store/store.ts';
import type { AgentsInstead } from '../wire/answers/project.ts';
import type { OpenProject } from './projects/open-project.ts';

/** An approval that was made while an agent was working in the project. */
export type DoubtfulApproval = AgentsInstead['approvals'][number];

export const shownForMs = 30 * 24 * 60 * 60_000;
const approvals: NoteAction[] = ['pin', 'approve', 'enforce', 'withdraw'];

/** How long a turn without an answer counts as running: the agent may have been killed, or a command takes long. */
const maxOpenTurnMs = 2 * 60 * 60_000;

/** Whether the agent worked on the turn at this time. A turn without an answer ends at the next of its session. */
function isDuring(
  at: number,
  { agentSession, first, last, isEnded, sessionBoundary }: AgentTurn,
  all: AgentTurn[],
) {
  if (at < first || isEnded) return at >= first && at <= last;
  const next = all.filter((turn) => turn.agentSession === agentSession && turn.first > first);
  const ends = [...next.map((turn) => turn.first), ...(sessionBoundary > last ? [sessionBoundary] : [])];
  return at <= Math.max(last, Math.min(last + maxOpenTurnMs, ...ends));
}

/**
 * What agents may have said or approved in the user's place in the last thirty days, so that `status` and `review` can
 * name it. Reads the newest part of the log.
 */
export function agentsInstead(
  { log, clock }: Pick<OpenProject, 'log' | 'clock'>,
  turns: AgentTurn[],
): AgentsInstead {
  const since = clock.now() - shownForMs;
  const end = log.end();
  const recent = Object.fromEntries(Object.entries(end).filter(([file]) => file < `${monthOf(since)}.jsonl`));
  const untyped = new Map<string, AgentsInstead['untyped'][number]>();
  const doubtful: DoubtfulApproval[] = [];
  const superseded = new Set<string>();
  const found: EventEnvelope[] = [];
  const isWanted = (line: Buffer): boolean => line.includes('"untyped":"') || line.includes('"kind":"note"');
  for (const { entry } of log.read(recent, isWanted)) {
    if (entry.kind !== 'event' || entry.event.seq / 1000 < since) continue;
    found.push(entry.event);
    if ('supersedes' in entry.event.body)
      for (const id of entry.event.body.supersedes ?? []) superseded.add(id);
  }
  for (const event of found) {
    if (event.kind === 'prompt' && event.body.untyped !== undefined && !superseded.has(event.id)) {
      const reason = event.body.untyped;
      const known = untyped.get(reason) ?? { reason, prompts: 0, last: event.at };
      untyped.set(reason, { ...known, prompts: known.prompts + 1, last: event.at });
    }
    if (event.kind !== 'note' || event.origin !== 'user' || !approvals.includes(event.body.action)) continue;
    const at = Date.parse(event.at);
    if (!turns.some((turn) => isDuring(at, turn, turns))) continue;
    const { terminal } = event;
    const from =
      terminal === undefined ? 'viewer' : [terminal.tty, ...terminal.ancestors].filter(Boolean).join(' < ');
    doubtful.push({ note: event.body.note, action: event.body.action, at: event.at, from });
  }
  return { untyped: [...untyped.values()], approvals: doubtful };
}

export const approvalText = ({ note, action, at, from }: DoubtfulApproval): string =>
  `${action} ${note.slice(0, 8)} at ${at}, from ${from}`;

export const doubtfulApprovals = (parts: OpenProject): Promise<DoubtfulApproval[]> =>
  withIndex(parts, quickLimits, async (index) => {
    const turns = (await index?.agentTurns(parts.clock.now() - shownForMs)) ?? [];
    return agentsInstead(parts, turns).approvals;
  });
