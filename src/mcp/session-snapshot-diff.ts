import { z } from 'zod';
import { findSnapshot } from '../handoff/resume.ts';
import { diffSnapshots } from '../handoff/snapshot-diff.ts';
import { redactorOf } from '../handoff/work-parts.ts';
import { readOnly, schemaForListing, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import { itemsThatFit, runSessionTool, sessionAnswer } from './session-answer.ts';

/** Maximum size of each of the five lists in the answer, so that all of them fit into the size limit of an answer. */
const listBytes = 3_400;

const schema = z.object({ snapshot_a: z.string().min(1), snapshot_b: z.string().min(1) });

export function registerSessionSnapshotDiff(server: ToolServer, parts: McpParts): void {
  server.registerTool(
    'session_snapshot_diff',
    {
      title: 'Compare snapshots',
      description: 'Which files and searches differ between two snapshots.',
      inputSchema: schemaForListing(schema),
      annotations: readOnly,
    },
    (given, context) =>
      runSessionTool(schema, given, { parts, context }, async ({ snapshot_a, snapshot_b }, work) => {
        const diff = diffSnapshots(findSnapshot(work, snapshot_a), findSnapshot(work, snapshot_b));
        const whole = redactorOf(work).maskDeep({ ...diff });
        const shown = Object.fromEntries(
          Object.entries(whole).map(([name, items]) => [name, itemsThatFit(items, listBytes)]),
        );
        const isCut = Object.entries(whole).some(
          ([name, items]) => (shown[name]?.length ?? 0) < items.length,
        );
        const rest = isCut
          ? {
              truncated: true,
              rest: 'Call session_snapshot_get for each; the complete files are in snapshot_dir',
            }
          : {};
        return sessionAnswer({ diff: shown, ...rest });
      }),
  );
}
