import { z } from 'zod';
import { openSession } from '../handoff/sessions.ts';
import { idempotentWrite, schemaForListing, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import { type CurrentSession, runSessionTool, sessionAnswer, sessionRecord } from './session-answer.ts';

const schema = z.object({
  goal: z.string().max(4_000).default('').describe('Goal of the work'),
  session_id: z.string().min(1).optional().describe('Reopens this session, or sets the id of a new one'),
});

export function registerSessionOpen(server: ToolServer, parts: McpParts, current: CurrentSession): void {
  server.registerTool(
    'session_open',
    {
      title: 'Open a work session',
      description: 'State the goal of this work, so that another agent can continue it.',
      inputSchema: schemaForListing(schema),
      annotations: idempotentWrite,
    },
    (given, context) =>
      runSessionTool(schema, given, { parts, context }, async ({ goal, session_id }, work) => {
        parts.ensureActive();
        const session = openSession(work, {
          goal,
          ...(session_id === undefined ? {} : { id: session_id }),
        });
        current.id = session.id;
        return sessionAnswer({ session: sessionRecord(session, work.place.root) });
      }),
  );
}
