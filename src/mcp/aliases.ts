import { z } from 'zod';
import { defaultLimit, limitCap } from '../domain/hit.ts';
import type { MemorySource } from '../domain/memory.ts';
import { memoryRecord } from '../recall/hit-as-team-memory.ts';
import type { FilterText } from '../recall/parse-filter.ts';
import { hitRecord } from '../recall/render.ts';
import { readOnly, runTool, schemaForListing, type ToolHandler, type ToolServer } from './answer.ts';
import { registerForgeMemory } from './forge-memory.ts';
import type { McpParts } from './parts.ts';
import { answerRecall, recallFor } from './recall.ts';

interface Alias {
  title: string;
  description: string;
  inputSchema: z.ZodObject;
  /** Converts to the arguments of the tool behind the alias. */
  toArguments(given: Record<string, unknown>): object;
}

/** Tools under the names that other memory and code search servers use. Each calls one of our tools. */
const aliases = {
  rag_search: {
    title: 'Search chat memory',
    description: 'Alias of recall: the best passages of past sessions, in full.',
    inputSchema: z.object({
      query: z.string().min(1),
      // The default is about as many results as fit into one answer in full.
      limit: z.number().int().min(1).max(limitCap).default(8),
    }),
    toArguments: (given) => ({ ...given, format: 'full' }),
  },
  search_path_and_content: {
    title: 'Search code below a path',
    description: 'Narrow by a path glob, then search content.',
    inputSchema: z.object({
      path_query: z.string().min(1).max(1_000).describe('Glob, or part of the path'),
      content_query: z.string().min(1).max(4_000),
      mode: z.enum(['literal', 'regex']).default('literal'),
      limit: z.number().int().min(1).max(limitCap).default(defaultLimit),
      cursor: z.string().optional(),
      force_refresh: z.boolean().optional(),
    }),
    toArguments: ({ path_query: path, content_query: query, ...same }) => ({ ...same, path, query }),
  },
} satisfies Record<string, Alias>;

export function registerAlias(server: ToolServer, name: keyof typeof aliases, answer: ToolHandler): void {
  const { inputSchema, toArguments, ...about }: Alias = aliases[name];
  server.registerTool(
    name,
    { ...about, inputSchema: schemaForListing(inputSchema), annotations: readOnly },
    (given, context) => runTool(inputSchema, given, (checked) => answer(toArguments(checked), context)),
  );
}

/** Maps the sources of Forge memory to filters of recall. The team's issues and comments are indexed as notes. */
const localSources: Record<MemorySource, Pick<FilterText, 'kind'> & { in: 'notes' | 'sessions' }> = {
  issue: { in: 'notes' },
  comment: { in: 'notes' },
  job: { in: 'sessions' },
  note: { in: 'notes' },
  knowledge: { in: 'notes', kind: 'knowledge' },
};

export function registerMemoryAliases(server: ToolServer, parts: McpParts): void {
  registerAlias(server, 'rag_search', answerRecall(parts));
  registerForgeMemory(server, parts.project.project, async ({ query, limit, source }, context) => {
    const filter = source === undefined ? { limit } : { ...localSources[source], limit: limitCap };
    const { hits, truncated } = await recallFor(parts, { ...filter, query }, context);
    const found = hits
      .map((hit) => memoryRecord(hitRecord(hit)))
      .filter((record) => source === undefined || record.source === source);
    return { records: found.slice(0, limit), truncated: truncated || found.length > limit };
  });
}
