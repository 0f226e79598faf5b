import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { closeSession } from '../handoff/sessions.ts';
import { ledgerOf } from '../handoff/work-parts.ts';
import { listed, writesAgain } from './answer.ts';
import type { McpParts } from './server.ts';
import {
  answeringSession,
  type CurrentSession,
  sessionAnswer,
  sessionFor,
  sessionRecord,
} from './session-answer.ts';

const schema = z.object({
  session_id: z.string().min(1).optional(),
  status: z.enum(['resolved', 'abandoned']).default('resolved'),
});

export function registerSessionClose(server: McpServer, parts: McpParts, current: CurrentSession): void {
  server.registerTool(
    'session_close',
    {
      title: 'Close a work session',
      description: 'The work is done, or given up.',
      inputSchema: listed(schema),
      annotations: writesAgain,
    },
    (given, context) =>
      answeringSession(schema, given, { parts, context }, async ({ session_id, status }, work) => {
        parts.ensureActive();
        const { id } = sessionFor(session_id, { work, ledger: ledgerOf(work), current });
        const session = closeSession(work, id, status);
        if (current.id === id) delete current.id;
        return sessionAnswer({ session: sessionRecord(session, work.place.root) });
      }),
  );
}
