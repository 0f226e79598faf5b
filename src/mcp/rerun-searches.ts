import type { SearchRun } from '../domain/snapshot.ts';
import type { McpParts } from './parts.ts';

export interface RerunSearch extends SearchRun {
  /** Null if the search did not finish in time. */
  files_with_matches: number | null;
}

const maxSearches = 6;
const maxQueryLength = 150;
/** For all searches together. The first one may have to open the index. */
const timeoutMs = 1_500;
const maxLines = 2_000;

/**
 * When an agent resumes work, runs the searches of the earlier agent again on the current code. The resuming agent sees
 * what was searched for and how many files match, and the index is already open for its own searches. Searches that
 * fail are omitted.
 */
export async function rerunSearches(parts: McpParts, searches: SearchRun[]): Promise<RerunSearch[]> {
  const selected = searches.filter(({ query }) => query.length <= maxQueryLength).slice(-maxSearches);
  const rerun: RerunSearch[] = [];
  const end = performance.now() + timeoutMs;
  for (const search of selected) {
    const fileCount = await countFiles(parts, search, end - performance.now()).catch(() => undefined);
    if (fileCount !== undefined) rerun.push({ ...search, files_with_matches: fileCount });
  }
  return rerun;
}

async function countFiles(
  parts: McpParts,
  { tool, query, mode, path }: SearchRun,
  deadlineMs: number,
): Promise<number | null> {
  const code = await parts.code();
  if (tool === 'find_files') return (await code.files({ query, limit: 1, offset: 0 })).total;
  const plain = { ignoreCase: false, wholeWord: false };
  const found = await code.content({
    ...plain,
    text: query,
    mode,
    path: path === '' ? undefined : path,
    limit: maxLines,
    offset: 0,
    deadlineMs: Math.max(1, deadlineMs),
  });
  return found.isComplete ? found.fileCount : null;
}
