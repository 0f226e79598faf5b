import { z } from 'zod';
import { briefBudget } from '../handoff/brief.ts';
import { carriedTokens } from '../handoff/carried-context.ts';
import { findSnapshot, resumeSnapshot } from '../handoff/resume.ts';
import { harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import { alwaysLoad, idempotentWrite } from './answer.ts';
import { type RerunSearch, rerunSearches } from './rerun-searches.ts';
import { itemsThatFit, sessionAnswer, sessionTool } from './session-answer.ts';

const searchText = ({ search_id, tool, query, mode, path, files_with_matches }: RerunSearch): string =>
  `${search_id} ${tool} ${mode}${path === '' ? '' : ` in ${path}`}: ${files_with_matches === null ? 'not finished' : plural(files_with_matches, 'file')} for ${harmlessLine(query, 200)}`;

export const sessionResume = sessionTool({
  name: 'session_resume',
  title: 'Resume work',
  description: 'Continue work that was handed over: what is done, what is open, what was decided.',
  schema: z.object({
    snapshot_id: z.string().min(1),
    budget_tokens: z
      .number()
      .int()
      .min(briefBudget.least)
      .max(100_000)
      .default(briefBudget.usual + carriedTokens),
  }),
  annotations: idempotentWrite,
  _meta: alwaysLoad,
  async answer(parts, work, { snapshot_id, budget_tokens }) {
    const budget = Math.min(budget_tokens, briefBudget.most);
    const { snapshot, brief, staleFiles } = await resumeSnapshot(
      work,
      findSnapshot(work, snapshot_id),
      budget,
      await parts.code().catch(() => undefined),
    );
    const { working_set, manifest } = snapshot;
    parts.currentSession.id = manifest.session_id;
    const searches = await rerunSearches(parts, working_set.searches_run);
    const known = brief.carried.flatMap(({ path, piece }) =>
      piece === undefined ? [] : [{ path, told: piece }],
    );
    const { resumedFiles } = parts;
    for (const { path, score } of working_set.frecency_top_n)
      resumedFiles.set(path, Math.max(score, resumedFiles.get(path) ?? 0));
    const report = {
      files_primed: new Set(known.map(({ path }) => path)).size,
      searches_warmed: searches.filter(({ files_with_matches }) => files_with_matches !== null).length,
      frecency_entries_restored: working_set.frecency_top_n.length,
      stale_files: itemsThatFit(staleFiles, 2_000),
    };
    const unnamed = report.stale_files.filter((path) => !brief.text.includes(path));
    const answer = sessionAnswer(
      {
        session_id: manifest.session_id,
        payload_markdown: brief.text,
        payload_token_estimate: brief.tokens,
        hydration_report: report,
        searches,
      },
      [
        brief.text,
        `Resumed work session ${manifest.session_id}; the brief above has ${brief.tokens} tokens; lines of ${plural(report.files_primed, 'file')} sent, ${report.searches_warmed} searches run again, ${report.frecency_entries_restored} files ranked higher`,
        ...(unnamed.length === 0 ? [] : [`also changed: ${unnamed.join(', ')}`]),
        ...searches.map(searchText),
      ].join('\n'),
    );
    // The session then has these lines in its context.
    const advice = { status: 'fresh', recommendation: 'skip_reread', sparedTokens: 0 } as const;
    return { ...answer, served: { memo: known.map((file) => ({ ...file, ...advice })) } };
  },
});
