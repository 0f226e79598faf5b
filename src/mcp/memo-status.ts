import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answeringCode, listed, readsOnly } from './answer.ts';
import { heldWords, memoAnswer, secondsAgo, shownPath } from './memo-check.ts';
import { sessionNamedIn } from './record-answers.ts';
import type { McpParts } from './server.ts';

const schema = z.object({ files: z.array(z.string().min(1).max(4_000)).min(1).max(50) });

export function registerMemoStatus(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'memo_status',
    {
      title: 'Memo of files',
      description: 'Which of these files are as you last saw them.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given, context) =>
      answeringCode(schema, given, async ({ files }) => {
        const memo = await parts.memo(sessionNamedIn(context));
        const told = files.map((path) => memo.ask(path, false));
        const results = told.map(({ path, status, tokens, readCount, message, currentTokens, lines }) => ({
          path: shownPath({ path }),
          status,
          tokens,
          read_count: readCount,
          message,
          ...(currentTokens === undefined ? {} : { current_tokens: currentTokens }),
          ...(lines === undefined ? {} : { lines }),
        }));
        return memoAnswer(
          // A look around is no reading that was skipped.
          told.map((each) => ({ ...each, sparedTokens: 0 })),
          [
            `Session ${memo.agentSession}`,
            ...told.map(
              (each) =>
                `${shownPath(each)}: ${each.status}. ${each.message} ${heldWords(each, secondsAgo(each.lastReadAt, parts.clock.now()))}`,
            ),
          ],
          { session_id: memo.agentSession, results },
        );
      }),
  );
}
