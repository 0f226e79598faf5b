import { resolve } from 'node:path';
import { AppError } from '../base/errors.ts';
import { drain } from '../memory/drain.ts';
import type { App, Outcome, ParsedArgs } from './command.ts';

export async function rebuildIndex(app: App, args: ParsedArgs): Promise<Outcome> {
  const [what = 'memory', folder = '.'] = args.positionals;
  if (what === 'code') return reindexCode(app, resolve(app.cwd, folder));
  if (what !== 'memory') {
    throw new AppError('INVALID_ARGUMENT', `unknown index: ${what}; use memory or code`, {
      hint: 'backstory doctor --reindex memory',
    });
  }
  const started = app.clock.now();
  const parts = app.open();
  const progress = app.progress('Indexing');
  parts.access.discard();
  const report = await drain(parts, {
    maxMs: Number.MAX_SAFE_INTEGER,
    maxBytes: Number.MAX_SAFE_INTEGER,
    onProgress: progress.update,
  });
  progress.end();
  const elapsedMs = app.clock.now() - started;
  if (!report.ran) {
    throw new AppError('INDEX_UNAVAILABLE', 'another process is indexing this project', {
      hint: 'try again in a minute',
      retryable: true,
    });
  }
  return {
    value: { ...report, elapsedMs },
    text: `Indexed ${report.indexed} records in ${(elapsedMs / 1000).toFixed(1)} s.`,
  };
}

async function reindexCode(app: App, folder: string): Promise<Outcome> {
  const started = app.clock.now();
  const code = await app.openCode(folder);
  try {
    const progress = app.progress('Indexing');
    const state = await code.reindex(true, { onProgress: progress.update });
    progress.end();
    if (!state.isWriter) {
      throw new AppError(
        'INDEX_UNAVAILABLE',
        "another process writes this checkout's index, or capture is off there",
        { hint: 'backstory status', retryable: true },
      );
    }
    const elapsedMs = app.clock.now() - started;
    return {
      value: { ...state, elapsedMs },
      text: `Indexed ${state.indexedFiles} files in ${(elapsedMs / 1000).toFixed(1)} s, ${(state.indexBytes / 1e6).toFixed(1)} MB.`,
    };
  } finally {
    await code.close();
  }
}
