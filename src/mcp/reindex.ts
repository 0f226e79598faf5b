import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { answeringCode, listed, writesAgain } from './answer.ts';
import { codeAnswer } from './code-answer.ts';
import { progressOf } from './progress.ts';
import type { McpParts } from './server.ts';

const schema = z.object({ mode: z.enum(['incremental', 'full']).default('incremental') });

export function registerReindex(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'reindex',
    {
      title: 'Reindex code',
      description: 'Bring the code index up to date, or make it anew.',
      inputSchema: listed(schema),
      annotations: writesAgain,
    },
    (given, context) =>
      answeringCode(schema, given, async ({ mode }) => {
        parts.ensureActive();
        const code = await parts.code();
        const started = parts.clock.now();
        const state = await code.reindex(mode === 'full', progressOf(context, parts.clock));
        if (!state.isWriter) {
          throw new AppError('INDEX_UNAVAILABLE', 'another process keeps the index of this checkout', {
            hint: 'Search as usual: what it has not indexed yet is read',
            retryable: true,
          });
        }
        const elapsed = Math.round(parts.clock.now() - started);
        return codeAnswer(`${state.indexedFiles} files indexed (${mode}) in ${elapsed} ms.`, {
          repo_root: code.root,
          completed: true,
          mode,
          rebuilt_full: mode === 'full',
          elapsed_ms: elapsed,
          indexed_files: state.indexedFiles,
        });
      }),
  );
}
