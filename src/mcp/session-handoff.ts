import { closeSession } from '../handoff/sessions.ts';
import { ledgerOf } from '../handoff/work-parts.ts';
import { schemaForListing, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import { type CurrentSession, runSessionTool, sessionAnswer, sessionFor } from './session-answer.ts';
import { snapshotEnvelope, snapshotSchema } from './session-snapshot.ts';

const schema = snapshotSchema.omit({ source_model: true });

export function registerSessionHandoff(server: ToolServer, parts: McpParts, current: CurrentSession): void {
  server.registerTool(
    'session_handoff',
    {
      title: 'Hand off a work session',
      description: 'Snapshot the work and close it; another agent continues with session_resume.',
      inputSchema: schemaForListing(schema),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    (given, context) =>
      runSessionTool(schema, given, { parts, context }, async (input, work) => {
        parts.ensureActive();
        const session = sessionFor(input.session_id, { work, ledger: ledgerOf(work), current });
        const envelope = await snapshotEnvelope(work, session, input, 'any');
        closeSession(work, session.id, 'resolved');
        if (current.id === session.id) delete current.id;
        return sessionAnswer(envelope);
      }),
  );
}
