import type { ChangingSource } from '../../domain/source-change.ts';
import type { ProjectWork } from './team-store.ts';

/** What a team server remembers of where its memories come from. */
export interface SourceName {
  source: ChangingSource;
  sourceRef: string;
  parent?: string | undefined;
}

export interface SourceState {
  /** Undefined when nobody has told of it. */
  at: number | undefined;
  isRemoved: boolean;
  isParentRemoved: boolean;
  /** A memory stands for it. */
  isKept: boolean;
}

export interface SourceWork {
  /** Changes of one project are taken one after the other, from here until the work ends. */
  state(name: SourceName): Promise<SourceState>;
  keepState(name: SourceName, told: { at: number; isRemoved: boolean }): Promise<void>;
  /** The comments under an issue that were not deleted. */
  commentsUnder(issue: string): Promise<string[]>;
}

export const webhookKinds = ['github', 'gitlab', 'signed'] as const;
export type WebhookKind = (typeof webhookKinds)[number];

export interface Webhook {
  id: string;
  kind: WebhookKind;
  project: string;
  label: string;
  created: string;
  lastUsed: string | null;
}

/** For deliveries, which bring no token: a signature over what they say stands in its place. */
export interface Webhooks {
  /** What the signature is checked with; undefined for none that is there. */
  find(id: string): Promise<{ kind: WebhookKind; secret: string; project: string } | undefined>;
  /**
   * All of the work or none of it, and only if this delivery was not worked on before; undefined when it was. Only
   * after its signature was found to be good.
   */
  deliver<T>(
    id: string,
    delivery: string,
    work: (project: ProjectWork) => Promise<T>,
  ): Promise<T | undefined>;
}

/** What is told of the files of a project, by whichever laptop told it last. */
export interface KnowledgeWork {
  /** References under this name that are not among these. */
  othersUnder(prefix: string, sourceRefs: string[]): Promise<string[]>;
  want(): Promise<void>;
  isWanted(): Promise<boolean>;
  markBrought(): Promise<void>;
}

/** What an operator does with webhooks. */
export interface WebhookOperation {
  createWebhook(
    org: string,
    project: string,
    webhook: { kind: WebhookKind; secret: string; label: string },
  ): Promise<string>;
  webhooks(org: string): Promise<Webhook[]>;
  /** False when there was none. */
  removeWebhook(org: string, id: string): Promise<boolean>;
  /** How many deliveries were longer ago than that. */
  pruneDeliveries(keepDays: number): Promise<number>;
}
