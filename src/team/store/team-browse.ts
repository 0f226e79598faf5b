import type { MemorySource } from '../../domain/memory.ts';
import type { MemoryFilter, ShownMemory } from '../../domain/team-memory-view.ts';

/** Lists and counts a project's memories. Private memories of other people are never included, not even in counts. */
export interface TeamBrowse {
  /** Last changed first. `maxTextLength` truncates each text. */
  list(
    filter: MemoryFilter,
    page: { limit: number; offset: number; maxTextLength?: number | undefined },
  ): Promise<{ memories: ShownMemory[]; hasMore: boolean }>;
  /** Ids and revisions of the memories of these sources, last changed first. */
  newestRevisions(sources: MemorySource[], limit: number): Promise<{ id: string; revision: number }[]>;
  /** Returns the memories with these ids that pass the filter, in no particular order. */
  filterIds(ids: string[], filter: MemoryFilter): Promise<ShownMemory[]>;
  /** Returns at most two memories whose id has this prefix, so that the caller can see whether it is unique. */
  findByIdPrefix(id: string): Promise<ShownMemory[]>;
  /** Memories changed before and after a memory or a time, oldest first, including the memory itself. */
  around(
    middle: ShownMemory | number,
    filter: MemoryFilter,
    depth: { before: number; after: number },
  ): Promise<ShownMemory[]>;
  /** Memories that mention the same files, issues and concepts; those with most in common first. */
  related(documentId: string, limit: number): Promise<RelatedMemory[]>;
  /** The files, issues and concepts that these memories mention. */
  links(ids: string[], limit: number): Promise<MemoryLink[]>;
  counts(sinceDays: number): Promise<MemoryCounts>;
  project(): Promise<{ id: string; name: string }>;
}

export interface RelatedMemory {
  memory: ShownMemory;
  /** Number of links that both memories have. */
  shared: number;
}

export interface MemoryLink {
  memory: string;
  relation: string;
  target: string;
}

export interface MemoryCounts {
  total: number;
  /** True if there are too many memories to count them all. All numbers then cover only the newest. */
  truncated: boolean;
  /** Private memories of the caller. */
  private: number;
  /** Memories that have no vectors yet and are found only by full-text search. */
  waiting: number;
  lastAt: string | null;
  bySource: { source: MemorySource; count: number }[];
  byKind: { kind: string; count: number }[];
  byAuthor: { id: string | null; name: string | null; count: number }[];
  /** By the UTC day of the last change. Days without changes are omitted. */
  byDay: { day: string; count: number }[];
  model: { name: string; dims: number } | null;
}
