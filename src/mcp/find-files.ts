import { z } from 'zod';
import { plural } from '../text/plural.ts';
import { fileSearchShape } from '../wire/code.ts';
import { searchTool } from './paged-answer.ts';

const maxPathLength = 400;

export const findFiles = searchTool({
  name: 'find_files',
  description: 'Files by name or path, best first.',
  schema: z.object({ ...fileSearchShape, force_refresh: z.boolean().optional() }),
  async find(parts, code, { query, limit }, offset) {
    const found = await code.files({ query, limit, offset, frecency: await parts.frecency() });
    const results = found.files.map(({ path, reason }) => ({ path: path.slice(0, maxPathLength), reason }));
    const route = found.state.isIndexed
      ? { strategy: 'indexed', reason: 'path_index' }
      : { strategy: 'direct_scan', reason: 'no_index' };
    const isFuzzy = results.some(({ reason }) => reason === 'fuzzy_path_match');
    return {
      query,
      question: ['files', query, limit, offset],
      found: { ...found, route },
      results,
      // Sorted, because reading a file moves it up in the ranking although the results are the same files.
      same: results.map(({ path }) => path).sort(),
      files: found.total,
      head: (shown) =>
        `${plural(found.total, 'file')}${isFuzzy ? ' (fuzzy match)' : ''}${shown < found.total ? `, ${shown} shown` : ''}`,
      line: ({ path }) => path,
      fields: { files_with_matches: found.total },
    };
  },
});
