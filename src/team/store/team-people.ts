import type { Link, MemorySource, Role } from '../../domain/memory.ts';
import type { PreparedMemory, ProjectWork, TokenHash } from './team-store.ts';

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

/** Sessions of signed-in browsers. A session is a token in a cookie, so every route accepts it. */
export interface BrowserSessions {
  /** Binds the account to a person at its first sign-in. */
  open(
    account: VerifiedAccount,
    session: { hash: TokenHash; lifetimeMs: number; org?: string | undefined },
  ): Promise<{ outcome: SignInOutcome; isIn: boolean }>;
  /** Opens a session for a token, with at most its scopes and lifetime. */
  openFor(token: TokenHash, session: { hash: TokenHash; lifetimeMs: number }): Promise<void>;
  /** Returns the name of the session's user. */
  nameOf(session: TokenHash): Promise<string>;
  /** Ends a browser session. Returns false if the hash belongs to an API token instead. */
  close(session: TokenHash): Promise<boolean>;
}

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
  /** The person or device that acted; undefined for actions of an operator or a retention policy. */
  who?: { id: string; name: string; kind: 'user' | 'device'; person: string } | undefined;
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

export interface PersonState {
  name: string;
  email: string | null;
  isRemoved: boolean;
}

/** Operator actions on accounts, leaving members, retention and the audit log. Needs the database owner. */
export interface PeopleOperation {
  /** Sets the account that a person signs in with, and removes the previous one. */
  link(
    org: string,
    principal: string,
    account: { email: string } | Omit<VerifiedAccount, 'email'>,
  ): Promise<void>;
  domains(org: string): Promise<DomainRule[]>;
  allowDomain(org: string, rule: DomainRule): Promise<void>;
  removeDomain(org: string, domain: string): Promise<number>;
  state(org: string, principal: string): Promise<PersonState>;
  /** Lets a removed person sign in again. They need new tokens. */
  restore(org: string, principal: string): Promise<void>;
  /** Counts a person's memories: team memories that they or their devices first wrote or last changed, and private ones. */
  belongings(org: string, person: string): Promise<{ team: number; private: number }>;
  /** Makes another person the author of their team memories. Returns how many. */
  reassign(org: string, person: string, to: string): Promise<number>;
  /** Deletes in batches; laptops delete their copies at the next sync. Returns how many. */
  removeBelongings(org: string, person: string, which: 'private' | 'all'): Promise<number>;
  /** Returns memories of a project that contain one of the names, ordered by id, starting after the id `after`. */
  mentions(org: string, project: string, names: string[], after: string, limit: number): Promise<Mention[]>;
  /**
   * Replaces the texts of memories and keeps their authors; a job makes the new vectors. Skips memories that were
   * changed or removed since they were read. Returns how many were written.
   */
  rewrite(
    org: string,
    project: string,
    memories: { memory: PreparedMemory; author: string | null; hash: string }[],
    job: Parameters<ProjectWork['enqueue']>[0],
  ): Promise<number>;
  /** Removes the person's name, accounts and tokens, and the events and jobs that contain a name. Only an id is left. */
  anonymise(org: string, person: string, names: string[]): Promise<void>;
  /** Searches all columns for the names. */
  findNames(org: string, names: string[]): Promise<{ place: string; rows: number }[]>;
  policies(org: string): Promise<RetentionPolicy[]>;
  setRetention(org: string, policy: RetentionPolicy): Promise<void>;
  /** Returns the number of policies removed. */
  removeRetention(org: string, project: string, source: MemorySource | undefined): Promise<number>;
  audit(org: string, since: string, after: string, limit: number): Promise<AuditEntry[]>;
}
