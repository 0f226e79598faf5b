import { existsSync } from 'node:fs';
import type { Drift } from '../domain/anchor.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { RecallAnswer, RecallQuery } from '../domain/hit.ts';
import { checkedRecall } from '../drift/checked-recall.ts';
import { driftOfChunks } from '../drift/drift-of-chunks.ts';
import { recall } from '../recall/recall.ts';
import { quickLimits } from '../recall/with-index.ts';
import { type HttpParts, type NamedProject, placeOf } from './parts.ts';

/** The one way memory is asked over HTTP, whichever route asks: what CLI and MCP find, all of them find. */
export function askMemory(
  http: HttpParts,
  { project, parts }: NamedProject,
  asked: Omit<RecallQuery, 'now'>,
): Promise<RecallAnswer> {
  const query = { ...asked, now: http.clock.now() };
  const { root } = placeOf(http, project);
  // A checkout that is gone says nothing about what was true in it.
  if (!existsSync(root)) return recall(parts, query, quickLimits);
  return checkedRecall(parts, query, quickLimits, http.checkedCode(root));
}

/** What has become of the code of what was listed and not asked for. */
export function driftsOf(
  http: HttpParts,
  { project, parts }: NamedProject,
  chunks: Chunk[],
): Promise<Map<Chunk, Drift>> {
  const { root } = placeOf(http, project);
  return existsSync(root)
    ? driftOfChunks(parts, chunks, quickLimits, http.checkedCode(root))
    : Promise.resolve(new Map());
}
