import type { MemorySource } from '../../domain/memory.ts';
import type { MemoryFilter, ShownMemory } from '../../domain/shown-memory.ts';

/** Looking around in a project's memories without asking a question. What is kept to somebody else is in no list and
 * no number. */
export interface TeamBrowse {
  /** The one changed last first; with `longestText` no more of each than its beginning. */
  list(
    filter: MemoryFilter,
    page: { limit: number; offset: number; longestText?: number | undefined },
  ): Promise<{ memories: ShownMemory[]; hasMore: boolean }>;
  /** Those of these ids that pass the filter, in no order. */
  among(ids: string[], filter: MemoryFilter): Promise<ShownMemory[]>;
  /** Whose ids begin so; at most two, to tell whether it is only one. */
  beginningWith(id: string): Promise<ShownMemory[]>;
  /** What was changed before and after a memory or a moment, oldest first, the memory itself included. */
  around(
    middle: ShownMemory | number,
    filter: MemoryFilter,
    depth: { before: number; after: number },
  ): Promise<ShownMemory[]>;
  /** Those that speak of the same files, issues and concepts, most of them first. */
  related(documentId: string, limit: number): Promise<RelatedMemory[]>;
  /** What these memories speak of. */
  links(ids: string[], limit: number): Promise<MemoryLink[]>;
  counts(sinceDays: number): Promise<MemoryCounts>;
  project(): Promise<{ id: string; name: string }>;
}

export interface RelatedMemory {
  memory: ShownMemory;
  /** How many things both speak of. */
  shared: number;
}

export interface MemoryLink {
  memory: string;
  relation: string;
  target: string;
}

export interface MemoryCounts {
  total: number;
  /** True where there are more than can be counted while somebody waits: then all numbers are of the newest. */
  truncated: boolean;
  /** Kept to the asker. */
  private: number;
  /** Without vectors yet: found by their words alone. */
  waiting: number;
  lastAt: string | null;
  bySource: { source: MemorySource; count: number }[];
  byKind: { kind: string; count: number }[];
  byAuthor: { id: string | null; name: string | null; count: number }[];
  /** By the day of the last change, in UTC; days without one are left out. */
  byDay: { day: string; count: number }[];
  model: { name: string; dims: number } | null;
}
