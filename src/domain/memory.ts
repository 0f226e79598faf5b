/** What a team knows, as the team server keeps it: one memory for each thing it was drawn from. */
export const memorySources = ['issue', 'comment', 'job', 'note', 'knowledge'] as const;
export type MemorySource = (typeof memorySources)[number];

/** As it goes over the wire. */
export interface Memory {
  documentId: string;
  project: string;
  source: MemorySource;
  /** Names what it was drawn from; saving that again replaces this memory, and deleting it removes it. */
  sourceRef: string;
  text: string;
  /** Tags: priority, status, tools used and whatever else its source says. */
  metadata: Record<string, unknown>;
  /** 1: a teammate or their agent put it down. 0: it came from outside the team, and anybody may have written it. */
  trust: MemoryTrust;
  /** When its vectors were made; null while none stands for its present text, and words alone find it. */
  embeddedAt: string | null;
}

export type MemoryTrust = 0 | 1;

/**
 * How far a memory is trusted, by its tags: the one place that decides. Whoever takes over text from outside tags it
 * with 0. No tag raises it, because anybody who may save a memory may tag it.
 */
export const trustOfTags = (metadata: Record<string, unknown>): MemoryTrust => (metadata.trust === 0 ? 0 : 1);

/** What a memory speaks of: a file, an issue, another memory. */
export interface Link {
  relation: 'file' | 'issue' | 'concept' | 'part-of';
  target: string;
}

export const roles = ['owner', 'member', 'reader'] as const;
export type Role = (typeof roles)[number];

export const scopes = ['read', 'write', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** Who asks, and what they are in the project they ask about. */
export interface Member {
  org: string;
  /** A person, or a device that acts for one. */
  principal: string;
  person: string;
  kind: 'user' | 'device';
  scopes: Scope[];
  role: Role;
}

/** Who asks, before any project is named. */
export interface Requester extends Omit<Member, 'role'> {
  orgRole: 'owner' | 'member';
}
