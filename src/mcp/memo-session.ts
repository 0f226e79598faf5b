import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { counted } from '../text/counted.ts';
import { answeringCode, listed, readsOnly } from './answer.ts';
import { secondsAgo } from './memo-check.ts';
import { sessionNamedIn } from './served.ts';
import type { McpParts } from './server.ts';

const schema = z.object({});
const maxFiles = 50;

export function registerMemoSession(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'memo_session',
    {
      title: 'Memo of this session',
      description: 'Files seen in this session, whether they are fresh, and tokens saved.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given, context) =>
      answeringCode(schema, given, async () => {
        const memo = await parts.memo(sessionNamedIn(context));
        const { savings } = memo;
        const files = memo.files.slice(-maxFiles).map((file) => {
          const { path, status, tokens, readCount, lastReadAt, lines } = memo.ask(file.path, false);
          return {
            path,
            status,
            tokens,
            read_count: readCount,
            edit_count: file.editCount,
            last_read_ago_seconds: secondsAgo(lastReadAt, parts.clock.now()),
            ...(lines === undefined ? {} : { lines }),
          };
        });
        const spent = savings.preludeTokens + savings.answerTokens + savings.definitionTokens;
        const saved = savings.rereadTokens + savings.searchTokens;
        const head = `${counted(memo.files.length, 'file')}, ${saved} tokens saved, ${spent} spent (estimated)`;
        return {
          content: [
            {
              type: 'text',
              text: [head, ...files.map(({ path, status }) => `${path}: ${status}`)].join('\n'),
            },
          ],
          structuredContent: {
            session_id: memo.agentSession,
            context_epoch: memo.epoch,
            tracked_files: memo.files.length,
            files,
            tokens_saved: saved,
            rereads_avoided: savings.rereadsAvoided,
            searches_avoided: savings.searchesAvoided,
            tokens_spent: spent,
            net_tokens: savings.netTokens,
            estimated: true,
            truncated: memo.files.length > maxFiles,
          },
        };
      }),
  );
}
