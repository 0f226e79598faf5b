import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ServedMemo } from '../domain/event.ts';
import type { MemoAnswer } from '../memo/ask-memo.ts';
import { plural } from '../text/plural.ts';
import { answeringCode, listed, loadedAtOnce, readsOnly, type ToolAnswer } from './answer.ts';
import { sessionNamedIn } from './record-answers.ts';
import type { McpParts } from './server.ts';

const schema = z.object({ path: z.string().min(1).max(4_000) });

export function registerMemoCheck(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'memo_check',
    {
      description: 'Before re-reading a file: is what you saw still true? Else what changed.',
      inputSchema: listed(schema),
      annotations: readsOnly,
      _meta: loadedAtOnce,
    },
    (given, context) =>
      answeringCode(schema, given, async ({ path }) => {
        const memo = await parts.memo(sessionNamedIn(context));
        const told = memo.ask(path, true);
        const ago = secondsAgo(told.lastReadAt, parts.clock.now());
        return memoAnswer(
          [told],
          [
            `${shownPath(told)}: ${told.status}, ${told.recommendation}. ${told.message}`,
            heldWords(told, ago),
            ...(told.diff === undefined ? [] : [told.diff]),
          ],
          {
            path: shownPath(told),
            status: told.status,
            recommendation: told.recommendation,
            tokens_at_last_read: told.tokens,
            last_read_ago_seconds: ago,
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

/** What somebody gave as a path comes back to them, but not all of it if it is absurd. */
export const shownPath = ({ path }: { path: string }): string =>
  path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength - 1)}…`.toWellFormed();
const maxPathLength = 400;

/** What is held of a file, in the words of the structured fields. */
export function heldWords(
  { tokens, readCount, lines, currentTokens }: MemoAnswer,
  agoSeconds: number | null,
): string {
  const now = currentTokens === undefined ? '' : `; ${currentTokens} tokens now`;
  if (agoSeconds === null) return `Not read in this session${now}.`;
  const range = lines === undefined ? '' : ` of lines ${lines}`;
  return `Read ${plural(readCount, 'time')}, last ${agoSeconds} s ago: ${tokens} tokens${range}${now}.`;
}

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
