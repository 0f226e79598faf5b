import type { ChangingSource } from '../../domain/source-change.ts';

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

export const webhookKinds = ['github', 'gitlab', 'linear', 'jira', 'signed'] as const;
export type WebhookKind = (typeof webhookKinds)[number];
