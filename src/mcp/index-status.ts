import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answeringCode, listed, readsOnly } from './answer.ts';
import { codeAnswer, freshnessFields, statusFields } from './code-answer.ts';
import type { McpParts } from './server.ts';

const schema = z.object({});

export function registerIndexStatus(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'index_status',
    {
      title: 'Code index status',
      description: 'Whether the code index is there and fresh.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given) =>
      answeringCode(schema, given, async () => {
        const code = await parts.code();
        const state = await code.status();
        const fields = statusFields(state, state.filesKnown);
        const hidden =
          state.hiddenBy === undefined ? '' : ` No file is left to search: ${state.hiddenBy} hides them.`;
        return codeAnswer(
          `${fields.indexed_files} files indexed, ${state.dirtyFiles} read live${state.isBuilding ? ', index being built' : ''}; ${fields.index_bytes} bytes${fields.last_updated === null ? '' : `, updated ${fields.last_updated}`}.${hidden}`,
          {
            repo_root: code.root,
            ...fields,
            ...freshnessFields(state, state.filesKnown),
            watching: state.isWatched,
            building: state.isBuilding,
            ...(state.hiddenBy === undefined ? {} : { hidden_by: state.hiddenBy }),
          },
        );
      }),
  );
}
