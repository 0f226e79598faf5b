import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { newestFirst } from '../handoff/sessions.ts';
import { ledgerOf } from '../handoff/work-parts.ts';
import { listed, readsOnly } from './answer.ts';
import type { McpParts } from './server.ts';
import { answeringSession, pageOf, sessionAnswer, sessionRecord } from './session-answer.ts';

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
      answeringSession(schema, given, { parts, context }, async ({ cursor }, work) => {
        const all = newestFirst(ledgerOf(work)).map((session) => sessionRecord(session, work.place.root));
        return sessionAnswer(pageOf('sessions', all, cursor));
      }),
  );
}
