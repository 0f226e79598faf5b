import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { openSession } from '../handoff/sessions.ts';
import { listed, writesAgain } from './answer.ts';
import type { McpParts } from './server.ts';
import { answeringSession, type CurrentSession, sessionAnswer, sessionRecord } from './session-answer.ts';

const schema = z.object({
  goal: z.string().max(4_000).default('').describe('What the work is for'),
  session_id: z.string().min(1).optional().describe('To open one again, or to choose the id'),
});

export function registerSessionOpen(server: McpServer, parts: McpParts, current: CurrentSession): void {
  server.registerTool(
    'session_open',
    {
      title: 'Open a work session',
      description: 'Say what this work is for; it can then go on in another agent.',
      inputSchema: listed(schema),
      annotations: writesAgain,
    },
    (given, context) =>
      answeringSession(schema, given, { parts, context }, async ({ goal, session_id }, work) => {
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
