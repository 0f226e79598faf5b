import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { ChunkKind } from '../domain/chunk.ts';
import { defaultLimit } from '../domain/hit.ts';
import { recall } from '../recall/recall.ts';
import { renderForAgent } from '../recall/render.ts';
import { quickLimits } from '../recall/with-index.ts';
import { answering, listed } from './answer.ts';
import type { McpParts } from './server.ts';

const schema = z.object({
  query: z.string().min(1).describe('What to find, in plain words or identifiers'),
  kind: z
    .string()
    .optional()
    .describe('decision, fix, gotcha, prompt, answer, edit, command …; comma-separated'),
  file: z.string().optional().describe('Only about this file'),
  since: z.string().optional().describe('ISO date'),
  limit: z.number().int().min(1).max(100).optional(),
  offset: z.number().int().min(0).optional(),
});

export function registerRecall(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'recall',
    {
      title: 'Recall',
      description:
        "Search this project's memory: past prompts, answers, decisions, edits, commands and notes.",
      inputSchema: listed(schema),
      annotations: { readOnlyHint: true, openWorldHint: false },
      // Claude Code hides most tools behind a search; this one is what the rest is for.
      _meta: { 'anthropic/alwaysLoad': true },
    },
    (given) =>
      answering(schema, given, async ({ query, kind, file, since, limit, offset }) => {
        const found = await recall(
          parts.project,
          {
            text: query,
            ...(kind === undefined ? {} : { kinds: kindsOf(kind) }),
            ...(file === undefined ? {} : { file }),
            ...(since === undefined ? {} : { since: momentOf(since) }),
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

function momentOf(text: string): number {
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new AppError('INVALID_ARGUMENT', `${text} is not a date`, {
    hint: 'since is a date such as 2026-11-01',
  });
}
