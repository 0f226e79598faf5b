import type { Chunk, ChunkFilter } from './chunk.ts';

export interface RecallQuery extends ChunkFilter {
  text: string;
  limit?: number;
  offset?: number;
}

/** A ranked chunk that explains itself. */
export interface Hit {
  id: string;
  chunk: Chunk;
  preview: string;
  /** Place in each arm that found it, from 1. */
  ranks: { lexical?: number; tail?: number };
  score: number;
}

export type ArmState = 'answered' | 'empty' | 'failed' | 'unused';

export interface RecallAnswer {
  hits: Hit[];
  arms: { lexical: ArmState; tail: ArmState };
  /** True when a part of the newest events could not be searched. */
  incomplete: boolean;
  truncated: boolean;
}

export const previewLimit = 200;
export const defaultLimit = 20;
export const limitCap = 100;
