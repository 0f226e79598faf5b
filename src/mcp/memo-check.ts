import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ServedMemo } from '../domain/event.ts';
import type { MemoAnswer } from '../memo/ask-memo.ts';
import { answeringCode, listed, readsOnly, type ToolAnswer } from './answer.ts';
import { sessionNamedIn } from './served.ts';
import type { McpParts } from './server.ts';

const schema = z.object({ path: z.string().min(1).max(4_000) });

export function registerMemoCheck(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'memo_check',
    {
      title: 'Memo',
      description: 'Before re-reading a file: is what you saw still true? Else what changed.',
      inputSchema: listed(schema),
      annotations: readsOnly,
      // Asked for in the moment before a file is read again, when nobody would search for a tool first.
      _meta: { 'anthropic/alwaysLoad': true },
    },
    (given, context) =>
      answeringCode(schema, given, async ({ path }) => {
        const memo = await parts.memo(sessionNamedIn(context));
        const told = memo.ask(path, true);
        return memoAnswer(
          [told],
          [`${told.path}: ${told.status}. ${told.message}`, ...(told.diff === undefined ? [] : [told.diff])],
          {
            path: told.path,
            status: told.status,
            recommendation: told.recommendation,
            tokens_at_last_read: told.tokens,
            last_read_ago_seconds: secondsAgo(told.lastReadAt, parts.clock.now()),
            message: told.message,
            ...(told.lines === undefined ? {} : { lines: told.lines }),
            ...(told.status === 'stale' && told.currentTokens !== undefined
              ? { current_tokens: told.currentTokens }
              : {}),
            ...(told.diff === undefined ? {} : { diff: told.diff }),
          },
        );
      }),
  );
}

/** Null for what was never read. */
export const secondsAgo = (at: number, now: number): number | null =>
  at === 0 ? null : Math.max(0, Math.round((now - at) / 1000));

const servedMemo = ({ path, status, recommendation, sparedTokens }: MemoAnswer): ServedMemo => ({
  path,
  status,
  recommendation,
  sparedTokens,
});

export const memoAnswer = (
  told: MemoAnswer[],
  lines: string[],
  structured: Record<string, unknown>,
): ToolAnswer => ({
  content: [{ type: 'text', text: lines.join('\n') }],
  structuredContent: structured,
  served: { memo: told.map(servedMemo) },
});
