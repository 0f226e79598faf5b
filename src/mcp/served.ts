import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { record, text } from '../base/json.ts';
import { roughTokens } from '../text/tokens.ts';
import { type ToolAnswer, withinLimit } from './answer.ts';
import type { McpParts } from './server.ts';

/** What a call says of the session it comes from; only Codex does. */
export const sessionNamedIn = (context: unknown): string =>
  text(record(record(record(context).mcpReq)._meta).threadId);

/** What of an answer the model is shown differs by agent; the larger form is counted. */
export const tokensOfAnswer = ({ content, structuredContent }: ToolAnswer): number =>
  roughTokens(
    structuredContent === undefined
      ? content.map(({ text: said }) => said).join('\n')
      : JSON.stringify(structuredContent),
  );

/**
 * Every answer is written down by its size, and by what it spared the agent, so that what Backstory costs and saves
 * can be told. After the answer is on its way: nobody waits for it.
 */
export function recordAnswers(server: McpServer, parts: McpParts): void {
  const register = server.registerTool.bind(server) as (...all: unknown[]) => unknown;
  const registerRecorded = (name: string, config: object, work: (...all: unknown[]) => Promise<ToolAnswer>) =>
    register(name, config, async (given: unknown, context: ServerContext) => {
      const { served, ...answer } = withinLimit(await work(given, context));
      const body = { tool: name, tokens: tokensOfAnswer(answer), ...served };
      setImmediate(() => {
        // Whoever gave up has not been told.
        if (context.mcpReq.signal.aborted) return;
        // Best effort: an answer that was not counted is still an answer.
        parts.recordServed(body, sessionNamedIn(context)).catch(() => {});
      });
      return answer;
    });
  server.registerTool = registerRecorded as unknown as typeof server.registerTool;
}
