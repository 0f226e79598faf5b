import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { briefBudget } from '../handoff/brief.ts';
import { findSnapshot, resumeSnapshot } from '../handoff/resume.ts';
import { answeringCode, listed, writesAgain } from './answer.ts';
import type { FavouredFiles } from './favoured-files.ts';
import { searchAgain } from './search-again.ts';
import type { McpParts } from './server.ts';
import { type CurrentSession, fitting, sessionAnswer, workParts } from './session-answer.ts';

const schema = z.object({
  snapshot_id: z.string().min(1),
  budget_tokens: z.number().int().min(briefBudget.least).max(100_000).default(briefBudget.usual),
});

export interface ResumeState {
  current: CurrentSession;
  favoured: FavouredFiles;
}

export function registerSessionResume(
  server: McpServer,
  parts: McpParts,
  { current, favoured }: ResumeState,
): void {
  server.registerTool(
    'session_resume',
    {
      title: 'Resume work',
      description: 'Go on with work that was handed over: what is done, what is not, what was decided.',
      inputSchema: listed(schema),
      annotations: writesAgain,
      // Who was told to call it should not have to look for it.
      _meta: { 'anthropic/alwaysLoad': true },
    },
    (given, context) =>
      answeringCode(
        schema,
        given,
        async ({ snapshot_id, budget_tokens }) => {
          const work = workParts(parts, context);
          const budget = Math.min(budget_tokens, briefBudget.most);
          const { snapshot, brief, staleFiles } = await resumeSnapshot(
            work,
            findSnapshot(work, snapshot_id),
            budget,
          );
          const { working_set, manifest } = snapshot;
          current.id = manifest.session_id;
          const searches = await searchAgain(parts, working_set.searches_run);
          return sessionAnswer(
            {
              session_id: manifest.session_id,
              payload_markdown: brief.text,
              payload_token_estimate: brief.tokens,
              hydration_report: {
                files_primed: working_set.files_read.length - staleFiles.length,
                searches_warmed: searches.length,
                frecency_entries_restored: favoured.add(working_set.frecency_top_n),
                stale_files: fitting(staleFiles, 1_000),
              },
              searches,
            },
            brief.text,
          );
        },
        'INVALID_ARGUMENT',
      ),
  );
}
