import type { Memory, MemorySource } from './memory.ts';

/** What the viewer shows of a memory. */
export interface ShownMemory extends Memory {
  /** Kind of the memory, from its tags; without one, the source of the memory. */
  kind: string;
  /** The person, or the owner of the device that saved it. Null if no person saved it. */
  author: { id: string; name: string } | null;
  /** Only its author can read a `private` memory. */
  visibility: 'team' | 'private';
  revision: number;
  created: string;
  updated: string;
  files: string[];
  issues: string[];
  concepts: string[];
  /** Members who say that the note is wrong, unless its author has answered. Absent if there are none. */
  disputes?: { by: string; at: string }[];
}

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
