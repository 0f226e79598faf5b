import type { Drift } from './anchor.ts';
import type { Chunk, ChunkFilter } from './chunk.ts';
import type { FailedPath } from './failed-path.ts';

export interface RecallQuery extends ChunkFilter {
  /** Empty to list what the filter allows, newest first. */
  text: string;
  limit?: number;
  offset?: number;
  /** When it is asked, for "yesterday"; without it only dates that are written out count. */
  now?: number;
}

/** A ranked chunk that explains itself. */
export interface Hit {
  id: string;
  chunk: Chunk;
  preview: string;
  /** Place in each arm that found it, from 1. */
  ranks: { lexical?: number; tail?: number; dense?: number };
  score: number;
  /** What each signal added to the score, before it was weighed by who said it. */
  why: Record<string, number>;
  /** What has become of the code it concerns; absent where nobody looked. */
  drift?: Drift;
}

export type ArmState = 'answered' | 'empty' | 'failed' | 'unused';

/** Whether the best hit says enough of what was asked, or is merely the nearest there is. */
export type MatchQuality = 'good' | 'weak' | 'none';

export interface RecallAnswer {
  hits: Hit[];
  match: MatchQuality;
  arms: { lexical: ArmState; tail: ArmState; dense: ArmState };
  /** True when a part of the newest events could not be searched. */
  incomplete: boolean;
  truncated: boolean;
  /** What was tried in the files that are asked about, and taken back; absent where nobody looked. */
  failedPaths?: FailedPath[];
}

export const previewLimit = 200;
export const defaultLimit = 20;
export const limitCap = 100;
