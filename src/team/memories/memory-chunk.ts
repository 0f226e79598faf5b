import { type Chunk, isDisputeConcept } from '../../domain/chunk.ts';
import { disputeText } from '../../recall/dispute-text.ts';
import { harmlessLine } from '../../text/fence.ts';
import type { StoredMemory, TeamMemory } from '../../wire/answers/team.ts';

const maxKindLength = 40;

/**
 * Converts a team memory to a chunk, so that the code that renders local memory also renders a team's. The trust is at
 * most that of a teammate's statement, which the reader may or may not believe.
 */
export const memoryChunk = (memory: TeamMemory): Chunk => ({
  ...rankedChunk(memory, memory.text, Date.parse(memory.updated)),
  source: memory.source === 'note' || memory.source === 'knowledge' ? 'note' : 'event',
  // The kind may come from a tag, which is untrusted text.
  kind: harmlessLine(memory.kind, maxKindLength) as Chunk['kind'],
  origin: originOf(memory),
  paths: memory.files,
  // A concept is chosen by whoever saved the memory, and must not be mistaken for a dispute.
  concepts: [
    ...memory.concepts.filter((concept) => !isDisputeConcept(concept)),
    ...(memory.disputes ?? []).map(disputeText),
  ],
});

/** A chunk with what the ranking reads of a memory. */
export const rankedChunk = (
  { documentId, project, trust }: StoredMemory,
  text: string,
  at: number,
): Chunk => ({
  id: documentId,
  project,
  source: 'note',
  sourceId: documentId,
  kind: 'knowledge',
  origin: 'teammate',
  trust,
  agent: 'backstory',
  agentSession: '',
  turn: '',
  branch: '',
  at,
  paths: [],
  concepts: [],
  pinned: false,
  text,
});

function originOf({ trust, metadata }: TeamMemory): Chunk['origin'] {
  if (trust === 1) return 'teammate';
  return metadata.origin === 'repository' ? 'file' : 'import';
}
