import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { briefBudget } from '../handoff/brief.ts';
import { findSnapshot, resumeSnapshot } from '../handoff/resume.ts';
import { harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import { listed, loadedAtOnce, writesAgain } from './answer.ts';
import type { FrecentFiles } from './frecent-files.ts';
import { repeatSearch, type WarmedSearch } from './repeat-search.ts';
import type { McpParts } from './server.ts';
import { answeringSession, type CurrentSession, fitting, sessionAnswer } from './session-answer.ts';

const schema = z.object({
  snapshot_id: z.string().min(1),
  budget_tokens: z.number().int().min(briefBudget.least).max(100_000).default(briefBudget.usual),
});

interface HydrationReport {
  files_primed: number;
  searches_warmed: number;
  frecency_entries_restored: number;
  stale_files: string[];
}

const reportWords = (session: string, tokens: number, report: HydrationReport): string =>
  [
    `You are in work session ${session}; the above is ${tokens} tokens`,
    `${report.files_primed} files as they were, ${report.searches_warmed} searches run again, ${report.frecency_entries_restored} files put first`,
    ...(report.stale_files.length === 0 ? [] : [`changed since: ${report.stale_files.join(', ')}`]),
  ].join('; ');

const searchWords = ({ search_id, tool, query, mode, path, files_with_matches }: WarmedSearch): string =>
  `${search_id} ${tool} ${mode}${path === '' ? '' : ` in ${path}`}: ${plural(files_with_matches, 'file')} for ${harmlessLine(query, 200)}`;

export interface ResumeState {
  current: CurrentSession;
  favoured: FrecentFiles;
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
      _meta: loadedAtOnce,
    },
    (given, context) =>
      answeringSession(schema, given, { parts, context }, async ({ snapshot_id, budget_tokens }, work) => {
        const budget = Math.min(budget_tokens, briefBudget.most);
        const { snapshot, brief, staleFiles } = await resumeSnapshot(
          work,
          findSnapshot(work, snapshot_id),
          budget,
        );
        const { working_set, manifest } = snapshot;
        current.id = manifest.session_id;
        const searches = await repeatSearch(parts, working_set.searches_run);
        const report = {
          files_primed: working_set.files_read.length - staleFiles.length,
          searches_warmed: searches.length,
          frecency_entries_restored: favoured.add(working_set.frecency_top_n),
          stale_files: fitting(staleFiles, 1_000),
        };
        return sessionAnswer(
          {
            session_id: manifest.session_id,
            payload_markdown: brief.text,
            payload_token_estimate: brief.tokens,
            hydration_report: report,
            searches,
          },
          [
            brief.text,
            reportWords(manifest.session_id, brief.tokens, report),
            ...searches.map(searchWords),
          ].join('\n'),
        );
      }),
  );
}
