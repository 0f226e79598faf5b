import type { AgentSession, SessionEvidence } from '../domain/agent-session.ts';
import type { LogIndex } from '../store/store.ts';
import { harmless } from '../text/fence.ts';
import { describeSession } from '../text/session-title.ts';
import { summaryNoteId } from './extracted-note-id.ts';

/** Gives sessions of the index their title, end and summary. Every list and page of sessions shows these. */
export async function describeSessions(
  index: LogIndex | undefined,
  sessions: SessionEvidence[],
): Promise<AgentSession[]> {
  const described: AgentSession[] = [];
  for (const session of sessions) {
    const [note] = (await index?.get([summaryNoteId(session.id)])) ?? [];
    described.push(describeSession(session, harmless(note?.text ?? '')));
  }
  return described;
}
