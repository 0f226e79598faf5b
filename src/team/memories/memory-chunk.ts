import type { Chunk } from '../../domain/chunk.ts';
import type { ShownMemory } from '../../domain/shown-memory.ts';
import { harmlessLine } from '../../text/fence.ts';

const maxKindLength = 40;

/**
 * A memory as everything that shows one's own memory knows it, so that a team's is shown the same way, with the trust it
 * has. Nothing of a team is more than what a teammate put down: whoever reads it decides whether to believe it.
 */
export const memoryChunk = (memory: ShownMemory): Chunk => ({
  id: memory.documentId,
  project: memory.project,
  source: memory.source === 'note' || memory.source === 'knowledge' ? 'note' : 'event',
  sourceId: memory.documentId,
  // Tags are text of whoever saved it.
  kind: harmlessLine(memory.kind, maxKindLength) as Chunk['kind'],
  origin: originOf(memory),
  trust: memory.trust,
  agent: 'backstory',
  agentSession: '',
  turn: '',
  branch: '',
  at: Date.parse(memory.updated),
  paths: memory.files,
  concepts: memory.concepts,
  pinned: false,
  text: memory.text,
});

function originOf({ trust, metadata }: ShownMemory): Chunk['origin'] {
  if (trust === 1) return 'teammate';
  return metadata.origin === 'repository' ? 'file' : 'import';
}
