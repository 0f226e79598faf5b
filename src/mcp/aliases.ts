import { z } from 'zod';
import type { MemorySource } from '../domain/memory.ts';
import { limitCap } from '../recall/hit.ts';
import { memoryRecord } from '../recall/hit-as-team-memory.ts';
import type { FilterText } from '../recall/parse-filter.ts';
import { hitRecord } from '../recall/render.ts';
import { askRecall } from '../remote/recall-with-team.ts';
import { registerForgeMemory } from './forge-memory.ts';
import { answerRecall, askingFor } from './recall.ts';
import { type LocalTool, textTool } from './tool.ts';

/** Tools under the names that other memory servers use. */
export const ragSearch = textTool({
  name: 'rag_search',
  title: 'Search chat memory',
  description: 'Alias of recall: the best passages of past sessions, in full.',
  schema: z.object({
    query: z.string().min(1),
    // The default is about as many results as fit into one answer in full.
    limit: z.number().int().min(1).max(limitCap).default(8),
  }),
  answer: (parts, input, context) => answerRecall(parts, { ...input, format: 'full' }, context),
});

/** Maps the sources of Forge memory to filters of recall. The team's issues and comments are indexed as notes. */
const localSources: Record<MemorySource, Pick<FilterText, 'kind'> & { in: 'notes' | 'sessions' }> = {
  issue: { in: 'notes' },
  comment: { in: 'notes' },
  job: { in: 'sessions' },
  note: { in: 'notes' },
  knowledge: { in: 'notes', kind: 'knowledge' },
};

export const forgeMemory: LocalTool = (server, parts) =>
  registerForgeMemory(server, parts.project.project, async ({ query, limit, source }, context) => {
    const filter = source === undefined ? { limit } : { ...localSources[source], limit: limitCap };
    const asking = await askingFor(parts, context);
    const { hits, truncated } = await askRecall(parts.project, { ...filter, query }, asking);
    const found = hits
      .map((hit) => memoryRecord(hitRecord(hit)))
      .filter((record) => source === undefined || record.source === source);
    return { records: found.slice(0, limit), truncated: truncated || found.length > limit };
  });
