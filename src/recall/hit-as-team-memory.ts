import type { MemorySource } from '../domain/memory.ts';
import type { hitRecord } from './render.ts';

export type MemoryHit = Omit<ReturnType<typeof hitRecord>, 'preview' | 'ranks' | 'why'>;

/** A hit in the shape of a team memory, for the compatible MCP tools and HTTP routes. */
export const memoryRecord = ({ id, score, drift, ...chunk }: MemoryHit) => ({
  documentId: id,
  project: chunk.project,
  source: memorySourceOf(chunk),
  sourceRef: chunk.sourceId,
  text: chunk.text,
  metadata: {
    kind: chunk.kind,
    trust: chunk.trust,
    agent: chunk.agent,
    agentSession: chunk.agentSession,
    branch: chunk.branch,
    at: chunk.at,
    files: chunk.paths,
    concepts: chunk.concepts,
    pinned: chunk.pinned,
  },
  /** The time of embedding is not recorded, because the local index and its vectors can be rebuilt at any time. */
  embeddedAt: null,
  score: Number(score.toFixed(4)),
  ...(drift === undefined ? {} : { drift }),
});

/** The kind of source that a team server reports, or would report, for a hit. Events of agent sessions count as `job`. */
const memorySourceOf = ({ source, kind, team }: Pick<MemoryHit, 'source' | 'kind' | 'team'>): MemorySource =>
  team?.source ?? (source === 'event' ? 'job' : kind === 'knowledge' ? 'knowledge' : 'note');
