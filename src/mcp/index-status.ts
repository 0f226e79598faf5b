import { z } from 'zod';
import { addTool, type ToolServer } from './answer.ts';
import { codeAnswer, freshnessFields, statusFields } from './code-answer.ts';
import type { McpParts } from './parts.ts';

const schema = z.object({});

const tool = {
  name: 'index_status',
  title: 'Code index status',
  description: 'Whether the code index exists and is up to date.',
  schema,
};

export function registerIndexStatus(server: ToolServer, parts: McpParts): void {
  addTool(server, tool, async () => {
    const code = await parts.code();
    const state = await code.status();
    const fields = statusFields(state);
    return codeAnswer(
      `${fields.indexed_files} files indexed, ${state.dirtyFiles} read live${state.isBuilding ? ', index being built' : ''}; ${fields.index_bytes} bytes${fields.last_updated === null ? '' : `, updated ${fields.last_updated}`}.`,
      {
        repo_root: code.root,
        ...fields,
        ...freshnessFields(state),
        watching: state.isWatched,
        building: state.isBuilding,
      },
    );
  });
}
