import { monthOf } from '../base/clock.ts';
import type { NoteAction } from '../domain/event.ts';
import type { AgentTurn } from '../store/store.ts';
import type { DoubtfulApproval } from '../wire/answers/project.ts';
import type { OpenProject } from './projects/open-project.ts';

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

/** The approvals of the last thirty days that were made while an agent was working. Reads the newest part of the log. */
export function doubtfulApprovals(
  { log, clock }: Pick<OpenProject, 'log' | 'clock'>,
  turns: AgentTurn[],
): DoubtfulApproval[] {
  const since = clock.now() - shownForMs;
  const recent = Object.fromEntries(
    Object.entries(log.end()).filter(([file]) => file < `${monthOf(since)}.jsonl`),
  );
  const doubtful: DoubtfulApproval[] = [];
  const isWanted = (line: Buffer): boolean => line.includes('"kind":"note"');
  for (const { entry } of log.read(recent, isWanted)) {
    if (entry.kind !== 'event' || entry.event.seq / 1000 < since) continue;
    const { event } = entry;
    if (event.kind !== 'note' || event.origin !== 'user' || !approvals.includes(event.body.action)) continue;
    const at = Date.parse(event.at);
    if (!turns.some((turn) => isDuring(at, turn, turns))) continue;
    const { terminal } = event;
    const from =
      terminal === undefined ? 'viewer' : [terminal.tty, ...terminal.ancestors].filter(Boolean).join(' < ');
    doubtful.push({ note: event.body.note, action: event.body.action, at: event.at, from });
  }
  return doubtful;
}

export const approvalText = ({ note, action, at, from }: DoubtfulApproval): string =>
  `${action} ${note.slice(0, 8)} at ${at}, from ${from}`;
