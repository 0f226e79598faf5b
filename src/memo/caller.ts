import type { MemoStep } from '../domain/memo.ts';

/** Which agent session an MCP server is asked by. */
export type MemoCaller = { kind: 'known'; agentSession: string } | { kind: 'unknown'; why: string };

export interface CallerHints {
  /** What the call itself says; Codex names its thread in every one. */
  named?: string;
  /** What the environment said when the server was started; wrong after a clear. */
  started?: string;
}

/** One process, several conversations at a time: the process does not tell which of them asks. */
const manySessions: MemoStep['agent'][] = ['opencode'];
const recentMs = 24 * 60 * 60 * 1000;

/**
 * `steps` are those told by hooks of the process that started the server. Where several sessions may be meant, none
 * is: a wrong one would call files fresh that the asker never saw.
 */
export function callerOf(steps: MemoStep[], { named, started }: CallerHints, now: number): MemoCaller {
  if (named) return { kind: 'known', agentSession: named };
  const told = steps.filter(({ kind }) => kind !== 'served');
  const last = told.at(-1);
  if (last === undefined) {
    return started
      ? { kind: 'known', agentSession: started }
      : { kind: 'unknown', why: 'No hook has told which agent session this is.' };
  }
  const open = new Set<string>();
  for (const step of told.filter(({ at }) => now - at < recentMs)) {
    if (step.kind === 'session' && step.phase === 'end') open.delete(step.agentSession);
    else open.add(step.agentSession);
  }
  if (manySessions.includes(last.agent) && open.size > 1) {
    return {
      kind: 'unknown',
      why: 'Several sessions are open in this agent, and it does not say which one asks.',
    };
  }
  return { kind: 'known', agentSession: last.agentSession };
}

const subagentMs = 30 * 60 * 1000;

/**
 * Who of a session may be asking: the agent itself, always, and each subagent that was heard of lately and has not
 * given its answer. They share one server, and no call says whose it is.
 */
export function possibleCallers(steps: MemoStep[], now: number): string[] {
  const working = new Map<string, number>();
  for (const step of steps) {
    if (step.subagent === '') continue;
    if (step.kind === 'subagent' && step.phase === 'end') working.delete(step.subagent);
    else working.set(step.subagent, step.at);
  }
  return ['', ...[...working].filter(([, at]) => now - at < subagentMs).map(([subagent]) => subagent)];
}
