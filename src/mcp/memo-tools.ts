import { z } from 'zod';
import type { ServedMemo } from '../domain/event.ts';
import type { MemoAnswer } from '../memo/ask-memo.ts';
import { plural } from '../text/plural.ts';
import { alwaysLoad, cutText, type ToolAnswer } from './answer.ts';
import { callSessionOf } from './record-answers.ts';
import { tool } from './tool.ts';

const path = z.string().min(1).max(4_000);

export const memoCheck = tool({
  name: 'memo_check',
  description: 'Before re-reading a file: has it changed, and how?',
  schema: z.object({ path }),
  _meta: alwaysLoad,
  async answer(parts, input, context) {
    const memo = await parts.memo(callSessionOf(context));
    const answer = memo.ask(input.path, true);
    const { status, recommendation, message, diff, currentTokens } = answer;
    const ago = secondsAgo(answer, parts.clock.now());
    return memoAnswer(
      [answer],
      [
        `${shownPath(answer)}: ${status}, ${recommendation}. ${message}`,
        readSummary(answer, ago),
        ...(diff === undefined ? [] : [diff]),
      ],
      {
        path: shownPath(answer),
        status,
        recommendation,
        tokens_at_last_read: answer.tokens,
        last_read_ago_seconds: ago,
        message,
        lines: answer.lines,
        current_tokens: status === 'stale' ? currentTokens : undefined,
        diff,
      },
    );
  },
});

export const memoStatus = tool({
  name: 'memo_status',
  title: 'Memo status of files',
  description: 'Which of these files are unchanged since you last read them.',
  schema: z.object({ files: z.array(path).min(1).max(50) }),
  async answer(parts, { files }, context) {
    const memo = await parts.memo(callSessionOf(context));
    const answers = files.map((file) => memo.ask(file, false));
    const lines = answers.map(
      (answer) =>
        `${shownPath(answer)}: ${answer.status}. ${answer.message} ${readSummary(answer, secondsAgo(answer, parts.clock.now()))}`,
    );
    return memoAnswer(
      // Count no saved tokens and no files as read: asking for the status of many files does not mean that the agent
      // would have read each of them.
      answers.map((answer) => ({ ...answer, sparedTokens: 0, told: undefined })),
      [`Session ${memo.agentSession}`, ...lines],
      {
        session_id: memo.agentSession,
        results: answers.map((answer) => ({
          ...readFields(answer),
          message: answer.message,
          current_tokens: answer.currentTokens,
        })),
      },
    );
  },
});

const maxFiles = 50;

export const memoSession = tool({
  name: 'memo_session',
  title: 'Memo of this session',
  description: 'Files read in this session, whether they are unchanged, and tokens saved.',
  schema: z.object({}),
  async answer(parts, _input, context) {
    const memo = await parts.memo(callSessionOf(context));
    const { savings } = memo;
    const files = memo.files.slice(-maxFiles).map((file) => {
      const answer = memo.ask(file.path, false);
      const ago = secondsAgo(answer, parts.clock.now());
      return {
        words: `${shownPath(answer)}: ${answer.status}. ${readSummary(answer, ago)} Edited ${plural(file.editCount, 'time')}.`,
        fields: { ...readFields(answer), edit_count: file.editCount, last_read_ago_seconds: ago },
      };
    });
    const isCut = memo.files.length > maxFiles;
    const spent = savings.preludeTokens + savings.answerTokens + savings.definitionTokens;
    const saved = savings.rereadTokens + savings.searchTokens;
    const head = [
      `Session ${memo.agentSession}, context ${memo.epoch}: ${plural(memo.files.length, 'file')}`,
      `${saved} tokens saved (${plural(savings.rereadsAvoided, 're-read')} and ${savings.searchesAvoided} searches avoided), ${spent} spent, net ${savings.netTokens} (estimated)`,
    ].join('; ');
    const rest = isCut ? [`Only the latest ${maxFiles} are shown. Call memo_status for others.`] : [];
    return {
      content: [{ type: 'text', text: [head, ...files.map(({ words }) => words), ...rest].join('\n') }],
      structuredContent: {
        session_id: memo.agentSession,
        context_epoch: memo.epoch,
        tracked_files: memo.files.length,
        files: files.map(({ fields }) => fields),
        tokens_saved: saved,
        rereads_avoided: savings.rereadsAvoided,
        searches_avoided: savings.searchesAvoided,
        tokens_spent: spent,
        net_tokens: savings.netTokens,
        estimated: true,
        truncated: isCut,
      },
    };
  },
});

/** Returns how many seconds ago a file was read; null if it was never read (`lastReadAt` is 0). */
const secondsAgo = ({ lastReadAt }: MemoAnswer, now: number): number | null =>
  lastReadAt === 0 ? null : Math.max(0, Math.round((now - lastReadAt) / 1000));

const maxPathLength = 400;

/** The path as the caller gave it, shortened if it is absurdly long. */
const shownPath = ({ path: given }: MemoAnswer): string => cutText(given, maxPathLength);

const readFields = (answer: MemoAnswer) => ({
  path: shownPath(answer),
  status: answer.status,
  tokens: answer.tokens,
  read_count: answer.readCount,
  lines: answer.lines,
});

/** Says in words what the structured fields say about earlier reads of a file. */
function readSummary(
  { tokens, readCount, lines, currentTokens, isByCalls }: MemoAnswer,
  agoSeconds: number | null,
): string {
  const now = currentTokens === undefined ? '' : `; ${currentTokens} tokens now`;
  const verb = isByCalls ? 'checked' : 'read';
  if (agoSeconds === null) return `Not ${verb} in this session${now}.`;
  const range = lines === undefined ? '' : ` of lines ${lines}`;
  return `${isByCalls ? 'Checked' : 'Read'} ${plural(readCount, 'time')}, last ${agoSeconds} s ago: ${tokens} tokens${range}${now}.`;
}

/** Fields without a value are left out when the answer is sent. */
const memoAnswer = (
  answers: MemoAnswer[],
  lines: string[],
  structuredContent: Record<string, unknown>,
): ToolAnswer => ({
  content: [{ type: 'text', text: lines.join('\n') }],
  structuredContent,
  served: {
    memo: answers.map(
      ({ path: file, status, recommendation, sparedTokens, told }): ServedMemo => ({
        path: file,
        status,
        recommendation,
        sparedTokens,
        ...(told === undefined ? {} : { told }),
      }),
    ),
  },
});
