import type { Link, MemorySource, Role } from '../../domain/memory.ts';
import type { PreparedMemory } from './team-store.ts';

/** An account that a sign-in provider has authenticated. */
export interface VerifiedAccount {
  issuer: string;
  subject: string;
  /** The address in lower case; undefined unless the identity provider has verified it. */
  email: string | undefined;
}

/** The results of the SQL function `backstory.enter_account`. The first three grant access. */
export type SignInOutcome =
  | 'known'
  | 'first'
  | 'newcomer'
  | 'removed'
  | 'taken'
  | 'unverified'
  | 'several'
  | 'unknown';

export interface RetentionPolicy {
  project: string;
  source: MemorySource;
  keepDays: number;
  withPinned: boolean;
}

export interface AuditEntry {
  seq: string;
  at: string;
  action: string;
  /** The person or device that acted; null for actions of an operator or a retention policy. */
  who: { id: string; name: string; kind: 'user' | 'device'; person: string } | null;
  project: string | null;
  subject: string;
  detail: Record<string, unknown>;
}

/** A memory that contains a person's name. */
export interface Mention extends Omit<PreparedMemory, 'slices' | 'reader'> {
  reader: string | null;
  author: string | null;
  links: Link[];
  /** Hash of the text when it was read, to detect later changes. */
  hash: string;
}

export interface DomainRule {
  domain: string;
  project: string | null;
  role: Role;
}
