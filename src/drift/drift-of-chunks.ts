import type { Drift } from '../domain/anchor.ts';
import type { Chunk } from '../domain/chunk.ts';
import { withEvidence } from '../recall/evidence.ts';
import type { RecallLimits, RecallParts } from '../recall/with-index.ts';
import { checkDrift } from './check-drift.ts';
import type { CheckedCode } from './current-code.ts';

/** Checks the code of chunks that the caller already has. */
export const driftOfChunks = (
  parts: RecallParts,
  chunks: Chunk[],
  limits: RecallLimits,
  code: CheckedCode,
): Promise<Map<Chunk, Drift>> =>
  chunks.length === 0
    ? Promise.resolve(new Map())
    : withEvidence(parts, limits, (evidence) => checkDrift(chunks, evidence, code));
