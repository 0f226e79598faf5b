import { z } from 'zod';
import { contentSearchShape } from '../wire/code.ts';
import {
  alwaysLoad,
  readOnly,
  runTool,
  schemaForListing,
  type ToolHandler,
  type ToolServer,
} from './answer.ts';
import { answerContent } from './answer-content.ts';
import type { McpParts } from './parts.ts';
import { progressReporter } from './progress.ts';
import { callSessionOf } from './record-answers.ts';
import type { SearchMemory } from './search-memory.ts';

const schema = z.object({ ...contentSearchShape, force_refresh: z.boolean().optional() });
/** What models are shown. A regular expression with `\b` also finds whole words. */
const listed = schema.omit({ whole_word: true });

export function registerSearchContent(server: ToolServer, parts: McpParts, memory: SearchMemory): void {
  server.registerTool(
    'search_content',
    {
      description: 'Search code: text, or a question in plain words.',
      inputSchema: schemaForListing(listed),
      annotations: readOnly,
      _meta: alwaysLoad,
    },
    answerSearchContent(parts, memory),
  );
}

export const answerSearchContent =
  (parts: McpParts, memory: SearchMemory): ToolHandler =>
  (given, context) =>
    runTool(schema, given, async (input) => {
      const code = await parts.code();
      const searched = { code, pastWork: parts.pastWork, waiter: progressReporter(context, parts.clock) };
      return answerContent(searched, memory, {
        text: input.query,
        wordings: input.wordings,
        mode: input.mode,
        path: input.path,
        ignoreCase: input.ignore_case ?? false,
        wholeWord: input.whole_word ?? false,
        limit: input.limit,
        cursor: input.cursor,
        isForced: input.force_refresh ?? false,
        callSession: callSessionOf(context),
      });
    });
