import { z } from 'zod';
import { closeSession } from '../handoff/sessions.ts';
import { ledgerOf } from '../handoff/work-parts.ts';
import { idempotentWrite, schemaForListing, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import {
  type CurrentSession,
  runSessionTool,
  sessionAnswer,
  sessionFor,
  sessionRecord,
} from './session-answer.ts';

const schema = z.object({
  session_id: z.string().min(1).optional(),
  status: z.enum(['resolved', 'abandoned']).default('resolved'),
});

export function registerSessionClose(server: ToolServer, parts: McpParts, current: CurrentSession): void {
  server.registerTool(
    'session_close',
    {
      title: 'Close a work session',
      description: 'Mark the work as done or abandoned.',
      inputSchema: schemaForListing(schema),
      annotations: idempotentWrite,
    },
    (given, context) =>
      runSessionTool(schema, given, { parts, context }, async ({ session_id, status }, work) => {
        parts.ensureActive();
        const { id } = sessionFor(session_id, { work, ledger: ledgerOf(work), current });
        const session = closeSession(work, id, status);
        if (current.id === id) delete current.id;
        return sessionAnswer({ session: sessionRecord(session, work.place.root) });
      }),
  );
}
