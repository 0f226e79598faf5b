import { z } from 'zod';
import { addTool, type ToolServer } from './answer.ts';
import { memoAnswer, readSummary, secondsAgo, shownPath } from './memo-check.ts';
import type { McpParts } from './parts.ts';
import { callSessionOf } from './record-answers.ts';

const schema = z.object({ files: z.array(z.string().min(1).max(4_000)).min(1).max(50) });

const tool = {
  name: 'memo_status',
  title: 'Memo status of files',
  description: 'Which of these files are unchanged since you last read them.',
  schema,
};

export function registerMemoStatus(server: ToolServer, parts: McpParts): void {
  addTool(server, tool, async ({ files }, context) => {
    const memo = await parts.memo(callSessionOf(context));
    const answers = files.map((path) => memo.ask(path, false));
    const results = answers.map(({ path, status, tokens, readCount, message, currentTokens, lines }) => ({
      path: shownPath({ path }),
      status,
      tokens,
      read_count: readCount,
      message,
      ...(currentTokens === undefined ? {} : { current_tokens: currentTokens }),
      ...(lines === undefined ? {} : { lines }),
    }));
    return memoAnswer(
      // Count no saved tokens and no files as read: asking for the status of many files does not mean that the agent
      // would have read each of them.
      answers.map((answer) => ({ ...answer, sparedTokens: 0, told: undefined })),
      [
        `Session ${memo.agentSession}`,
        ...answers.map(
          (answer) =>
            `${shownPath(answer)}: ${answer.status}. ${answer.message} ${readSummary(answer, secondsAgo(answer.lastReadAt, parts.clock.now()))}`,
        ),
      ],
      { session_id: memo.agentSession, results },
    );
  });
}
