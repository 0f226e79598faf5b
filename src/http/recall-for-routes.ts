import { existsSync } from 'node:fs';
import type { Drift } from '../domain/anchor.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { RecallAnswer, RecallQuery } from '../domain/hit.ts';
import { driftOfChunks } from '../drift/check-drift.ts';
import { quickLimits } from '../recall/with-index.ts';
import { recallWithTeam } from '../remote/recall-with-team.ts';
import { placeOf, type RequestedProject } from './parts.ts';

/** Runs recall (memory search) for every HTTP route, with the same results as the command line and MCP. */
export function recallForRoute(
  named: RequestedProject,
  input: Omit<RecallQuery, 'now'>,
  isCodeChecked = true,
): Promise<RecallAnswer> {
  const { http, parts } = named;
  const query = { ...input, now: http.clock.now() };
  const { root } = placeOf(named);
  // Without a checkout there is no code to compare memories with, so their drift is unknown.
  const code = isCodeChecked && existsSync(root) ? http.checkedCode(root) : undefined;
  return recallWithTeam(parts, query, quickLimits, code);
}

/** Returns the drift (whether the code has changed since) of memories that were listed and not found by recall. */
export function driftsOf(named: RequestedProject, chunks: Chunk[]): Promise<Map<Chunk, Drift>> {
  const { http, parts } = named;
  const { root } = placeOf(named);
  return existsSync(root)
    ? driftOfChunks(parts, chunks, quickLimits, http.checkedCode(root))
    : Promise.resolve(new Map());
}
