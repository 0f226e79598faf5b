import type { Memory, MemorySource } from './memory.ts';

/** A memory of a team as it is looked at: whose it is, when it changed here, and what it speaks of. */
export interface ShownMemory extends Memory {
  /** What its tags call it; else what it was drawn from. */
  kind: string;
  /** The person; of what a device saved, the one it belongs to. Null for what nobody in particular saved. */
  author: { id: string; name: string } | null;
  /** `private` is what the asker alone may read. */
  visibility: 'team' | 'private';
  /** Goes up with every change of it. */
  revision: number;
  created: string;
  updated: string;
  files: string[];
  issues: string[];
  concepts: string[];
}

export interface MemoryFilter {
  sources?: MemorySource[] | undefined;
  kinds?: string[] | undefined;
  /** A path, or the end of one. */
  file?: string | undefined;
  folder?: string | undefined;
  concept?: string | undefined;
  /** The name or the id of a person; `me` for the asker. */
  author?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
}
