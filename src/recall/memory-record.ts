import type { hitRecord } from './render.ts';

/** A hit as routes answer with it, or as much of it as a memory record holds. */
export type MemoryHit = Omit<ReturnType<typeof hitRecord>, 'preview' | 'ranks' | 'why'>;

/** A hit as a row of the team memory that is one of the source designs; MCP and HTTP answer with the same. */
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
  /** When it was embedded is kept nowhere: the index, vectors and all, may be made anew at any time. */
  embeddedAt: null,
  score: Number(score.toFixed(4)),
  ...(drift === undefined ? {} : { drift }),
});

/** What happened in agent sessions is the output of jobs there. */
const memorySourceOf = ({
  source,
  kind,
}: Pick<MemoryHit, 'source' | 'kind'>): 'job' | 'note' | 'knowledge' =>
  source === 'event' ? 'job' : kind === 'knowledge' ? 'knowledge' : 'note';
