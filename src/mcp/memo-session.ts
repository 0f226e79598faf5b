import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { plural } from '../text/plural.ts';
import { answeringCode, listed, readsOnly } from './answer.ts';
import { heldWords, secondsAgo, shownPath } from './memo-check.ts';
import { sessionNamedIn } from './record-answers.ts';
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
        const told = memo.files.slice(-maxFiles).map((file) => {
          const answer = memo.ask(file.path, false);
          const ago = secondsAgo(answer.lastReadAt, parts.clock.now());
          const words = `${shownPath(answer)}: ${answer.status}. ${heldWords(answer, ago)} Edited ${plural(file.editCount, 'time')}.`;
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
        const rest = isCut ? [`The ${maxFiles} latest; memo_status answers for the others.`] : [];
        return {
          content: [{ type: 'text', text: [head, ...told.map(({ words }) => words), ...rest].join('\n') }],
          structuredContent: {
            session_id: memo.agentSession,
            context_epoch: memo.epoch,
            tracked_files: memo.files.length,
            files: told.map(({ fields }) => fields),
            tokens_saved: saved,
            rereads_avoided: savings.rereadsAvoided,
            searches_avoided: savings.searchesAvoided,
            tokens_spent: spent,
            net_tokens: savings.netTokens,
            estimated: true,
            truncated: isCut,
          },
        };
      }),
  );
}
