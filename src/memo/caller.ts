import type { MemoStep } from '../domain/memo.ts';
import type { RecallParts } from '../recall/with-index.ts';
import { stepsOf } from './steps.ts';

interface MemoCaller {
  /** Empty if it is not known, with the reason. */
  agentSession: string;
  why?: string;
  /** No hook reports the session: it consists of the calls that the client makes. */
  isByCalls?: true;
  /** The sessions of which it is one. */
  open: string[];
}

export interface CallerHints {
  /** The session that the call names. Codex sends its thread id with every call. */
  named?: string;
  /** The session id in the environment of the server. It is outdated once the user clears the context. */
  started?: string;
  /** Returns the session of a client for which no hook reports one. */
  byCalls?(now: number): string;
}

/** Agents that run several sessions in one process, so the process does not identify the session. */
const multiSessionAgents: MemoStep['agent'][] = ['opencode', 'kilo'];
const maxSessionAgeMs = 24 * 60 * 60 * 1000;

/**
 * Finds the calling session. `steps` come from hooks of the process that started the server. If several sessions are
 * possible, the caller is unknown: with the wrong session, Memo would call files fresh that the caller never saw.
 */
export function callerOf(
  steps: MemoStep[],
  { named, started, byCalls }: CallerHints,
  now: number,
): MemoCaller {
  const known = (agentSession: string) => ({ agentSession, open: [agentSession] });
  if (named) return known(named);
  const reported = steps.filter(({ kind }) => kind !== 'served');
  const last = reported.at(-1);
  if (last === undefined) {
    if (started) return known(started);
    if (byCalls) return { ...known(byCalls(now)), isByCalls: true };
    return { agentSession: '', why: 'No hook has reported which agent session this is.', open: [] };
  }
  const open = new Set<string>();
  for (const step of reported.filter(({ at }) => now - at < maxSessionAgeMs)) {
    if (step.kind === 'session' && step.phase === 'end') open.delete(step.agentSession);
    else open.add(step.agentSession);
  }
  if (multiSessionAgents.includes(last.agent) && open.size > 1) {
    return {
      agentSession: '',
      why: 'Several sessions are open in this agent, and it does not say which one is calling.',
      open: [...open],
    };
  }
  return known(last.agentSession);
}

/** What a command knows about the agent in whose shell it runs. */
export interface AgentAround {
  /** The parent processes of the command, nearest first; empty if no agent runs it, or if they are unknown. */
  pids: number[];
  /** Session ids in the environment. After a cleared context they may be outdated. */
  sessions: string[];
}

/** The sessions of which one runs this command: those that hooks of a parent process report, or else as named. */
export async function sessionsAround(
  parts: RecallParts,
  { pids, sessions }: AgentAround,
  now: number,
): Promise<string[]> {
  for (const clientPid of pids) {
    const { steps } = await stepsOf(parts, { clientPid });
    if (steps.length > 0) return callerOf(steps, {}, now).open;
  }
  return sessions;
}

const maxSubagentIdleMs = 30 * 60 * 1000;

/** The agent itself ('') and subagents that have not finished. Calls do not say which of them made them. */
export function possibleCallers(steps: MemoStep[], now: number): string[] {
  const working = new Map<string, number>();
  for (const step of steps) {
    if (step.subagent === '') continue;
    if (step.kind === 'subagent' && step.phase === 'end') working.delete(step.subagent);
    else working.set(step.subagent, step.at);
  }
  return ['', ...[...working].filter(([, at]) => now - at < maxSubagentIdleMs).map(([subagent]) => subagent)];
}
