import type { AgentTurn } from '../../store/store.ts';

/** When an agent was at work: from a prompt until it had answered. Milliseconds since 1970. */
export interface WorkSpan {
  from: number;
  until: number;
}

/** Git keeps whole seconds, so a commit may seem older than the prompt that led to it. */
const beforeMs = 2_000;
/** Background commands and commit hooks go on for a while after the answer. */
const afterMs = 2 * 60_000;
/** An agent that was interrupted or killed leaves a turn without an end; a long command leaves one in the middle. */
const silenceMs = 2 * 60 * 60_000;

export function workSpans(turns: AgentTurn[]): WorkSpan[] {
  const bySession = Map.groupBy(turns, ({ agentSession }) => agentSession);
  return [...bySession.values()].flatMap((own) => {
    const inOrder = own.sort((a, b) => a.first - b.first);
    return inOrder.map((turn, at) => ({
      from: turn.first - beforeMs,
      until: turn.isEnded ? turn.last + afterMs : openEnd(turn, inOrder[at + 1]),
    }));
  });
}

/** Until the next prompt or the end of the session, if they came soon; nobody saw when it really ended. */
const openEnd = ({ last, sessionBoundary }: AgentTurn, next: AgentTurn | undefined): number =>
  Math.max(
    last + afterMs,
    Math.min(
      last + silenceMs,
      next?.first ?? Number.POSITIVE_INFINITY,
      sessionBoundary > last ? sessionBoundary + afterMs : Number.POSITIVE_INFINITY,
    ),
  );

export const isDuring = (at: number, spans: WorkSpan[]): boolean =>
  spans.some(({ from, until }) => at >= from && at <= until);
