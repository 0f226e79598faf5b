import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { newestFirst } from '../handoff/sessions.ts';
import { ledgerOf } from '../handoff/work-parts.ts';
import { answeringCode, listed, readsOnly } from './answer.ts';
import type { McpParts } from './server.ts';
import { pageOf, sessionAnswer, sessionRecord, workParts } from './session-answer.ts';

const schema = z.object({ cursor: z.string().optional() });

export function registerSessionList(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'session_list',
    {
      title: 'Work sessions',
      description: 'Work sessions of this project, newest first.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given, context) =>
      answeringCode(
        schema,
        given,
        async ({ cursor }) => {
          const work = workParts(parts, context);
          const all = newestFirst(ledgerOf(work)).map((session) => sessionRecord(session, work.place.root));
          return sessionAnswer(pageOf('sessions', all, cursor));
        },
        'INVALID_ARGUMENT',
      ),
  );
}
