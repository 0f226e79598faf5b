import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { record as recordIn, text } from '../base/json.ts';
import type { ServedBody } from '../domain/event.ts';
import { roughTokens } from '../text/tokens.ts';
import { type ToolAnswer, type ToolServer, withinLimit } from './answer.ts';
import type { McpParts, ServedAnswer } from './parts.ts';

/** Returns the agent session id that an MCP call carries, or '' if it has none. Only Codex sends one. */
export const callSessionOf = (context: unknown): string =>
  text(recordIn(recordIn(recordIn(context).mcpReq)._meta).threadId);

/** Agents show their model either the text or the structured content, which is larger if it exists. */
export const tokensOfAnswer = ({ content, structuredContent, isForPrograms }: ToolAnswer): number =>
  roughTokens(
    structuredContent === undefined || isForPrograms === true
      ? content.map((part) => part.text).join('\n')
      : JSON.stringify(structuredContent),
  );

/** The name that the client gave in this call, or when it connected; empty if it gave none. */
const clientNameOf = ({ server }: McpServer, { mcpReq }: ServerContext): string =>
  text(recordIn(recordIn(mcpReq.envelope)[CLIENT_INFO_META_KEY]).name) ||
  (server.getClientVersion()?.name ?? '');

/** Clients whose models are shown the structured content instead of the text. */
const showsStructured = /^(?:claude|codex)/i;

/** Names of the tools that report earlier searches. Pending records are written before such a tool runs. */
const readsLog = /^(?:session|memo)_/;

/** Long enough to write several answers at once, short enough that few are lost if the process dies. */
const recordDelayMs = 100;

/**
 * Returns `server` with every tool's answer recorded: its size, and the tokens it saved the agent. The record is
 * written shortly after the answer was sent, several at once, so neither this answer nor the next waits for it.
 */
export function recordAnswers(server: McpServer, parts: McpParts): ToolServer {
  let pending: ServedAnswer[] = [];
  let queued: Promise<unknown> = Promise.resolve();
  let written: Promise<unknown> = Promise.resolve();
  const flush = (): Promise<unknown> => {
    const answers = pending;
    pending = [];
    // Best effort: an answer that was not recorded is still an answer.
    if (answers.length > 0) written = written.then(() => parts.recordServed(answers)).catch(() => {});
    return written;
  };
  const enqueue = async (callSession: string, body: () => ServedBody): Promise<void> => {
    const at = parts.clock.now();
    const client = await parts.follower.caller({ named: callSession }, at);
    // If the calling agent session is unknown, record nothing: the record could not be counted for any session.
    if (client.agentSession === '') return;
    if (pending.length === 0) setTimeout(flush, recordDelayMs);
    const { agentSession, isByCalls } = client;
    pending.push({ at, agentSession, body, ...(isByCalls ? { isByCalls } : {}) });
  };
  return {
    registerTool: (name, config, handle) =>
      server.registerTool(name, config, async (args: unknown, context: ServerContext) => {
        const client = clientNameOf(server, context);
        parts.nameClient(client);
        if (readsLog.test(name)) await queued.then(flush);
        const answered = withinLimit(await handle(args, context));
        const { served, isForPrograms, structuredContent, ...text } = answered;
        const isText = structuredContent === undefined || (isForPrograms && showsStructured.test(client));
        const answer = isText ? text : { ...text, structuredContent };
        const body = () => ({ tool: name, tokens: tokensOfAnswer(answered), ...served });
        setImmediate(() => {
          // A cancelled call got no answer.
          if (context.mcpReq.signal.aborted) return;
          const before = queued;
          queued = enqueue(callSessionOf(context), body).then(
            () => before,
            () => before,
          );
        });
        return answer;
      }),
  };
}
