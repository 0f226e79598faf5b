import type { Link, MemorySource, Role } from '../../domain/memory.ts';
import type { PreparedMemory, ProjectWork, TokenHash } from './team-store.ts';

/** What the store knows of people beyond their tokens: their accounts and browser sessions, what is theirs, what they did. */

/** An account that a sign-in provider has vouched for. */
export interface VerifiedAccount {
  issuer: string;
  subject: string;
  /** In small letters; undefined unless the provider has verified it. */
  email: string | undefined;
}

/** As `backstory.enter_account` tells them apart; the first three are in. */
export type SignInOutcome =
  | 'known'
  | 'first'
  | 'newcomer'
  | 'removed'
  | 'taken'
  | 'unverified'
  | 'several'
  | 'unknown';

/** Browsers that have signed in. A session is a token that a cookie carries, so every way in knows it. */
export interface BrowserSessions {
  /** Binds the account at its first coming. */
  open(
    account: VerifiedAccount,
    session: { hash: TokenHash; lastsMs: number; org?: string | undefined },
  ): Promise<{ outcome: SignInOutcome; isIn: boolean }>;
  /** For whoever has this token: no more than it may, and for no longer. */
  openFor(token: TokenHash, session: { hash: TokenHash; lastsMs: number }): Promise<void>;
  /** Whose it is. */
  nameOf(session: TokenHash): Promise<string>;
  /** False when it was none, but a token. */
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
  /** Undefined where an operator did it, or a policy. */
  who?: { id: string; name: string; kind: 'user' | 'device'; person: string } | undefined;
  project: string | null;
  subject: string;
  detail: Record<string, unknown>;
}

/** A memory of somebody else in which a person is named. */
export interface Mention extends Omit<PreparedMemory, 'slices' | 'reader'> {
  reader: string | null;
  author: string | null;
  links: Link[];
  /** Of what it said when it was read. */
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

/** What an operator does about people who come and go, with the owner's rights. */
export interface PeopleOperation {
  /** Forgets which account came before: the next that is vouched for by this name is theirs. */
  link(
    org: string,
    principal: string,
    account: { email: string } | Omit<VerifiedAccount, 'email'>,
  ): Promise<void>;
  domains(org: string): Promise<DomainRule[]>;
  allowDomain(org: string, rule: DomainRule): Promise<void>;
  refuseDomain(org: string, domain: string): Promise<number>;
  state(org: string, principal: string): Promise<PersonState>;
  /** Somebody who was removed may come in again, with new tokens. */
  restore(org: string, principal: string): Promise<void>;
  /** How many memories are theirs: what they or their devices wrote first or changed last, and what only they read. */
  belongings(org: string, person: string): Promise<{ team: number; private: number }>;
  /** Team memories get another keeper; their words stay. Returns how many. */
  reassign(org: string, person: string, to: string): Promise<number>;
  /** In batches; what is gone is gone for laptops too. Returns how many. */
  removeBelongings(org: string, person: string, which: 'private' | 'all'): Promise<number>;
  /** Memories that name somebody, of one project, after this id. */
  mentions(org: string, project: string, names: string[], after: string, limit: number): Promise<Mention[]>;
  /**
   * Puts new words in the place of old ones and leaves whose they are; the vectors follow by a job. What says something
   * else by now, or is gone, is left as it is. Returns how many were written.
   */
  rewrite(
    org: string,
    project: string,
    memories: { memory: PreparedMemory; author: string | null; hash: string }[],
    job: Parameters<ProjectWork['askFor']>[0],
  ): Promise<number>;
  /** Name, accounts, tokens, what was told and what waits: an id that says nothing is left. */
  anonymise(org: string, person: string, names: string[]): Promise<void>;
  /** Where a name still stands, in whatever column. */
  placesOf(org: string, names: string[]): Promise<{ place: string; rows: number }[]>;
  policies(org: string): Promise<RetentionPolicy[]>;
  keepFor(org: string, policy: RetentionPolicy): Promise<void>;
  /** How many policies went. */
  keepForever(org: string, project: string, source: MemorySource | undefined): Promise<number>;
  audit(org: string, since: string, after: string, limit: number): Promise<AuditEntry[]>;
}
