import { z } from 'zod';
import { actionLogSize } from '../handoff/sessions.ts';
import { ledgerOf } from '../handoff/work-parts.ts';
import { readOnly, schemaForListing, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import {
  type CurrentSession,
  runSessionTool,
  sessionAnswer,
  sessionFor,
  sessionRecord,
} from './session-answer.ts';

const schema = z.object({ session_id: z.string().min(1).optional() });

export function registerSessionStatus(server: ToolServer, parts: McpParts, current: CurrentSession): void {
  server.registerTool(
    'session_status',
    {
      title: 'Work session status',
      description: 'A work session and its number of actions.',
      inputSchema: schemaForListing(schema),
      annotations: readOnly,
    },
    (given, context) =>
      runSessionTool(schema, given, { parts, context }, async ({ session_id }, work) => {
        const ledger = ledgerOf(work);
        const session = sessionFor(session_id, { work, ledger, current });
        return sessionAnswer({
          session: sessionRecord(session, work.place.root),
          action_log_size: actionLogSize(work, ledger, session),
        });
      }),
  );
}
