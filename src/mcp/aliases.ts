import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defaultLimit, limitCap } from '../domain/hit.ts';
import type { MemorySource } from '../domain/memory.ts';
import { memoryRecord } from '../recall/memory-record.ts';
import type { FilterText } from '../recall/parse-filter.ts';
import { hitRecord } from '../recall/render.ts';
import { type AnswerTool, answeringCode, listed, readsOnly } from './answer.ts';
import { registerForgeMemory } from './forge-memory.ts';
import { answerRecall, recallFor } from './recall.ts';
import type { McpParts } from './server.ts';

interface Alias {
  title: string;
  description: string;
  asks: z.ZodObject;
  /** The arguments of our tool. */
  ask(given: Record<string, unknown>): object;
}

/** Tools that other designs call by other names. One of ours answers each of them, with our answer. */
const aliases = {
  rag_search: {
    title: 'Search chat memory',
    description: 'Another name of recall: the best passages of past sessions, in full.',
    asks: z.object({
      query: z.string().min(1),
      // As many as usually fit into one answer in full.
      limit: z.number().int().min(1).max(limitCap).default(8),
    }),
    ask: (given) => ({ ...given, format: 'full' }),
  },
  search_path_and_content: {
    title: 'Search code below a path',
    description: 'Narrow by a path glob, then search content.',
    asks: z.object({
      path_query: z.string().min(1).max(1_000).describe('Glob, or part of the path'),
      content_query: z.string().min(1).max(4_000),
      mode: z.enum(['literal', 'regex']).default('literal'),
      limit: z.number().int().min(1).max(limitCap).default(defaultLimit),
      cursor: z.string().optional(),
      force_refresh: z.boolean().optional(),
    }),
    ask: ({ path_query: path, content_query: query, ...same }) => ({ ...same, path, query }),
  },
} satisfies Record<string, Alias>;

export function registerAlias(server: McpServer, name: keyof typeof aliases, answer: AnswerTool): void {
  const { asks, ask, ...about }: Alias = aliases[name];
  server.registerTool(
    name,
    { ...about, inputSchema: listed(asks), annotations: readsOnly },
    (given, context) => answeringCode(asks, given, (checked) => answer(ask(checked), context)),
  );
}

/** The sources of Forge memory as filters of recall. Issues and comments are kept by team servers only. */
const localSources: Partial<Record<MemorySource, Pick<FilterText, 'kind'> & { in: 'notes' | 'sessions' }>> = {
  job: { in: 'sessions' },
  note: { in: 'notes' },
  knowledge: { in: 'notes', kind: 'knowledge' },
};

export function registerMemoryAliases(server: McpServer, parts: McpParts): void {
  registerAlias(server, 'rag_search', answerRecall(parts));
  registerForgeMemory(server, parts.project.project, async ({ query, limit, source }, context) => {
    const filter = source === undefined ? {} : localSources[source];
    if (filter === undefined) return { records: [], truncated: false };
    const { hits, truncated } = await recallFor(parts, { ...filter, query, limit }, context);
    return { records: hits.map((hit) => memoryRecord(hitRecord(hit))), truncated };
  });
}
