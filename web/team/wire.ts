import type { Hit } from '../wire.ts';

/** What a team server answers, as far as the viewer reads it. All texts come from memory and are data. */
export type Role = 'owner' | 'member' | 'reader';

export interface TeamProject {
  id: string;
  name: string;
  role: Role;
}

/** Whether somebody is signed in, and where they can be with an account. */
export interface Session {
  signedIn: boolean;
  signInAt?: string;
}

/** Who is signed in. */
export interface Me {
  person: string;
  kind: 'user' | 'device';
  scopes: string[];
}

/** What only a team knows of a memory. */
export interface MemoryDetails {
  documentId: string;
  project: string;
  source: string;
  /** Names what it was drawn from. */
  sourceRef: string;
  metadata: Record<string, unknown>;
  /** 0: from outside the team. */
  trust: number;
  embeddedAt: string | null;
  kind: string;
  /** Null for what nobody in particular saved. */
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

/** What was changed around a moment, oldest first. */
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
  /** There are more than were counted: all numbers are of the newest. */
  truncated: boolean;
  private: number;
  /** Without vectors yet. */
  waiting: number;
  lastAt: string | null;
  bySource: { source: string; count: number }[];
  byKind: { kind: string; count: number }[];
  byAuthor: { id: string | null; name: string | null; count: number }[];
  byDay: { day: string; count: number }[];
  model: { name: string; dims: number } | null;
}
