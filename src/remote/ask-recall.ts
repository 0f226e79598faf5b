import type { RecallAnswer } from '../domain/hit.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { withSession } from '../memory/sessions/agent-sessions.ts';
import { type FilterText, parseFilter, questionOf } from '../recall/parse-filter.ts';
import type { RecallLimits } from '../recall/with-index.ts';
import { recallWithTeam } from './recall-with-team.ts';

export interface RecallText extends FilterText {
  query?: string | undefined;
  wordings?: string[] | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

interface Asking {
  limits: RecallLimits;
  /** Without it, hits have no drift. */
  code: CheckedCode | undefined;
  askingSessions?: string[];
  /** Of the error about a request without a question and filter. Without a hint, it asks for the last work. */
  hint?: string;
}

export async function askRecall(
  project: OpenProject,
  { query, wordings, limit, offset = 0, ...filterText }: RecallText,
  { limits, code, askingSessions, hint }: Asking,
): Promise<RecallAnswer> {
  const now = project.clock.now();
  const filter = await withSession(project, parseFilter(filterText, now));
  const asked = {
    ...filter,
    ...questionOf({ text: query, wordings }, filter, hint),
    now,
    offset,
    ...(limit === undefined ? {} : { limit }),
    ...(askingSessions === undefined ? {} : { askingSessions }),
  };
  return recallWithTeam(project, asked, limits, code);
}
