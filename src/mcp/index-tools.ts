import { z } from 'zod';
import { isoTime } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { CheckoutState } from '../wire/answers/code.ts';
import { idempotentWrite } from './answer.ts';
import { codeAnswer, filesIn, freshnessFields } from './code-answer.ts';
import { progressReporter } from './progress.ts';
import { tool } from './tool.ts';

export const indexStatus = tool({
  name: 'index_status',
  title: 'Code index status',
  description: 'Whether the code index exists and is up to date.',
  schema: z.object({}),
  async answer(parts) {
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
  },
});

const statusFields = (state: CheckoutState) => ({
  index_present: state.isIndexed,
  index_fresh: state.isIndexed && state.dirtyFiles === 0,
  indexed_files: state.indexedFiles,
  index_bytes: state.indexBytes,
  last_updated: state.updated === undefined ? null : isoTime(state.updated),
  repo_category: filesIn(state) < 5_000 ? 'small' : filesIn(state) < 25_000 ? 'medium' : 'large',
  routing_hint: state.isIndexed ? 'indexed_default' : 'direct_scan_until_indexed',
});

export const reindex = tool({
  name: 'reindex',
  title: 'Reindex code',
  description: 'Update the code index, or rebuild it.',
  schema: z.object({ mode: z.enum(['incremental', 'full']).default('incremental') }),
  annotations: idempotentWrite,
  async answer(parts, { mode }, context) {
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
  },
});
