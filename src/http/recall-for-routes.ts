import { existsSync } from 'node:fs';
import type { Drift } from '../domain/anchor.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { RecallAnswer, RecallQuery } from '../domain/hit.ts';
import { driftOfChunks } from '../drift/check-drift.ts';
import { quickLimits } from '../recall/with-index.ts';
import { recallWithTeam } from '../remote/recall-with-team.ts';
import { type HttpParts, placeOf, type RequestedProject } from './parts.ts';

/** Runs recall (memory search) for every HTTP route, with the same results as the command line and MCP. */
export function recallForRoute(
  http: HttpParts,
  { project, parts }: RequestedProject,
  input: Omit<RecallQuery, 'now'>,
  isCodeChecked = true,
): Promise<RecallAnswer> {
  const query = { ...input, now: http.clock.now() };
  const { root } = placeOf(http, project);
  // Without a checkout there is no code to compare memories with, so their drift is unknown.
  const code = isCodeChecked && existsSync(root) ? http.checkedCode(root) : undefined;
  return recallWithTeam(parts, query, quickLimits, code);
}

/** Returns the drift (whether the code has changed since) of memories that were listed and not found by recall. */
export function driftsOf(
  http: HttpParts,
  { project, parts }: RequestedProject,
  chunks: Chunk[],
): Promise<Map<Chunk, Drift>> {
  const { root } = placeOf(http, project);
  return existsSync(root)
    ? driftOfChunks(parts, chunks, quickLimits, http.checkedCode(root))
    : Promise.resolve(new Map());
}
