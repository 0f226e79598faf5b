import { z } from 'zod';
import { plural } from '../text/plural.ts';
import { addTool, type ToolServer } from './answer.ts';
import { readSummary, secondsAgo, shownPath } from './memo-check.ts';
import type { McpParts } from './parts.ts';
import { callSessionOf } from './record-answers.ts';

const schema = z.object({});
const maxFiles = 50;

const tool = {
  name: 'memo_session',
  title: 'Memo of this session',
  description: 'Files read in this session, whether they are unchanged, and tokens saved.',
  schema,
};

export function registerMemoSession(server: ToolServer, parts: McpParts): void {
  addTool(server, tool, async (_input, context) => {
    const memo = await parts.memo(callSessionOf(context));
    const { savings } = memo;
    const files = memo.files.slice(-maxFiles).map((file) => {
      const answer = memo.ask(file.path, false);
      const ago = secondsAgo(answer.lastReadAt, parts.clock.now());
      const words = `${shownPath(answer)}: ${answer.status}. ${readSummary(answer, ago)} Edited ${plural(file.editCount, 'time')}.`;
      const { status, tokens, readCount, lines } = answer;
      return {
        words,
        fields: {
          path: shownPath(answer),
          status,
          tokens,
          read_count: readCount,
          edit_count: file.editCount,
          last_read_ago_seconds: ago,
          ...(lines === undefined ? {} : { lines }),
        },
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
  });
}
