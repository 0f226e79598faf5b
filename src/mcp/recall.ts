import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ChunkKind } from '../domain/chunk.ts';
import { defaultLimit } from '../domain/hit.ts';
import { recall } from '../recall/recall.ts';
import { renderForAgent } from '../recall/render.ts';
import { quickLimits } from '../recall/with-index.ts';
import { answering } from './answer.ts';
import type { McpParts } from './server.ts';

export function registerRecall(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'recall',
    {
      title: 'Recall',
      description:
        "Search this project's memory: past prompts, answers, decisions, edits, commands and notes.",
      inputSchema: z.object({
        query: z.string().min(1).describe('What to find, in plain words or identifiers'),
        kind: z
          .string()
          .optional()
          .describe('decision, fix, gotcha, prompt, answer, edit, command …; comma-separated'),
        file: z.string().optional().describe('Only about this file'),
        since: z.string().optional().describe('ISO date'),
        limit: z.number().int().min(1).max(100).optional(),
        offset: z.number().int().min(0).optional(),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
      // Claude Code hides most tools behind a search; this one is what the rest is for.
      _meta: { 'anthropic/alwaysLoad': true },
    },
    ({ query, kind, file, since, limit, offset }) =>
      answering(async () => {
        const found = await recall(
          parts.project,
          {
            text: query,
            ...(kind === undefined ? {} : { kinds: kindsOf(kind) }),
            ...(file === undefined ? {} : { file }),
            ...(since === undefined || Number.isNaN(Date.parse(since)) ? {} : { since: Date.parse(since) }),
            limit: limit ?? defaultLimit,
            offset: offset ?? 0,
          },
          quickLimits,
        );
        return renderForAgent(found, query, parts.clock.now());
      }),
  );
}

const kindsOf = (text: string): ChunkKind[] =>
  text.split(',').map((name) => (name.trim() === 'bugfix' ? 'fix' : name.trim())) as ChunkKind[];
