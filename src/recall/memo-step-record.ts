import { type EventEnvelope, subagentStart } from '../domain/event.ts';
import type { MemoStep } from '../domain/memo.ts';
import { commandRuns } from '../text/command-runs.ts';
import { turnOf } from './chunks.ts';

export function memoStepOf(event: EventEnvelope): MemoStep | undefined {
  const subagent = 'subagent' in event.body ? (event.body.subagent?.id ?? '') : '';
  const common = {
    id: event.id,
    at: Date.parse(event.at) || 0,
    seq: event.seq,
    agent: event.agent,
    agentSession: event.agentSession,
    subagent,
    clientPid: event.clientPid,
    checkout: event.checkout,
    head: event.head,
  };
  switch (event.kind) {
    case 'read': {
      const { path, startLine, lines, total, hash, tokens } = event.body;
      const size = total === undefined ? {} : { total };
      return { ...common, kind: 'read', path, startLine, lines, hash, tokens, ...size };
    }
    case 'edit':
      return {
        ...common,
        kind: 'edit',
        path: event.body.path,
        holds: event.body.holds ?? [],
        turn: turnOf(event),
        ...(event.body.command === undefined ? {} : { isByCommand: true }),
      };
    case 'command': {
      const { command, ok, exit, output } = event.body;
      // Without an exit code a command was denied or interrupted, or goes on in the background.
      const runs = ok || exit !== undefined ? commandRuns(command, exit, output) : [];
      return runs.length === 0 ? undefined : { ...common, kind: 'run', runs, turn: turnOf(event) };
    }
    case 'usage': {
      const { model, used } = event.body;
      return { ...common, kind: 'usage', turn: turnOf(event), model, ...used };
    }
    case 'title': {
      const { title, by, url } = event.body;
      return { ...common, kind: 'title', title, by, ...(url === undefined ? {} : { url }) };
    }
    case 'compaction':
      return { ...common, kind: 'compaction' };
    case 'session': {
      const { phase, cause, preludeTokens = 0 } = event.body;
      const transcript = event.source?.file ?? '';
      return { ...common, kind: 'session', phase, cause, preludeTokens, transcript };
    }
    case 'answer':
      return subagent === '' ? undefined : { ...common, kind: 'subagent', phase: 'end' };
    case 'tool':
      return event.body.tool === subagentStart ? { ...common, kind: 'subagent', phase: 'start' } : undefined;
    case 'served':
      return { ...common, kind: 'served', body: event.body };
    default:
      return undefined;
  }
}
