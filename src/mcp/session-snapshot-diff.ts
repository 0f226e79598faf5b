import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { findSnapshot } from '../handoff/resume.ts';
import { diffSnapshots } from '../handoff/snapshot-diff.ts';
import { redactorOf } from '../handoff/work-parts.ts';
import { answeringCode, listed, readsOnly } from './answer.ts';
import type { McpParts } from './server.ts';
import { sessionAnswer, workParts } from './session-answer.ts';

const schema = z.object({ snapshot_a: z.string().min(1), snapshot_b: z.string().min(1) });

export function registerSessionSnapshotDiff(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'session_snapshot_diff',
    {
      title: 'Compare snapshots',
      description: 'Which files and searches differ between two snapshots.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given, context) =>
      answeringCode(
        schema,
        given,
        async ({ snapshot_a, snapshot_b }) => {
          const work = workParts(parts, context);
          const diff = diffSnapshots(findSnapshot(work, snapshot_a), findSnapshot(work, snapshot_b));
          return sessionAnswer({ diff: redactorOf(work).maskDeep({ ...diff }) });
        },
        'INVALID_ARGUMENT',
      ),
  );
}
