import type { LogIndex } from '../store/store.ts';
import { harmless } from '../text/fence.ts';
import { describeSession, type SessionEvidence } from '../text/session-title.ts';
import type { AgentSession } from '../wire/answers/memory.ts';
import { summaryNoteId } from './extracted-note-id.ts';
import type { Hit } from './hit.ts';

/** Gives sessions of the index their title, end and summary. Every list and page of sessions shows these. */
export async function describeSessions(
  index: LogIndex | undefined,
  sessions: SessionEvidence[],
): Promise<AgentSession[]> {
  const chunks = (await index?.get(sessions.map(({ id }) => summaryNoteId(id)))) ?? [];
  const notes = Map.groupBy(chunks, ({ sourceId }) => sourceId);
  return sessions.map((session) =>
    describeSession(session, harmless(notes.get(summaryNoteId(session.id))?.[0]?.text ?? '')),
  );
}

export async function withSessions(index: LogIndex | undefined, hits: Hit[]): Promise<Hit[]> {
  const notes = hits.flatMap(({ chunk }) => (chunk.kind === 'summary' ? [chunk.sourceId] : []));
  if (index === undefined || notes.length === 0) return hits;
  const sources = [...(await index.noteTies(notes)).values()].flatMap(({ derivedFrom }) => derivedFrom);
  const ids = [...new Set([...(await index.events(sources)).values()].map((row) => row.agentSession))];
  const sessions = await describeSessions(index, index.sessions.list({ ids }, ids.length));
  const byNote = new Map(sessions.map((session) => [summaryNoteId(session.id), session]));
  return hits.map((hit) => {
    const { id, title, end } = byNote.get(hit.chunk.sourceId) ?? {};
    if (id === undefined || title === undefined) return hit;
    return { ...hit, session: { id, title, ...(end === undefined ? {} : { end }) } };
  });
}
