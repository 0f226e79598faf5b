import { z } from 'zod';
import { redactorOf, snapshotsOf } from '../handoff/work-parts.ts';
import { readOnly, schemaForListing, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import { pageOf, runSessionTool, sessionAnswer } from './session-answer.ts';

const schema = z.object({ session_id: z.string().min(1).optional(), cursor: z.string().optional() });

export function registerSessionSnapshotList(server: ToolServer, parts: McpParts): void {
  server.registerTool(
    'session_snapshot_list',
    {
      title: 'Snapshots',
      description: 'Snapshots of this project or of one work session, newest first.',
      inputSchema: schemaForListing(schema),
      annotations: readOnly,
    },
    (given, context) =>
      runSessionTool(schema, given, { parts, context }, async ({ session_id, cursor }, work) => {
        const { maskDeep } = redactorOf(work);
        const all = snapshotsOf(work)
          .list()
          .map(({ manifest }) =>
            maskDeep({ ...manifest, repo_dirty_files: manifest.repo_dirty_files.slice(0, 5) }),
          )
          .filter((manifest) => session_id === undefined || manifest.session_id === session_id)
          .reverse();
        return sessionAnswer(pageOf('snapshots', all, cursor));
      }),
  );
}
