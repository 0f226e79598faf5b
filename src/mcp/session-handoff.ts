import type { McpServer } from '@modelcontextprotocol/server';
import { closeSession } from '../handoff/sessions.ts';
import { ledgerOf } from '../handoff/work-parts.ts';
import { listed } from './answer.ts';
import type { McpParts } from './server.ts';
import { answeringSession, type CurrentSession, sessionAnswer, sessionFor } from './session-answer.ts';
import { snapshotEnvelope, snapshotSchema } from './session-snapshot.ts';

const schema = snapshotSchema.omit({ source_model: true });

export function registerSessionHandoff(server: McpServer, parts: McpParts, current: CurrentSession): void {
  server.registerTool(
    'session_handoff',
    {
      title: 'Hand off a work session',
      description: 'Snapshot the work and stop here; another agent goes on with session_resume.',
      inputSchema: listed(schema),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    (given, context) =>
      answeringSession(schema, given, { parts, context }, async (asked, work) => {
        parts.ensureActive();
        const session = sessionFor(asked.session_id, { work, ledger: ledgerOf(work), current });
        const envelope = await snapshotEnvelope(work, session, asked, 'any');
        closeSession(work, session.id, 'resolved');
        if (current.id === session.id) delete current.id;
        return sessionAnswer(envelope);
      }),
  );
}
