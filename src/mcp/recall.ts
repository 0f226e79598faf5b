import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defaultLimit, type RecallAnswer } from '../domain/hit.ts';
import { checkedRecall } from '../drift/checked-recall.ts';
import { parseFilter } from '../recall/parse-filter.ts';
import { renderForAgent } from '../recall/render.ts';
import { quickLimits } from '../recall/with-index.ts';
import { recallShape } from '../wire/recall.ts';
import { type AnswerTool, answering, listed, loadedAtOnce, readsOnly } from './answer.ts';
import { progressOf } from './progress.ts';
import type { McpParts } from './server.ts';

const schema = z.object(recallShape);

export function registerRecall(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'recall',
    {
      description:
        "Search this project's memory: past prompts, answers, decisions, edits, commands and notes.",
      inputSchema: listed(schema),
      annotations: readsOnly,
      _meta: loadedAtOnce,
    },
    answerRecall(parts),
  );
}

export const answerRecall =
  (parts: McpParts): AnswerTool =>
  (given, context) =>
    answering(schema, given, async ({ format, explain, ...asked }) =>
      renderForAgent(await recallFor(parts, asked, context), asked.query, {
        now: parts.clock.now(),
        format: format ?? 'index',
        explain: explain ?? false,
      }),
    );

type Asked = Omit<z.output<typeof schema>, 'format' | 'explain'>;

export function recallFor(
  parts: McpParts,
  { query, limit, offset, ...words }: Asked,
  context: ServerContext,
): Promise<RecallAnswer> {
  const now = parts.clock.now();
  return checkedRecall(
    parts.project,
    { ...parseFilter(words, now), text: query, now, limit: limit ?? defaultLimit, offset: offset ?? 0 },
    { ...quickLimits, ...progressOf(context, parts.clock, 'bytes indexed') },
    parts.checkedCode,
  );
}
