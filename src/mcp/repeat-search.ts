import type { SearchRun } from '../domain/snapshot.ts';
import type { McpParts } from './server.ts';

export interface WarmedSearch extends SearchRun {
  files_with_matches: number;
}

const maxSearches = 6;
const maxQueryLength = 150;
const eachMs = 300;

/**
 * What was searched for when the work stopped, against the code as it is now: the new agent sees what was looked
 * for and how much there is, and the index is open when it searches itself. One that fails is left out.
 */
export async function repeatSearch(parts: McpParts, searches: SearchRun[]): Promise<WarmedSearch[]> {
  const wanted = searches.filter(({ query }) => query.length <= maxQueryLength).slice(-maxSearches);
  const warmed: WarmedSearch[] = [];
  for (const search of wanted) {
    const found = await countFiles(parts, search).catch(() => undefined);
    if (found !== undefined) warmed.push({ ...search, files_with_matches: found });
  }
  return warmed;
}

async function countFiles(parts: McpParts, { tool, query, mode, path }: SearchRun): Promise<number> {
  const code = await parts.code();
  if (tool === 'find_files') return (await code.files({ query, limit: 1, offset: 0 })).total;
  const plain = { language: undefined, ignoreCase: false, wholeWord: false, multiline: false };
  const found = await code.content({
    ...plain,
    text: query,
    mode,
    path: path === '' ? undefined : path,
    limit: 1,
    offset: 0,
    deadlineMs: eachMs,
  });
  return found.fileCount;
}
