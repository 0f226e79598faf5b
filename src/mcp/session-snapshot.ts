import { z } from 'zod';
import type { WorkSession } from '../domain/work-session.ts';
import { takeSnapshot } from '../handoff/snapshot.ts';
import { ledgerOf, type WorkParts } from '../handoff/work-parts.ts';
import { schemaForListing, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import { type CurrentSession, runSessionTool, sessionAnswer, sessionFor } from './session-answer.ts';
import { shownManifest } from './snapshot-answer.ts';

export const snapshotSchema = z.object({
  session_id: z.string().min(1).optional(),
  source_harness: z.string().max(100).optional().describe('Name of the calling agent'),
  source_model: z.string().max(100).optional(),
  pinned_snippet_paths: z
    .array(
      z.object({ path: z.string(), line_start: z.number().int().min(1), line_end: z.number().int().min(1) }),
    )
    .max(20)
    .optional()
    .describe('Lines that the next agent must see'),
});

export function registerSessionSnapshot(server: ToolServer, parts: McpParts, current: CurrentSession): void {
  server.registerTool(
    'session_snapshot',
    {
      title: 'Snapshot a work session',
      description: 'Save the state of the work: actions, files, decisions, git state.',
      inputSchema: schemaForListing(snapshotSchema),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    (given, context) =>
      runSessionTool(snapshotSchema, given, { parts, context }, async (input, work) => {
        parts.ensureActive();
        const session = sessionFor(input.session_id, { work, ledger: ledgerOf(work), current });
        return sessionAnswer(await snapshotEnvelope(work, session, input));
      }),
  );
}

export async function snapshotEnvelope(
  work: WorkParts,
  session: WorkSession,
  { source_harness, source_model, pinned_snippet_paths }: z.output<typeof snapshotSchema>,
  target?: 'any',
) {
  const { snapshot, folder } = await takeSnapshot(work, session, {
    ...(source_harness === undefined ? {} : { sourceHarness: source_harness }),
    ...(source_model === undefined ? {} : { sourceModel: source_model }),
    ...(target === undefined ? {} : { target }),
    pins: (pinned_snippet_paths ?? []).map(({ path, line_start, line_end }) => ({
      path,
      lineStart: line_start,
      lineEnd: line_end,
    })),
  });
  const { snapshot_id } = snapshot.manifest;
  return { snapshot_id, snapshot_dir: folder, manifest: shownManifest(snapshot.manifest) };
}
