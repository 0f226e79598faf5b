import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { record as recordIn, text } from '../base/json.ts';
import type { ServedBody } from '../domain/event.ts';
import { roughTokens } from '../text/tokens.ts';
import { type ToolAnswer, withinLimit } from './answer.ts';
import type { McpParts } from './server.ts';

/** What a call says of the session it comes from; only Codex does. */
export const sessionNamedIn = (context: unknown): string =>
  text(recordIn(recordIn(recordIn(context).mcpReq)._meta).threadId);

/** What of an answer the model is shown differs by agent; the larger form is counted. */
export const tokensOfAnswer = ({ content, structuredContent }: ToolAnswer): number =>
  roughTokens(
    structuredContent === undefined
      ? content.map(({ text: said }) => said).join('\n')
      : JSON.stringify(structuredContent),
  );

/** An answer to be written down. When it was given and to which session is known at once; the rest can wait. */
export interface ServedAnswer {
  at: number;
  agentSession: string;
  /** Worked out when asked for: to count tokens takes longer than many a search. */
  body(): ServedBody;
}

/** Tools that tell what was done so far, the searches just answered included. */
const readsLog = /^(?:session|memo)_/;

/** An agent that has its answer asks on, or thinks for longer than this. */
const recordDelayMs = 100;

/**
 * Every answer is written down by its size, and by what it spared the agent, so that what Backstory costs and saves
 * can be told. A moment after the answer is on its way, and several at once: neither it nor the next one waits for it.
 */
export function recordAnswers(server: McpServer, parts: McpParts): void {
  let waiting: ServedAnswer[] = [];
  const record = async (): Promise<void> => {
    const answers = waiting;
    waiting = [];
    // Best effort: an answer that was not counted is still an answer.
    await parts.recordServed(answers).catch(() => {});
  };
  const keep = async (named: string, body: () => ServedBody): Promise<void> => {
    const at = parts.clock.now();
    const asker = await parts.follower.asker({ named }, at);
    // Of somebody we know nothing else of nothing could ever be made.
    if (asker.kind === 'unknown') return;
    if (waiting.length === 0) setTimeout(record, recordDelayMs);
    waiting.push({ at, agentSession: asker.agentSession, body });
  };
  const register = server.registerTool.bind(server) as (...all: unknown[]) => unknown;
  const registerRecorded = (name: string, config: object, work: (...all: unknown[]) => Promise<ToolAnswer>) =>
    register(name, config, async (given: unknown, context: ServerContext) => {
      if (readsLog.test(name) && waiting.length > 0) await record();
      const { served, ...answer } = withinLimit(await work(given, context));
      const body = () => ({ tool: name, tokens: tokensOfAnswer(answer), ...served });
      setImmediate(() => {
        // Whoever gave up has not been told.
        if (!context.mcpReq.signal.aborted) keep(sessionNamedIn(context), body).catch(() => {});
      });
      return answer;
    });
  server.registerTool = registerRecorded as unknown as typeof server.registerTool;
}
