import type { AgentTurn } from '../../store/store.ts';

/** A period in which an agent worked: from a prompt to its answer. Milliseconds since 1970. */
export interface WorkSpan {
  from: number;
  until: number;
}

/** How much earlier than its prompt a commit may appear to be: git stores times in whole seconds. */
const beforeMs = 2_000;
/**
 * How long after the agent's answer a commit may still be its work: background commands and commit hooks may run for a
 * while.
 */
const afterMs = 2 * 60_000;
/**
 * How long a turn without an answer counts as running. The agent may have been killed, or one of its commands may take
 * long.
 */
const maxOpenTurnMs = 2 * 60 * 60_000;

/** The periods in which a commit or another trace may be the agent's. `margin` 0 gives the turns themselves. */
export function workSpans(turns: AgentTurn[], margin = 1): WorkSpan[] {
  const [before, after] = [beforeMs * margin, afterMs * margin];
  const bySession = Map.groupBy(turns, ({ agentSession }) => agentSession);
  return [...bySession.values()].flatMap((own) => {
    const inOrder = own.sort((a, b) => a.first - b.first);
    return inOrder.map((turn, at) => ({
      from: turn.first - before,
      until: turn.isEnded ? turn.last + after : openEnd(turn, inOrder[at + 1], after),
    }));
  });
}

/**
 * Returns the assumed end of a turn without an answer: the next prompt or the end of the session, at most
 * `maxOpenTurnMs` after its last event.
 */
const openEnd = ({ last, sessionBoundary }: AgentTurn, next: AgentTurn | undefined, after: number): number =>
  Math.max(
    last + after,
    Math.min(
      last + maxOpenTurnMs,
      next?.first ?? Number.POSITIVE_INFINITY,
      sessionBoundary > last ? sessionBoundary + after : Number.POSITIVE_INFINITY,
    ),
  );

export const isDuring = (at: number, spans: WorkSpan[]): boolean =>
  spans.some(({ from, until }) => at >= from && at <= until);
