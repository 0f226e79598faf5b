import type { MemorySource } from './memory.ts';

export interface MemoryFilter {
  sources?: MemorySource[] | undefined;
  kinds?: string[] | undefined;
  /** A path, or the end of one. */
  file?: string | undefined;
  folder?: string | undefined;
  concept?: string | undefined;
  /** The name or id of a person; `me` for the caller. */
  author?: string | undefined;
  /** Only memories that a member calls wrong, and whose author has not answered. */
  disputed?: true | undefined;
  since?: number | undefined;
  until?: number | undefined;
}
