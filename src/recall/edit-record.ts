import type { Edit } from '../domain/edit.ts';
import type { EventEnvelope } from '../domain/event.ts';
import { turnOf } from './chunks.ts';

/** The index record of an edit, for `why`. Undefined for other events and for edits without line hashes. */
export function editRecord(event: EventEnvelope): Edit | undefined {
  if (event.kind !== 'edit' || event.body.hunks.length === 0) return undefined;
  const { path, created, hunks } = event.body;
  return {
    id: event.id,
    at: Date.parse(event.at) || 0,
    agent: event.agent,
    agentSession: event.agentSession,
    turn: turnOf(event),
    branch: event.branch,
    head: event.head,
    path,
    isCreation: created === true,
    hunks,
  };
}
