import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { addTool, idempotentWrite, type ToolServer } from './answer.ts';
import { codeAnswer } from './code-answer.ts';
import type { McpParts } from './parts.ts';
import { progressReporter } from './progress.ts';

const schema = z.object({ mode: z.enum(['incremental', 'full']).default('incremental') });

const tool = {
  name: 'reindex',
  title: 'Reindex code',
  description: 'Update the code index, or rebuild it.',
  schema,
  annotations: idempotentWrite,
};

export function registerReindex(server: ToolServer, parts: McpParts): void {
  addTool(server, tool, async ({ mode }, context) => {
    const code = await parts.code();
    const started = parts.clock.now();
    const state = await code.reindex(mode === 'full', progressReporter(context, parts.clock));
    if (!state.isWriter) {
      parts.ensureActive();
      throw new AppError('INDEX_UNAVAILABLE', 'another process is writing the index of this checkout', {
        hint: 'Search as usual: files that are not indexed yet are read directly',
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
  });
}
