import type { ToolServer } from './answer.ts';
import { registerContextPack } from './context-pack.ts';
import { registerFindFiles } from './find-files.ts';
import type { FrecentFiles } from './frecent-files.ts';
import { registerIndexStatus } from './index-status.ts';
import { registerOutline } from './outline.ts';
import type { McpParts } from './parts.ts';
import { registerReindex } from './reindex.ts';
import { registerSearchBelowPath, registerSearchContent } from './search-content.ts';
import { createSearchMemory } from './search-memory.ts';
import { registerSymbolTools } from './symbol-tools.ts';

/**
 * Registers the code search tools. The tool set `core` has only the first three, to save tokens: the others find what
 * search_content also finds, or concern the index itself.
 */
export function registerCodeTools(server: ToolServer, parts: McpParts, frecentFiles: FrecentFiles): void {
  const memory = createSearchMemory(parts.follower, parts.clock);
  registerSearchContent(server, parts, memory);
  registerFindFiles(server, parts, { memory, frecentFiles });
  registerContextPack(server, parts, frecentFiles);
  if (parts.tools === 'core') return;
  registerSearchBelowPath(server, parts, memory);
  registerOutline(server, parts, memory);
  registerSymbolTools(server, parts, memory);
  registerIndexStatus(server, parts);
  registerReindex(server, parts);
}
