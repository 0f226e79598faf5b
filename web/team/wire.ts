import type { Hit } from '../wire.ts';

/** Responses of a team server, as far as the viewer reads them. All texts come from memory and are untrusted data. */
export type Role = 'owner' | 'member' | 'reader';

export interface TeamProject {
  id: string;
  name: string;
  role: Role;
}

/** Whether somebody is signed in, and the address for signing in with an account. */
export interface Session {
  signedIn: boolean;
  signInAt?: string;
}

/** The signed-in person. */
export interface Me {
  person: string;
  kind: 'user' | 'device';
  scopes: string[];
}

/** Fields of a memory that only a team server has. */
export interface MemoryDetails {
  documentId: string;
  project: string;
  source: string;
  /** Identifies the issue, comment, job or note it comes from. */
  sourceRef: string;
  metadata: Record<string, unknown>;
  /** Trust level; 0 if the memory is from outside the team. */
  trust: number;
  embeddedAt: string | null;
  kind: string;
  /** Null if the memory has no author. */
  author: { id: string; name: string } | null;
  visibility: 'team' | 'private';
  revision: number;
  created: string;
  updated: string;
  issues: string[];
}

export interface TeamMemory extends MemoryDetails {
  text: string;
  files: string[];
  concepts: string[];
}

export interface TeamHit extends Hit {
  memory: MemoryDetails;
}

/** Memories changed around a moment, oldest first. */
export interface TeamTimeline {
  chunks: { id: string; text: string; at: number; memory: MemoryDetails }[];
}

export interface OpenedMemory {
  memory: TeamMemory;
  history: { action: string; rev: number; at: number }[];
  related: {
    documentId: string;
    kind: string;
    source: string;
    trust: number;
    title: string;
    shared: number;
  }[];
}

export interface TeamStats {
  total: number;
  /** True if only the newest memories were counted. */
  truncated: boolean;
  private: number;
  /** Number of memories without vectors. */
  waiting: number;
  lastAt: string | null;
  bySource: { source: string; count: number }[];
  byKind: { kind: string; count: number }[];
  byAuthor: { id: string | null; name: string | null; count: number }[];
  byDay: { day: string; count: number }[];
  model: { name: string; dims: number } | null;
}
