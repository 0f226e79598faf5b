import { expect, it } from 'vitest';
import type { ContentSearch } from '../code/search.ts';
import type { SearchRun } from '../domain/snapshot.ts';
import type { McpParts } from './parts.ts';
import { rerunSearches } from './rerun-searches.ts';

it('[handoff-searches] gives no number for a search that was cut off, and leaves out one that failed', async () => {
  const content = async ({ text }: ContentSearch) => {
    if (text === 'broken') throw new Error('invalid');
    return { fileCount: 0, isComplete: text !== 'late' };
  };
  const parts = { code: async () => ({ content }) } as unknown as McpParts;
  const run = (query: string): SearchRun => ({
    search_id: query,
    tool: 'search_content',
    query,
    mode: 'literal',
    path: '',
  });
  const rerun = await rerunSearches(parts, ['none', 'late', 'broken'].map(run));
  expect(rerun.map(({ query, files_with_matches }) => [query, files_with_matches])).toEqual([
    ['none', 0],
    ['late', null],
  ]);
});
