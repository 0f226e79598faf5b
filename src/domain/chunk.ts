import type { AgentName, EventKind, Origin, Trust } from './event.ts';
import type { NoteKind } from './note.ts';

/**
 * `decision` chunks are sentences of a prompt or answer in which something was decided, `convention` chunks
 * those of a prompt that say how things are to be done from then on.
 */
export type ChunkKind = EventKind | NoteKind;

/** An indexed slice of an event or a note. */
export interface Chunk {
  /** Hash of what it is made of, so the same truth always gives the same ids. */
  id: string;
  project: string;
  source: 'event' | 'note';
  /** The event or note it is a slice of. */
  sourceId: string;
  kind: ChunkKind;
  origin: Origin;
  trust: Trust;
  agent: AgentName;
  agentSession: string;
  turn: string;
  branch: string;
  /** Milliseconds since 1970. */
  at: number;
  paths: string[];
  concepts: string[];
  pinned: boolean;
  /** Only of a command that failed. */
  isFailed?: true;
  text: string;
}

/** What a note became when it held no longer. */
export const asideStates = ['superseded', 'archived'] as const;

/** Its state is among the concepts of a note that is not active. */
export const isSetAside = ({ source, concepts }: Pick<Chunk, 'source' | 'concepts'>): boolean =>
  source === 'note' && asideStates.some((state) => concepts.includes(state));

export interface ChunkFilter {
  kinds?: ChunkKind[];
  /** A path, or the end of one: `worker.ts` matches `src/worker.ts`. */
  file?: string;
  /** Only chunks about this folder; for monorepos. */
  folder?: string;
  concept?: string;
  agent?: AgentName;
  agentSession?: string;
  turn?: string;
  branch?: string;
  since?: number;
  until?: number;
  minTrust?: Trust;
  source?: Chunk['source'];
  pinned?: boolean;
}

export interface ScoredChunk {
  chunk: Chunk;
  /** Higher is better; comparable only within one answer of one store. */
  score: number;
}
