import { z } from 'zod';
import { newestFirst } from '../handoff/sessions.ts';
import { ledgerOf } from '../handoff/work-parts.ts';
import { readOnly, schemaForListing, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import { pageOf, runSessionTool, sessionAnswer, sessionRecord } from './session-answer.ts';

const schema = z.object({ cursor: z.string().optional() });

export function registerSessionList(server: ToolServer, parts: McpParts): void {
  server.registerTool(
    'session_list',
    {
      title: 'Work sessions',
      description: 'Work sessions of this project, newest first.',
      inputSchema: schemaForListing(schema),
      annotations: readOnly,
    },
    (given, context) =>
      runSessionTool(schema, given, { parts, context }, async ({ cursor }, work) => {
        const all = newestFirst(ledgerOf(work)).map((session) => sessionRecord(session, work.place.root));
        return sessionAnswer(pageOf('sessions', all, cursor));
      }),
  );
}
