import { z } from 'zod';
import type { ServedMemo } from '../domain/event.ts';
import type { MemoAnswer } from '../memo/ask-memo.ts';
import { plural } from '../text/plural.ts';
import { addTool, alwaysLoad, type ToolAnswer, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import { callSessionOf } from './record-answers.ts';

const schema = z.object({ path: z.string().min(1).max(4_000) });

const tool = {
  name: 'memo_check',
  description: 'Before re-reading a file: has it changed, and how?',
  schema,
  _meta: alwaysLoad,
};

export function registerMemoCheck(server: ToolServer, parts: McpParts): void {
  addTool(server, tool, async ({ path }, context) => {
    const memo = await parts.memo(callSessionOf(context));
    const answer = memo.ask(path, true);
    const ago = secondsAgo(answer.lastReadAt, parts.clock.now());
    return memoAnswer(
      [answer],
      [
        `${shownPath(answer)}: ${answer.status}, ${answer.recommendation}. ${answer.message}`,
        readSummary(answer, ago),
        ...(answer.diff === undefined ? [] : [answer.diff]),
      ],
      {
        path: shownPath(answer),
        status: answer.status,
        recommendation: answer.recommendation,
        tokens_at_last_read: answer.tokens,
        last_read_ago_seconds: ago,
        message: answer.message,
        ...(answer.lines === undefined ? {} : { lines: answer.lines }),
        ...(answer.status === 'stale' && answer.currentTokens !== undefined
          ? { current_tokens: answer.currentTokens }
          : {}),
        ...(answer.diff === undefined ? {} : { diff: answer.diff }),
      },
    );
  });
}

/** Returns how many seconds ago a file was read; null if it was never read (`at` is 0). */
export const secondsAgo = (at: number, now: number): number | null =>
  at === 0 ? null : Math.max(0, Math.round((now - at) / 1000));

/** The path as the caller gave it, shortened if it is absurdly long. */
export const shownPath = ({ path }: { path: string }): string =>
  path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength - 1)}…`.toWellFormed();
const maxPathLength = 400;

/** Says in words what the structured fields say about earlier reads of a file. */
export function readSummary(
  { tokens, readCount, lines, currentTokens, isByCalls }: MemoAnswer,
  agoSeconds: number | null,
): string {
  const now = currentTokens === undefined ? '' : `; ${currentTokens} tokens now`;
  const verb = isByCalls ? 'checked' : 'read';
  if (agoSeconds === null) return `Not ${verb} in this session${now}.`;
  const range = lines === undefined ? '' : ` of lines ${lines}`;
  return `${isByCalls ? 'Checked' : 'Read'} ${plural(readCount, 'time')}, last ${agoSeconds} s ago: ${tokens} tokens${range}${now}.`;
}

const servedMemo = ({ path, status, recommendation, sparedTokens, told }: MemoAnswer): ServedMemo => ({
  path,
  status,
  recommendation,
  sparedTokens,
  ...(told === undefined ? {} : { told }),
});

export const memoAnswer = (
  answers: MemoAnswer[],
  lines: string[],
  structured: Record<string, unknown>,
): ToolAnswer => ({
  content: [{ type: 'text', text: lines.join('\n') }],
  structuredContent: structured,
  served: { memo: answers.map(servedMemo) },
});
