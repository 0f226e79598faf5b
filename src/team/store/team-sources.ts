import type { ChangingSource } from '../../domain/source-change.ts';
import type { ProjectWork } from './team-store.ts';

/** Identifies an issue, comment or job. */
export interface SourceName {
  source: ChangingSource;
  sourceRef: string;
  parent?: string | undefined;
}

export interface SourceState {
  /** Time of the last known change, in milliseconds; undefined for an unknown source. */
  at: number | undefined;
  isRemoved: boolean;
  isParentRemoved: boolean;
  /** Whether a memory of this source is stored. */
  isKept: boolean;
}

export interface SourceWork {
  /** Takes a lock until the transaction ends, so that changes of one project are applied one at a time. */
  state(name: SourceName): Promise<SourceState>;
  /** The metadata of the stored memory of this source; empty if there is none. */
  metadata(name: SourceName): Promise<Record<string, unknown>>;
  saveState(name: SourceName, state: { at: number; isRemoved: boolean }): Promise<void>;
  /** The references of an issue's comments that were not deleted. */
  commentsUnder(issue: string): Promise<string[]>;
}

export const webhookKinds = ['github', 'gitlab', 'linear', 'jira', 'signed'] as const;
export type WebhookKind = (typeof webhookKinds)[number];

export interface Webhook {
  id: string;
  kind: WebhookKind;
  project: string;
  label: string;
  created: string;
  lastUsed: string | null;
}

/** Webhook deliveries, which are authenticated by a signature instead of a token. */
export interface Webhooks {
  /** Returns the webhook with this id, or undefined if there is none. */
  find(id: string): Promise<{ kind: WebhookKind; secret: string; project: string } | undefined>;
  /**
   * Runs the work in a transaction, unless this delivery was processed before; then returns undefined. The caller must
   * have verified the signature.
   */
  deliver<T>(
    id: string,
    delivery: string,
    work: (project: ProjectWork) => Promise<T>,
  ): Promise<T | undefined>;
}

/**
 * Facts about the project, extracted from its files and uploaded by a laptop. Each upload replaces the one before.
 */
export interface KnowledgeWork {
  /** Returns the references of stored facts that start with this prefix and are not in the list. */
  refsExcept(prefix: string, sourceRefs: string[]): Promise<string[]>;
  request(): Promise<void>;
  isRequested(): Promise<boolean>;
  markUploaded(): Promise<void>;
}

/** Operator actions on webhooks. */
export interface WebhookOperation {
  createWebhook(
    org: string,
    project: string,
    webhook: { kind: WebhookKind; secret: string; label: string },
  ): Promise<string>;
  webhooks(org: string): Promise<Webhook[]>;
  /** Removes a webhook; returns false if there is none with this id. */
  removeWebhook(org: string, id: string): Promise<boolean>;
  /** Deletes records of webhook deliveries older than this many days. Returns how many. */
  pruneDeliveries(keepDays: number): Promise<number>;
}
