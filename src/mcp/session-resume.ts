import { z } from 'zod';
import { briefBudget } from '../handoff/brief.ts';
import { findSnapshot, resumeSnapshot } from '../handoff/resume.ts';
import { harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import { alwaysLoad, idempotentWrite, type ToolServer } from './answer.ts';
import type { FrecentFiles } from './frecent-files.ts';
import type { McpParts } from './parts.ts';
import { type RerunSearch, rerunSearches } from './rerun-searches.ts';
import { addSessionTool, type CurrentSession, itemsThatFit, sessionAnswer } from './session-answer.ts';

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

const reportText = (session: string, tokens: number, report: HydrationReport): string =>
  [
    `Resumed work session ${session}; the brief above has ${tokens} tokens`,
    `${report.files_primed} files unchanged, ${report.searches_warmed} searches run again, ${report.frecency_entries_restored} files ranked higher`,
    ...(report.stale_files.length === 0 ? [] : [`changed since: ${report.stale_files.join(', ')}`]),
  ].join('; ');

const searchText = ({ search_id, tool, query, mode, path, files_with_matches }: RerunSearch): string =>
  `${search_id} ${tool} ${mode}${path === '' ? '' : ` in ${path}`}: ${plural(files_with_matches, 'file')} for ${harmlessLine(query, 200)}`;

export interface ResumeState {
  current: CurrentSession;
  frecentFiles: FrecentFiles;
}

export function registerSessionResume(
  server: ToolServer,
  parts: McpParts,
  { current, frecentFiles }: ResumeState,
): void {
  addSessionTool(
    server,
    parts,
    'session_resume',
    {
      title: 'Resume work',
      description: 'Continue work that was handed over: what is done, what is open, what was decided.',
      schema,
      annotations: idempotentWrite,
      _meta: alwaysLoad,
    },
    async ({ snapshot_id, budget_tokens }, work) => {
      const budget = Math.min(budget_tokens, briefBudget.most);
      const { snapshot, brief, staleFiles } = await resumeSnapshot(
        work,
        findSnapshot(work, snapshot_id),
        budget,
      );
      const { working_set, manifest } = snapshot;
      current.id = manifest.session_id;
      const searches = await rerunSearches(parts, working_set.searches_run);
      const report = {
        files_primed: working_set.files_read.length - staleFiles.length,
        searches_warmed: searches.length,
        frecency_entries_restored: frecentFiles.add(working_set.frecency_top_n),
        stale_files: itemsThatFit(staleFiles, 1_000),
      };
      return sessionAnswer(
        {
          session_id: manifest.session_id,
          payload_markdown: brief.text,
          payload_token_estimate: brief.tokens,
          hydration_report: report,
          searches,
        },
        [brief.text, reportText(manifest.session_id, brief.tokens, report), ...searches.map(searchText)].join(
          '\n',
        ),
      );
    },
  );
}
