import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { actionLogSize } from '../handoff/sessions.ts';
import { ledgerOf } from '../handoff/work-parts.ts';
import { listed, readsOnly } from './answer.ts';
import type { McpParts } from './server.ts';
import {
  answeringSession,
  type CurrentSession,
  sessionAnswer,
  sessionFor,
  sessionRecord,
} from './session-answer.ts';

const schema = z.object({ session_id: z.string().min(1).optional() });

export function registerSessionStatus(server: McpServer, parts: McpParts, current: CurrentSession): void {
  server.registerTool(
    'session_status',
    {
      title: 'Work session',
      description: 'A work session and how many actions it holds.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given, context) =>
      answeringSession(schema, given, { parts, context }, async ({ session_id }, work) => {
        const ledger = ledgerOf(work);
        const session = sessionFor(session_id, { work, ledger, current });
        return sessionAnswer({
          session: sessionRecord(session, work.place.root),
          action_log_size: actionLogSize(work, ledger, session),
        });
      }),
  );
}
