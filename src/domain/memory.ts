/** Kinds of sources of the memories on a team server. Each source object, such as an issue, has one memory. */
export const memorySources = ['issue', 'comment', 'job', 'note', 'knowledge'] as const;
export type MemorySource = (typeof memorySources)[number];

/** Longer texts are truncated: a build log is not a memory. */
export const maxMemoryTextLength = 200_000;

/**
 * The only place that derives trust from tags. Code that imports text from outside the team tags it with trust 0. No
 * tag raises trust, because everybody who may save a memory may also tag it.
 */
export const trustOfTags = (metadata: Record<string, unknown>): 0 | 1 => (metadata.trust === 0 ? 0 : 1);

/** A reference from a memory to a file, an issue or a concept. */
export interface Link {
  relation: 'file' | 'issue' | 'concept';
  target: string;
}

export const roles = ['owner', 'member', 'reader'] as const;
export type Role = (typeof roles)[number];

export const scopes = ['read', 'write'] as const;
export type Scope = (typeof scopes)[number];

/** An authenticated caller and their role in the project of the request. */
export interface Member {
  org: string;
  /** A person, or a device that acts for one. */
  principal: string;
  person: string;
  /** A delivery of a webhook acts for no person. */
  kind: 'user' | 'device' | 'webhook';
  scopes: Scope[];
  role: Role;
}

/** An authenticated caller, before it is known which project the request is about. */
export interface Requester extends Omit<Member, 'role' | 'kind'> {
  kind: 'user' | 'device';
  orgRole: 'owner' | 'member';
}
