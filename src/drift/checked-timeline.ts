import type { Chunk } from '../domain/chunk.ts';
import { shownChunk } from '../recall/render.ts';
import { type TimelineQuery, timeline } from '../recall/timeline.ts';
import type { RecallLimits, RecallParts } from '../recall/with-index.ts';
import type { Drift } from '../wire/answers/memory.ts';
import { driftOfChunks } from './check-drift.ts';
import type { CheckedCode } from './current-code.ts';

/** The timeline as every surface answers it. Without code, its items have no drift. */
export async function checkedTimeline(
  parts: RecallParts,
  query: TimelineQuery,
  limits: RecallLimits,
  code: CheckedCode | undefined,
) {
  const found = await timeline(parts, query, limits);
  const drifts =
    code === undefined ? new Map<Chunk, Drift>() : await driftOfChunks(parts, found.chunks, limits, code);
  return {
    found,
    drifts,
    anchor: found.anchor && shownChunk(found.anchor),
    items: found.chunks.map((chunk) => ({ ...shownChunk(chunk), drift: drifts.get(chunk) })),
  };
}
